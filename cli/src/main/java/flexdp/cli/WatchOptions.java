package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.ask.WatchView;
import flexdp.gateway.lines.WatchJson;
import flexdp.gateway.watch.Watches;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whose watches they are, and where. */
final class WatchOptions {
  @Option(names = "--policy", paramLabel = "FILE", description = "The policy.")
  Path policy;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = "The database; otherwise the one that the policy names.")
  String database;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "The metrics; otherwise NAME.metrics.json beside the policy.")
  Path metrics;

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description = "The ledger; otherwise NAME.ledger beside the policy.")
  Optional<String> ledger = Optional.empty();

  @Option(names = "--analyst", paramLabel = "NAME", description = "Whose watches they are.")
  String analyst = System.getProperty("user.name", "analyst");

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long the database may take (default: ${DEFAULT-VALUE}).")
  int timeout = 300;

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: table).")
  Format format = Format.table;

  @Mixin ServerOptions server;

  /** How watches are printed. */
  enum Format {
    table,
    json
  }

  /** What the local watches say, as a server would say it. */
  JsonNode local(Function<Watches, List<WatchView>> work) {
    if (policy == null) {
      throw ConfigurationError.of(Code.BAD_USAGE, "Missing required option: '--policy=FILE'");
    }
    if (timeout < 1) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--timeout: at least one second");
    }
    Setup setup =
        new Setup(
            policy,
            Optional.ofNullable(database),
            Optional.ofNullable(metrics),
            ledger,
            Duration.ofSeconds(timeout),
            Clock.systemDefaultZone(),
            analyst);
    try (FlexDp flexdp = setup.open()) {
      return RemoteServer.read(WatchJson.of(work.apply(flexdp.watches())));
    }
  }

  /** What is sent to a server, which has files of its own and knows who asks. */
  ObjectNode request() {
    if (policy != null || metrics != null || ledger.isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "--policy, --metrics and --ledger are for owners, who open the files themselves",
          "The server has its own; give --server alone.");
    }
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    Optional.ofNullable(database).ifPresent(d -> request.put("database", d));
    return request;
  }

  /** Where a server is asked about one policy of several. */
  String query() {
    request();
    return database == null ? "" : "?database=" + RemoteServer.encoded(database);
  }

  void print(JsonNode watches, PrintWriter out) {
    switch (format) {
      case table -> out.print(WatchText.table(watches));
      case json -> out.println(watches);
    }
    out.flush();
  }
}
