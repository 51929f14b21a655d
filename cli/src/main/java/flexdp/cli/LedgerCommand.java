package flexdp.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The record of the budget as something that is kept. */
@Command(
    name = "ledger",
    description = "Copies of the ledger, their return, and other places for it. For the owner.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: flexdp ledger backup --policy rides.yaml --to rides-monday.ledger"},
    subcommands = {LedgerBackup.class, LedgerRestore.class, LedgerMove.class, LedgerImport.class})
final class LedgerCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which one: backup, restore, move or import?");
  }
}
