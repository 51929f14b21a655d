package flexdp.budget;

import flexdp.policy.Neighbors;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What an answer that was made under one kind of neighbours costs under another.
 *
 * <p>From add-remove-one to replace-one: a replaced row is one removed and one added, two steps. So
 * (ε, δ) becomes (2ε, (1 + e^ε)·δ), Σε² four times as much, and ρ too (Bun, Steinke 2016). An
 * answer that is concentrated only outside of an event has no such rule; it counts as (ε, δ) and
 * nothing better.
 *
 * <p>From replace-one to add-remove-one: in general an answer that is private for replaced rows may
 * show how many rows there are. Ours do not: every bound under replace-one is at least the one
 * under add-remove-one, of the same frequencies, so what they are charged under replace-one they
 * cost at most under add-remove-one (docs/adr/0012).
 */
public final class Recount {
  private static final BigDecimal FOUR = BigDecimal.valueOf(4);

  /** From here on (1 + e^ε)·δ is above 1 for every δ that a budget can hold. */
  private static final BigDecimal LARGEST = BigDecimal.valueOf(900);

  private Recount() {}

  /**
   * @param made under which neighbours; unknown is taken for add-remove-one, which costs at least
   *     as much under both
   */
  public static Spent of(Cost cost, Optional<Neighbors> made, Neighbors now) {
    boolean same = made.orElse(Neighbors.ADD_REMOVE_ONE) == now;
    return same || now == Neighbors.ADD_REMOVE_ONE ? Spent.NOTHING.plus(cost) : twoSteps(cost);
  }

  private static Spent twoSteps(Cost cost) {
    BigDecimal epsilon = cost.epsilon().add(cost.epsilon());
    BigDecimal delta = twice(cost.delta(), cost.epsilon());
    BigDecimal squares = cost.squares().multiply(FOUR);
    return switch (cost) {
      case Cost.Pure pure ->
          new Spent(epsilon, delta, squares, squares.divide(BigDecimal.TWO), delta, 0, 1);
      case Cost.Gaussian gaussian ->
          gaussian.failure().signum() == 0
              ? new Spent(
                  epsilon, delta, squares, gaussian.rho().multiply(FOUR), BigDecimal.ZERO, 0, 1)
              : approximate(epsilon, delta, squares);
      case Cost.Approximate ignored -> approximate(epsilon, delta, squares);
    };
  }

  private static Spent approximate(BigDecimal epsilon, BigDecimal delta, BigDecimal squares) {
    return new Spent(epsilon, delta, squares, BigDecimal.ZERO, delta, 1, 1);
  }

  /** (1 + e^ε)·δ, at most 1, which bounds every probability. */
  private static BigDecimal twice(BigDecimal delta, BigDecimal epsilon) {
    if (delta.signum() == 0) {
      return BigDecimal.ZERO;
    }
    if (epsilon.compareTo(LARGEST) > 0) {
      return BigDecimal.ONE;
    }
    return ExponentialBound.up(epsilon).add(BigDecimal.ONE).multiply(delta).min(BigDecimal.ONE);
  }
}
