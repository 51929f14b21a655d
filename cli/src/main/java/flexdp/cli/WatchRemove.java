package flexdp.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Closes a watch. */
@Command(
    name = "remove",
    description = "Close a watch. What it cost stays spent.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: flexdp watch remove cancellations --policy rides.yaml"})
final class WatchRemove implements Callable<Integer> {
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
