package flexdp.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The owner's declarations: proposed, shown, checked, and closed. */
@Command(
    name = "policy",
    description = "Propose, check or show a policy, or close a table of it (owner).",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PolicyInitCommand.class,
      PolicyCheckCommand.class,
      PolicyShowCommand.class,
      PolicyCloseCommand.class
    },
    footerHeading = "%nExample:%n",
    footer = "  flexdp policy init --database jdbc:duckdb:rides.duckdb > rides.yaml")
final class PolicyCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Which of init, check, show and close? Try: flexdp policy --help");
  }
}
