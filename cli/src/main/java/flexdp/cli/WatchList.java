package flexdp.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows watches. */
@Command(
    name = "list",
    description = "The watches and what they found; closed ones too.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp watch list --policy rides.yaml --format json"})
final class WatchList implements Callable<Integer> {
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
