package flexdp.plan;

import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a plan has to meet.
 *
 * @param epsilon of the whole question
 * @param delta of the whole question, for mechanisms that need one
 * @param squares whether what is spent adds up by squares of ε: then measurements share ε²
 * @param concentrated whether all accounts that pay add up ρ
 * @param proposal on which noise may rest, once it is tested
 */
public record PlanRequest(
    RuleSet rules,
    MechanismChoice mechanism,
    BigDecimal epsilon,
    BigDecimal delta,
    boolean squares,
    boolean concentrated,
    Optional<ProposedMetrics> proposal) {
  /** A request where nothing is proposed. */
  public PlanRequest(
      RuleSet rules,
      MechanismChoice mechanism,
      BigDecimal epsilon,
      BigDecimal delta,
      boolean squares) {
    this(rules, mechanism, epsilon, delta, squares, false, Optional.empty());
  }

  /** A request where ε adds up. */
  public PlanRequest(
      RuleSet rules, MechanismChoice mechanism, BigDecimal epsilon, BigDecimal delta) {
    this(rules, mechanism, epsilon, delta, false);
  }
}
