package flexdp.budget;

import flexdp.policy.Neighbors;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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
public final class NeighborConversion {
  private static final BigDecimal FOUR = BigDecimal.valueOf(4);

  /** From here on (1 + e^ε)·δ is above 1 for every δ that a budget can hold. */
  private static final BigDecimal LARGEST = BigDecimal.valueOf(900);

  private NeighborConversion() {}

  /**
   * @param made under which neighbours; unknown is taken for add-remove-one, which costs at least
   *     as much under both
   */
  public static TotalCost of(Cost cost, Optional<Neighbors> made, Neighbors now) {
    boolean same = made.orElse(Neighbors.ADD_REMOVE_ONE) == now;
    return same || now == Neighbors.ADD_REMOVE_ONE ? TotalCost.NOTHING.plus(cost) : twoSteps(cost);
  }

  private static TotalCost twoSteps(Cost cost) {
    BigDecimal epsilon = cost.epsilon().add(cost.epsilon());
    BigDecimal delta = twice(cost.delta(), cost.epsilon());
    BigDecimal squares = cost.squares().multiply(FOUR);
    return switch (cost) {
      case Cost.Pure pure ->
          new TotalCost(epsilon, delta, squares, squares.divide(BigDecimal.TWO), delta, 0, 1);
      case Cost.Gaussian gaussian ->
          gaussian.failure().signum() == 0
              ? new TotalCost(
                  epsilon, delta, squares, gaussian.rho().multiply(FOUR), BigDecimal.ZERO, 0, 1)
              : approximate(epsilon, delta, squares);
      case Cost.Approximate ignored -> approximate(epsilon, delta, squares);
    };
  }

  private static TotalCost approximate(BigDecimal epsilon, BigDecimal delta, BigDecimal squares) {
    return new TotalCost(epsilon, delta, squares, BigDecimal.ZERO, delta, 1, 1);
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

  /** Upper bounds of e^x in decimals: every operation rounds up, and the rest of the series too. */
  static final class ExponentialBound {
    private static final MathContext UP = new MathContext(50, RoundingMode.CEILING);
    private static final int TERMS = 40;

    private ExponentialBound() {}

    /**
     * An upper bound of e^x for 0 ≤ x ≤ 1000, by e^x = (e^(x/2^k))^(2^k) with x/2^k ≤ 1. The rest
     * of the series after n terms is at most twice its first term, since the terms halve at least.
     */
    static BigDecimal up(BigDecimal x) {
      if (x.signum() < 0 || x.compareTo(BigDecimal.valueOf(1000)) > 0) {
        throw new IllegalArgumentException("not between 0 and 1000: " + x.toEngineeringString());
      }
      int halvings = 0;
      BigDecimal y = x;
      while (y.compareTo(BigDecimal.ONE) > 0) {
        y = y.divide(BigDecimal.TWO, UP);
        halvings++;
      }
      BigDecimal term = BigDecimal.ONE;
      BigDecimal sum = BigDecimal.ONE;
      for (int n = 1; n <= TERMS; n++) {
        term = term.multiply(y, UP).divide(BigDecimal.valueOf(n), UP);
        sum = sum.add(term, UP);
      }
      sum = sum.add(term.add(term), UP);
      for (int i = 0; i < halvings; i++) {
        sum = sum.multiply(sum, UP);
      }
      return sum;
    }
  }
}
