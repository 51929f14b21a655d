package flexdp.gateway.ask;

import flexdp.AnalysisOptions;
import flexdp.plan.MechanismChoice;
import flexdp.question.Bins;
import flexdp.sensitivity.Rules;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What whoever asks may choose. The rules are not among it: answers are always bounded by ours, and
 * the paper's, which are not private, are for the owner's analysis alone.
 *
 * @param epsilon of the whole question; otherwise the policy's
 * @param delta of the whole question; otherwise the policy's
 * @param bins labels that the analyst supplies
 */
public record AskOptions(
    MechanismChoice mechanism,
    Optional<BigDecimal> epsilon,
    Optional<BigDecimal> delta,
    Optional<Bins> bins) {
  public static final AskOptions DEFAULT =
      new AskOptions(MechanismChoice.AUTO, Optional.empty(), Optional.empty(), Optional.empty());

  /** The rules by which every answer is bounded. */
  public static final Rules RULES = Rules.FLEXDP;

  /** The same choices at this ε. */
  public AskOptions at(BigDecimal some) {
    return new AskOptions(mechanism, Optional.of(some), delta, bins);
  }

  /** The analysis of a question that is asked so. */
  public AnalysisOptions analysis() {
    return new AnalysisOptions(
        RULES, mechanism, epsilon, delta, AnalysisOptions.DEFAULT.distances(), bins);
  }
}
