package flexdp.cli;

import flexdp.gateway.ledger.LedgerCopies;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A copy while servers go on using the ledger. */
@Command(
    name = "backup",
    description = "Writes a consistent copy of the ledger while it is in use.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Beside the copy stand its anchor and its checksum; keep the three together.",
      "Example: flexdp ledger backup --policy rides.yaml --to /backup/rides-monday.ledger"
    })
final class LedgerBackup implements Runnable {
  @Mixin LedgerOptions options;

  @Option(names = "--to", paramLabel = "FILE", required = true, description = "the copy")
  Path to;

  @Spec CommandSpec spec;

  @Override
  public void run() {
    LedgerCopies.Copied copied = LedgerCopies.backup(options.place(), to);
    PrintWriter out = spec.commandLine().getOut();
    print(out, copied);
    out.println("copy       " + to);
    out.println("checksum   " + LedgerCopies.checksum(to));
    out.flush();
  }

  static void print(PrintWriter out, LedgerCopies.Copied copied) {
    out.println("ledger     " + copied.ledger());
    out.println("entries    " + copied.entries() + ", of which " + copied.charges() + " charges");
    out.println("to         " + copied.last());
    out.println("last hash  " + copied.hash());
  }
}
