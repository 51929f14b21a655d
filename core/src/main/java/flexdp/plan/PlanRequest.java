package flexdp.plan;

import flexdp.sensitivity.Rules;
import java.math.BigDecimal;

/**
 * What a plan has to meet.
 *
 * @param epsilon of the whole question
 * @param delta of the whole question, for mechanisms that need one
 */
public record PlanRequest(
    Rules rules, MechanismChoice mechanism, BigDecimal epsilon, BigDecimal delta) {}
