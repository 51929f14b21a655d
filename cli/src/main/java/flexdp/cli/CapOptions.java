package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.collect.CapAdvice;
import flexdp.gateway.collect.Wanted;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Caps that could be enforced, found by private questions. */
final class CapOptions {
  @Option(
      names = "--advise-caps",
      description =
          "Also propose caps that could be enforced: the size that 99.5 %% of the groups of each"
              + " measured key do not exceed. Private, and charged to the budget of the tables.")
  boolean advise;

  @Option(
      names = "--advise-epsilon",
      paramLabel = "E",
      description =
          "What each proposed cap, or all proposed ranges of a table, cost the table (default: the"
              + " policy's epsilon).")
  BigDecimal epsilon;

  /**
   * @param ranges whether ranges are advised too
   */
  void check(boolean ranges) {
    if (!advise && !ranges && epsilon != null) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "nothing is advised without --advise-caps or --advise-ranges",
          "Add one of them.");
    }
  }

  /** What advice costs. */
  BigDecimal epsilon(Policy policy) {
    return Optional.ofNullable(epsilon)
        .or(policy.privacy()::epsilon)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "no epsilon is given, neither here nor in the policy",
                    "Give one: --advise-epsilon 0.2"));
  }

  void run(Setup setup, Policy policy, Wanted wanted, PrintWriter out, PrintWriter err) {
    if (!advise) {
      return;
    }
    List<CapAdvice> all = CapAdvice.of(policy, wanted);
    if (all.isEmpty()) {
      err.println(
          "collect: no key could be capped; name some with --columns. A cap takes a protected table"
              + " with a unique key without NULL, and without owners.");
      return;
    }
    try (FlexDp flexdp = setup.open()) {
      for (CapAdvice advice : all) {
        AnalystView view = flexdp.askAsOwner(ask(advice));
        out.println("advice: " + advice.line(view.rows().getFirst().getFirst()));
        err.println(
            "collect: that cost "
                + advice.table()
                + " epsilon "
                + view.epsilon().stripTrailingZeros().toPlainString()
                + (view.repeat() ? " before, and nothing now" : ""));
      }
      out.flush();
      BigDecimal each = epsilon == null ? policy.privacy().epsilon().orElse(null) : epsilon;
      if (each != null) {
        err.println(
            "collect: a key needs about "
                + CapAdvice.groupsNeeded(each)
                + " different values at this epsilon; with fewer, what is proposed is chance");
      }
    }
  }

  private Ask ask(CapAdvice advice) {
    AskOptions options =
        new AskOptions(
            MechanismChoice.AUTO, Optional.ofNullable(epsilon), Optional.empty(), Optional.empty());
    return new Ask(advice.sql(), options, LedgerOptions.owner(), Set.of(), false);
  }

  /** Where the metrics, the ledger and the database are. */
  static Setup setup(Path policy, String database, Path metrics, Optional<String> ledger) {
    Setup setup = Setup.of(policy).metrics(metrics).analyst(LedgerOptions.owner());
    Setup there = ledger.map(setup::ledger).orElse(setup);
    return database == null ? there : there.database(database);
  }
}
