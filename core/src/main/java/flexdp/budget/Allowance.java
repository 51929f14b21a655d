package flexdp.budget;

import flexdp.budget.Cost.Exact;
import flexdp.policy.Policy;
import flexdp.policy.Policy.BudgetWindow;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * How much may be spent from one account.
 *
 * @param window when given, only what was spent within it counts. Then the allowance bounds what
 *     any such stretch of time reveals; what all of time reveals is not bounded
 */
public record Allowance(
    BigDecimal epsilon,
    BigDecimal delta,
    Policy.Composition composition,
    Optional<BudgetWindow> window) {
  /** Of an account to which the policy gives nothing. */
  public static final Allowance NOTHING =
      new Allowance(BigDecimal.ZERO, BigDecimal.ZERO, Policy.Composition.BASIC, Optional.empty());

  public Allowance {
    epsilon = Exact.notNegative("the budget's epsilon", epsilon);
    delta = Exact.probability("the budget's delta", delta);
  }

  public static Allowance of(Policy.Budget budget) {
    return new Allowance(budget.epsilon(), budget.delta(), budget.composition(), budget.window());
  }

  public static Allowance basic(String epsilon, String delta) {
    return new Allowance(
        new BigDecimal(epsilon), new BigDecimal(delta), Policy.Composition.BASIC, Optional.empty());
  }

  /** The allowance after the owner granted more. */
  public Allowance plus(BigDecimal moreEpsilon, BigDecimal moreDelta) {
    return moreEpsilon.signum() == 0 && moreDelta.signum() == 0
        ? this
        : new Allowance(epsilon.add(moreEpsilon), delta.add(moreDelta), composition, window);
  }

  public PrivacyFilter filter() {
    return PrivacyFilter.of(this);
  }
}
