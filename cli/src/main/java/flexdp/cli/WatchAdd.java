package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.ask.Above;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.ask.Every;
import flexdp.gateway.ask.WatchView.WatchOrder;
import flexdp.plan.MechanismChoice;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
final class WatchAdd implements Callable<Integer> {
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
        new WatchOrder(name, QuestionOptions.text(sql), new Above(above, hits), Every.parse(every));
    options.print(
        options.server.isGiven() ? remote(order) : local(order), spec.commandLine().getOut());
    return 0;
  }

  private JsonNode local(WatchOrder order) {
    AskOptions how =
        new AskOptions(
            MechanismChoice.AUTO, Optional.ofNullable(epsilon), Optional.empty(), Optional.empty());
    Ask ask = new Ask(order.sql(), how, options.analyst, Set.of(), true);
    return options.local(watches -> List.of(watches.add(order, ask)));
  }

  private JsonNode remote(WatchOrder order) {
    ObjectNode request = options.request();
    request.put("name", order.name()).put("sql", order.sql());
    request.put("above", above).put("hits", hits).put("every", order.every().word());
    Optional.ofNullable(epsilon).ifPresent(e -> request.put("epsilon", e));
    return RemoteServer.read(options.server.open().send("/v1/watches", request).body());
  }
}
