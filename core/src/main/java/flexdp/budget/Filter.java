package flexdp.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Decides whether answers chosen on the way may go on: a privacy filter. As long as it admits what
 * was spent, all answers together are (ε, δ)-DP for the allowance's ε and δ, however each next
 * question and its ε depended on earlier answers. Decisions are made in exact decimals; where a
 * logarithm is needed, it is rounded to the side that admits less. Formulas: docs/budget.md.
 */
public sealed interface Filter permits BasicFilter, AdaptiveFilter, ZcdpFilter {
  /** Whether this much may be spent in all. */
  boolean admits(Spent spent);

  /** Whether an answer of this kind can be counted at all. */
  boolean takes(Cost cost);

  /** An upper bound on the ε that was spent so far, in the sense of the whole guarantee. */
  BigDecimal epsilon(Spent spent);

  /** An upper bound on the δ that was spent so far, in the sense of the whole guarantee. */
  BigDecimal delta(Spent spent);

  static Filter of(Allowance allowance) {
    return switch (allowance.composition()) {
      case BASIC -> new BasicFilter(allowance.epsilon(), allowance.delta());
      case ADAPTIVE -> AdaptiveFilter.of(allowance.epsilon(), allowance.delta());
      case ZCDP -> ZcdpFilter.of(allowance.epsilon(), allowance.delta());
    };
  }

  /** How many more answers of one cost are admitted, up to a limit. */
  default long answersLeft(Spent spent, Cost cost, long limit) {
    long low = 0;
    long high = 1;
    while (high <= limit && admits(spent.plus(cost, high))) {
      low = high;
      high *= 2;
    }
    high = Math.min(high, limit + 1);
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (admits(spent.plus(cost, middle))) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The largest ε, to nine digits after the point, that one more pure answer may have. */
  default BigDecimal epsilonLeft(Spent spent) {
    BigDecimal step = new BigDecimal("1e-9");
    BigDecimal low = BigDecimal.ZERO;
    BigDecimal high = step;
    while (admits(spent.plus(Cost.pure(high)))) {
      low = high;
      high = high.add(high);
    }
    while (high.subtract(low).compareTo(step) > 0) {
      BigDecimal middle = low.add(high).divide(BigDecimal.valueOf(2), 9, RoundingMode.CEILING);
      if (admits(spent.plus(Cost.pure(middle)))) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low.signum() == 0 ? BigDecimal.ZERO : low.stripTrailingZeros();
  }
}
