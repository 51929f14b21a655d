package flexdp.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is left, and the owner's acts on it. */
@Command(
    name = "budget",
    description = "What is left of the privacy budget, and the record of what was spent.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: flexdp budget show --policy rides.yaml"},
    subcommands = {
      BudgetShow.class,
      BudgetGrant.class,
      BudgetAdopt.class,
      BudgetClearFailures.class,
      BudgetAudit.class,
      BudgetExport.class,
      BudgetRepair.class
    })
final class BudgetCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Which one: show, grant, adopt, clear-failures, audit, export or repair?");
  }
}
