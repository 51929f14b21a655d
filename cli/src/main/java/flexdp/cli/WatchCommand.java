package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.gateway.json.WatchJson;
import flexdp.gateway.watch.Watches;
import flexdp.plan.MechanismChoice;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Numbers that are compared with a threshold again and again. */
@Command(
    name = "watch",
    description = "Watch a number: arming costs epsilon, misses cost nothing, a hit ends it.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  flexdp watch add cancellations --policy rides.yaml --above 1000 --every week \\",
      "    --epsilon 0.5 \"SELECT COUNT(*) FROM trips WHERE status = 'cancelled' AND \\",
      "    requested_at >= :now - INTERVAL '7' DAY\"",
      "  flexdp watch run --policy rides.yaml    # once in each period, as from cron"
    },
    subcommands = {
      WatchCommand.Add.class,
      WatchCommand.Run.class,
      WatchCommand.Listed.class,
      WatchCommand.Remove.class
    })
final class WatchCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which one: add, run, list or remove?");
  }

  /** Arms a watch. */
  @Command(
      name = "add",
      description = "Arm a watch. It is charged in full, whether it hits or not.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Example: flexdp watch add many --policy rides.yaml --above 1000 --every week --epsilon 0.5"
            + " \\",
        "  \"SELECT COUNT(*) FROM trips WHERE requested_at >= :now - INTERVAL '7' DAY\""
      })
  static final class Add implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Mixin WatchOptions options;

    @Option(names = "--above", paramLabel = "N", required = true, description = "The threshold.")
    BigDecimal above;

    @Option(
        names = "--every",
        paramLabel = "PERIOD",
        required = true,
        description = "hour, day, week or month: it checks once in each.")
    String every;

    @Option(
        names = "--hits",
        paramLabel = "C",
        description = "After how many hits it stops; more need more noise (default: 1).")
    int hits = 1;

    @Option(names = "--epsilon", description = "What it costs; otherwise the policy's.")
    BigDecimal epsilon;

    @Parameters(index = "0", paramLabel = "NAME", description = "What to call it.")
    String name;

    @Parameters(
        index = "1",
        paramLabel = "SQL",
        description = "One count or sum; :now in it is the beginning of the period.")
    String sql;

    @Override
    public Integer call() throws IOException {
      if (epsilon != null && (epsilon.signum() <= 0 || epsilon.precision() > 50)) {
        throw ConfigurationError.of(Code.BAD_USAGE, "--epsilon: a number above 0");
      }
      WatchOrder order =
          new WatchOrder(
              name,
              QuestionOptions.text(sql),
              new ThresholdQuery(above, hits),
              WatchPeriod.parse(every));
      options.print(
          options.server.isGiven() ? remote(order) : local(order), spec.commandLine().getOut());
      return 0;
    }

    private JsonNode local(WatchOrder order) {
      QueryOptions how =
          new QueryOptions(
              MechanismChoice.AUTO,
              Optional.ofNullable(epsilon),
              Optional.empty(),
              Optional.empty());
      QueryRequest ask = new QueryRequest(order.sql(), how, options.analyst, Set.of(), true);
      return options.local(watches -> List.of(watches.add(order, ask)));
    }

    private JsonNode remote(WatchOrder order) {
      ObjectNode request = options.request();
      request.put("name", order.name()).put("sql", order.sql());
      request.put("above", above).put("hits", hits).put("every", order.period().word());
      Optional.ofNullable(epsilon).ifPresent(e -> request.put("epsilon", e));
      return RemoteServer.read(options.server.open().send("/v1/watches", request).body());
    }
  }

  /** Lets watches look. */
  @Command(
      name = "run",
      description = {
        "Checks the watches whose turn it is: once in each period, however often this is run.",
        "What was found before in the same period is shown again."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example: flexdp watch run --policy rides.yaml"})
  static final class Run implements Callable<Integer> {
    private static final int FAILED = 5;

    @Spec CommandSpec spec;

    @Mixin WatchOptions options;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "One of them (default: all).")
    String name;

    @Override
    public Integer call() {
      Optional<String> one = Optional.ofNullable(name);
      JsonNode watches;
      if (options.server.isGiven()) {
        ObjectNode request = options.request();
        one.ifPresent(n -> request.put("name", n));
        watches = RemoteServer.read(options.server.open().send("/v1/watches/run", request).body());
      } else {
        watches = options.local(all -> all.run(options.analyst, one));
      }
      options.print(watches, spec.commandLine().getOut());
      return hasFailed(watches) ? FAILED : 0;
    }

    private static boolean hasFailed(JsonNode watches) {
      for (JsonNode watch : watches.path("watches")) {
        JsonNode turns = watch.path("turns");
        if (!turns.isEmpty()
            && turns.get(turns.size() - 1).path("verdict").asText().equals("failed")) {
          return true;
        }
      }
      return false;
    }
  }

  /** Shows watches. */
  @Command(
      name = "list",
      description = "The watches and what they found; closed ones too.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example: flexdp watch list --policy rides.yaml --format json"})
  static final class Listed implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Mixin WatchOptions options;

    @Override
    public Integer call() {
      options.print(
          options.server.isGiven()
              ? RemoteServer.read(options.server.open().get("/v1/watches" + options.query()).body())
              : options.local(all -> all.list(options.analyst)),
          spec.commandLine().getOut());
      return 0;
    }
  }

  /** Closes a watch. */
  @Command(
      name = "remove",
      description = "Close a watch. What it cost stays spent.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example: flexdp watch remove cancellations --policy rides.yaml"})
  static final class Remove implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Mixin WatchOptions options;

    @Parameters(paramLabel = "NAME", description = "Which one.")
    String name;

    @Override
    public Integer call() {
      options.print(
          options.server.isGiven()
              ? RemoteServer.read(
                  options
                      .server
                      .open()
                      .delete("/v1/watches/" + RemoteServer.encoded(name) + options.query())
                      .body())
              : options.local(all -> List.of(all.remove(options.analyst, name))),
          spec.commandLine().getOut());
      return 0;
    }
  }

  /** Whose watches they are, and where. */
  static final class WatchOptions extends PlaceOptions {
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
}
