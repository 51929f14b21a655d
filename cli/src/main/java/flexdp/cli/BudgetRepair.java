package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.gateway.ledger.Cover;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.ledger.Repair;
import flexdp.policy.Policy;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The owner takes responsibility for a ledger that is refused; the ledger records that too. */
@Command(
    name = "repair",
    description = "Lets answers go on after a ledger was lost or damaged. For the owner.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "First try to put the ledger back from a backup. What was charged in lost entries can be",
      "spent again afterwards, so accepting a loss weakens the guarantee by as much.",
      "Example: flexdp budget repair --accept-loss --policy rides.yaml --note 'disk failure'"
    })
final class BudgetRepair implements Runnable {
  /** What is accepted. */
  static final class What {
    @Option(
        names = "--accept-loss",
        description = "go on with the entries that are intact; a damaged file is kept aside")
    boolean loss;

    @Option(
        names = "--accept-clock",
        description = "go on although the clock stands before the last entry")
    boolean clock;

    @Option(
        names = "--accept-policy",
        description = "go on with the composition that the policy chooses now")
    boolean policy;
  }

  @ArgGroup(multiplicity = "1")
  What what;

  @Option(
      names = "--charge",
      paramLabel = "EPSILON",
      description =
          "with --accept-loss: a charge that stands for what was lost, paid by every protected"
              + " table and kind of people")
  Optional<BigDecimal> charge = Optional.empty();

  @Option(names = "--note", paramLabel = "TEXT", description = "why, for the record")
  String note = "";

  @Mixin LedgerOptions options;
  @Spec CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    Policy policy = options.policy();
    LedgerPlace place = options.place();
    if (what.loss) {
      Optional<Cover> cover =
          charge.map(e -> new Cover(policy, e, BigDecimal.ZERO, LedgerOptions.owner()));
      Repair.Saved saved =
          place
              .repair()
              .acceptLoss(
                  LedgerOptions.owner(),
                  note,
                  options.known(),
                  ledger -> cover.ifPresent(c -> c.charge(ledger)));
      out.println("The ledger goes on with " + saved.saved() + " entries that are intact.");
      out.println(
          saved.lost().map(lost -> "Of what is known " + lost + ".").orElse("")
              + (saved.lost().isPresent() && cover.isEmpty()
                  ? " What they spent can be spent again; --charge EPSILON would have covered it."
                  : ""));
    } else if (what.policy) {
      place.repair().acceptPolicy(Allowances.of(policy), LedgerOptions.owner());
      out.println("The ledger goes on under the policy as it is now.");
    } else {
      place.repair().acceptClock(LedgerOptions.owner(), note);
      out.println("The ledger goes on from the clock's time.");
    }
    out.flush();
  }
}
