package flexdp.cli;

import flexdp.gateway.ledger.CoveringCharge;
import flexdp.gateway.ledger.LedgerCopies;
import flexdp.gateway.ledger.LedgerPlace;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The record of the budget as something that is kept. */
@Command(
    name = "ledger",
    description = "Copies of the ledger, their return, and other places for it. For the owner.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Example: flexdp ledger backup --policy rides.yaml --to rides-monday.ledger"},
    subcommands = {
      LedgerCommand.Backup.class,
      LedgerCommand.Restore.class,
      LedgerCommand.Move.class,
      LedgerCommand.Import.class
    })
final class LedgerCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which one: backup, restore, move or import?");
  }

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
  static final class Backup implements Runnable {
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
  static final class Restore implements Runnable {
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
      Optional<CoveringCharge> cover =
          epsilon.map(e -> new CoveringCharge(options.policy(), e, delta, LedgerOptions.owner()));
      LedgerCopies.Restored restored =
          LedgerCopies.restore(
              options.place(), from, options.known(), cover, LedgerOptions.owner(), note);
      PrintWriter out = spec.commandLine().getOut();
      LedgerCommand.Backup.print(out, restored.copied());
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
  static final class Move implements Runnable {
    @Mixin LedgerOptions options;

    @Option(names = "--to", paramLabel = "FILE|URL", required = true, description = "where to")
    String to;

    @Spec CommandSpec spec;

    @Override
    public void run() {
      LedgerPlace target = LedgerPlace.of(options.policyFile, Optional.of(to));
      PrintWriter out = spec.commandLine().getOut();
      LedgerCommand.Backup.print(out, LedgerCopies.move(options.place(), target));
      out.println("From now on give every command and server: --ledger " + to);
      out.flush();
    }
  }

  /** The entries of a ledger elsewhere go on here. */
  @Command(
      name = "import",
      description =
          "Brings a ledger from elsewhere to the place that the policy, or --ledger, has.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "As after the policy was renamed. The old place keeps its entries and takes no more.",
        "Example: flexdp ledger import --policy taxis.yaml --from rides.ledger"
      })
  static final class Import implements Runnable {
    @Mixin LedgerOptions options;

    @Option(names = "--from", paramLabel = "FILE|URL", required = true, description = "where it is")
    String from;

    @Spec CommandSpec spec;

    @Override
    public void run() {
      LedgerPlace source = LedgerPlace.of(options.policyFile, Optional.of(from));
      PrintWriter out = spec.commandLine().getOut();
      LedgerCommand.Backup.print(out, LedgerCopies.move(source, options.place()));
      out.println("The ledger goes on here.");
      out.flush();
    }
  }
}
