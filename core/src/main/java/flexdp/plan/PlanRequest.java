package flexdp.plan;

import flexdp.sensitivity.Rules;
import java.math.BigDecimal;

/**
 * What a plan has to meet.
 *
 * @param epsilon of the whole question
 * @param delta of the whole question, for mechanisms that need one
 * @param squares whether what is spent adds up by squares of ε: then measurements share ε²
 */
public record PlanRequest(
    Rules rules, MechanismChoice mechanism, BigDecimal epsilon, BigDecimal delta, boolean squares) {
  /** Where ε adds up. */
  public PlanRequest(Rules rules, MechanismChoice mechanism, BigDecimal epsilon, BigDecimal delta) {
    this(rules, mechanism, epsilon, delta, false);
  }
}
