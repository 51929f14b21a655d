package flexdp.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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
    subcommands = {WatchAdd.class, WatchRun.class, WatchList.class, WatchRemove.class})
final class WatchCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which one: add, run, list or remove?");
  }
}
