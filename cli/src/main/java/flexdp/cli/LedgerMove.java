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

/** The entries go on elsewhere. */
@Command(
    name = "move",
    description = "Moves the ledger to another file, or to or from PostgreSQL.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The old place keeps its entries and takes no more. If it is interrupted, do it again.",
      "Example: flexdp ledger move --policy rides.yaml --to jdbc:postgresql://HOST/DATABASE"
    })
final class LedgerMove implements Runnable {
  @Mixin LedgerOptions options;

  @Option(names = "--to", paramLabel = "FILE|URL", required = true, description = "where to")
  String to;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    LedgerPlace target = LedgerPlace.of(options.policyFile, Optional.of(to));
    PrintWriter out = spec.commandLine().getOut();
    LedgerBackup.print(out, LedgerCopies.move(options.place(), target));
    out.println("From now on give every command and server: --ledger " + to);
    out.flush();
  }
}
