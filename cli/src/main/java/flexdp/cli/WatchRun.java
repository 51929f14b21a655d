package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets watches look. */
@Command(
    name = "run",
    description = {
      "Checks the watches whose turn it is: once in each period, however often this is run.",
      "What was found before in the same period is shown again."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp watch run --policy rides.yaml"})
final class WatchRun implements Callable<Integer> {
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
