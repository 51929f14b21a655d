package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.ask.WatchView;
import flexdp.gateway.lines.WatchJson;
import flexdp.gateway.watch.Watches;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whose watches they are, and where. */
final class WatchOptions extends PlaceOptions {
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
    try (FlexDp flexdp = setup().open()) {
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

  /** The part of the address that names one policy of several on a server. */
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
