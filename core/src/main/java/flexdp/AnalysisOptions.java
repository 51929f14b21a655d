package flexdp;

import flexdp.plan.MechanismChoice;
import flexdp.plan.ProposedMetrics;
import flexdp.query.Bins;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What an analysis may be told beside the question.
 *
 * @param epsilon of the whole question; otherwise the policy's
 * @param delta of the whole question; otherwise the policy's
 * @param distances at which the elastic sensitivity is shown
 * @param squares whether what is spent adds up by squares of ε
 * @param concentrated whether all accounts that pay add up ρ
 * @param proposal on which noise may rest, once it is tested
 */
public record AnalysisOptions(
    RuleSet rules,
    MechanismChoice mechanism,
    Optional<BigDecimal> epsilon,
    Optional<BigDecimal> delta,
    List<Long> distances,
    Optional<Bins> bins,
    boolean squares,
    boolean concentrated,
    Optional<ProposedMetrics> proposal) {
  public static final AnalysisOptions DEFAULT =
      new AnalysisOptions(
          RuleSet.FLEXDP,
          MechanismChoice.AUTO,
          Optional.empty(),
          Optional.empty(),
          List.of(0L),
          Optional.empty());

  /** Options for accounts where ε adds up. */
  public AnalysisOptions(
      RuleSet rules,
      MechanismChoice mechanism,
      Optional<BigDecimal> epsilon,
      Optional<BigDecimal> delta,
      List<Long> distances,
      Optional<Bins> bins) {
    this(rules, mechanism, epsilon, delta, distances, bins, false, false, Optional.empty());
  }

  /** These options for accounts where squares of ε add up, or not. */
  public AnalysisOptions bySquares(boolean are) {
    return new AnalysisOptions(
        rules, mechanism, epsilon, delta, distances, bins, are, concentrated && are, proposal);
  }

  /** These options for accounts that all add up ρ, or not. */
  public AnalysisOptions concentrated(boolean are) {
    return new AnalysisOptions(
        rules, mechanism, epsilon, delta, distances, bins, squares || are, are, proposal);
  }

  /** These options with noise that may rest on a proposal. */
  public AnalysisOptions proposing(Optional<ProposedMetrics> some) {
    return new AnalysisOptions(
        rules, mechanism, epsilon, delta, distances, bins, squares, concentrated, some);
  }

  public AnalysisOptions {
    distances = List.copyOf(distances);
  }
}
