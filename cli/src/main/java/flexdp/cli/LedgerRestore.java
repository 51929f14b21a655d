package flexdp.cli;

import flexdp.gateway.ledger.Cover;
import flexdp.gateway.ledger.LedgerCopies;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A copy takes the place of a ledger. */
@Command(
    name = "restore",
    description = "Puts a copy in the place of the ledger, which is kept aside.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Stop the servers first. A copy that is older than what is known of the ledger is refused,",
      "with how much is missing; --charge lets a charge stand for it, paid by every protected",
      "table and kind of people, whether there is budget for it or not.",
      "Example: flexdp ledger restore --policy rides.yaml --from /backup/rides-monday.ledger"
    })
final class LedgerRestore implements Runnable {
  @Mixin LedgerOptions options;

  @Option(names = "--from", paramLabel = "FILE", required = true, description = "the copy")
  Path from;

  @Option(
      names = "--charge",
      paramLabel = "EPSILON",
      description = "what was spent at most since the copy was made")
  Optional<BigDecimal> epsilon = Optional.empty();

  @Option(
      names = "--charge-delta",
      paramLabel = "DELTA",
      description = "the delta that was spent since then (default: 0)")
  BigDecimal delta = BigDecimal.ZERO;

  @Option(names = "--note", paramLabel = "TEXT", description = "why, for the record")
  String note = "";

  @Spec CommandSpec spec;

  @Override
  public void run() {
    Optional<Cover> cover =
        epsilon.map(e -> new Cover(options.policy(), e, delta, LedgerOptions.owner()));
    LedgerCopies.Restored restored =
        LedgerCopies.restore(
            options.place(), from, options.known(), cover, LedgerOptions.owner(), note);
    PrintWriter out = spec.commandLine().getOut();
    LedgerBackup.print(out, restored.copied());
    restored
        .missing()
        .ifPresent(
            missing ->
                out.println(
                    "missing    " + missing + "; charged epsilon " + epsilon.orElseThrow()));
    out.println("The ledger goes on from there.");
    out.flush();
  }
}
