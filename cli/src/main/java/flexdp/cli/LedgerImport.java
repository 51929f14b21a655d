package flexdp.cli;

import flexdp.gateway.ledger.LedgerCopies;
import flexdp.gateway.ledger.LedgerPlace;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The entries of a ledger elsewhere go on here. */
@Command(
    name = "import",
    description = "Brings a ledger from elsewhere to the place that the policy, or --ledger, has.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "As after the policy was renamed. The old place keeps its entries and takes no more.",
      "Example: flexdp ledger import --policy taxis.yaml --from rides.ledger"
    })
final class LedgerImport implements Runnable {
  @Mixin LedgerOptions options;

  @Option(names = "--from", paramLabel = "FILE|URL", required = true, description = "where it is")
  String from;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    LedgerPlace source = LedgerPlace.of(options.policyFile, Optional.of(from));
    PrintWriter out = spec.commandLine().getOut();
    LedgerBackup.print(out, LedgerCopies.move(source, options.place()));
    out.println("The ledger goes on here.");
    out.flush();
  }
}
