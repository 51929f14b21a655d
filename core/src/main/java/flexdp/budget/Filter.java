package flexdp.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Decides whether answers chosen on the way may go on: a privacy filter. As long as it admits what
 * was spent, all answers together are (ε, δ)-DP for the allowance's ε and δ, however each next
 * question and its ε depended on earlier answers. Decisions are made in exact decimals; where a
 * logarithm is needed, it is rounded to the side that admits less. Formulas: docs/budget.md.
 */
public sealed interface Filter {
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

  /**
   * Basic composition: Σε ≤ ε_max and Σδ ≤ δ_max. Sound for adaptively chosen ε (Rogers, Roth,
   * Ullman, Vadhan 2016).
   */
  record BasicFilter(BigDecimal epsilonMax, BigDecimal deltaMax) implements Filter {
    @Override
    public boolean admits(Spent spent) {
      return spent.epsilon().compareTo(epsilonMax) <= 0 && spent.delta().compareTo(deltaMax) <= 0;
    }

    @Override
    public boolean takes(Cost cost) {
      return true;
    }

    @Override
    public BigDecimal epsilon(Spent spent) {
      return spent.epsilon();
    }

    @Override
    public BigDecimal delta(Spent spent) {
      return spent.delta();
    }

    @Override
    public BigDecimal epsilonLeft(Spent spent) {
      BigDecimal left = epsilonMax.subtract(spent.epsilon());
      return left.signum() <= 0 ? BigDecimal.ZERO : left.stripTrailingZeros();
    }
  }

  /**
   * Strong composition for ε chosen on the way: √(2 ln(1/δ″)·Σε²) + ½Σε² ≤ ε_max and Σδ ≤ δ_max −
   * δ″ (Whitehouse, Ramdas, Rogers, Wu 2023). δ″ is half of δ_max; the other half is left to the
   * answers' own δ.
   *
   * <p>The decision squares the inequality: with s = Σε² it is ½s ≤ ε_max and 2·L·s ≤ (ε_max −
   * ½s)², where L is an upper bound of ln(1/δ″). A larger L admits less, so rounding it up is safe.
   */
  record AdaptiveFilter(
      BigDecimal epsilonMax, BigDecimal deltaRest, BigDecimal slack, BigDecimal log)
      implements Filter {
    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final BigDecimal HALF = new BigDecimal("0.5");

    static AdaptiveFilter of(BigDecimal epsilonMax, BigDecimal deltaMax) {
      BigDecimal slack = deltaMax.multiply(HALF);
      return new AdaptiveFilter(
          epsilonMax, deltaMax.subtract(slack), slack, Logarithm.ofInverse(slack));
    }

    @Override
    public boolean admits(Spent spent) {
      if (spent.answers() == 0) {
        return true;
      }
      BigDecimal rest = epsilonMax.subtract(HALF.multiply(spent.squares()));
      return slack.signum() > 0
          && spent.delta().compareTo(deltaRest) <= 0
          && rest.signum() >= 0
          && TWO.multiply(log).multiply(spent.squares()).compareTo(rest.multiply(rest)) <= 0;
    }

    @Override
    public boolean takes(Cost cost) {
      return true;
    }

    @Override
    public BigDecimal epsilon(Spent spent) {
      BigDecimal root = Logarithm.sqrtUp(TWO.multiply(log).multiply(spent.squares()));
      return root.add(HALF.multiply(spent.squares())).setScale(12, RoundingMode.CEILING);
    }

    @Override
    public BigDecimal delta(Spent spent) {
      return spent.answers() == 0 ? BigDecimal.ZERO : slack.add(spent.delta());
    }
  }

  /**
   * Zero-concentrated composition: with ρ = Σρ_i, ρ + 2√(ρ ln(1/δ″)) ≤ ε_max (Bun, Steinke 2016;
   * sums of adaptively chosen ρ_i: Feldman, Zrnic 2021, and Whitehouse et al. 2023). A pure answer
   * counts ½ε², a Gaussian one its own ρ. δ″ is half of δ_max; the other half pays for events
   * outside of which answers are concentrated. Answers of kind approximate are not taken.
   *
   * <p>The decision squares the inequality: ρ ≤ ε_max and 4·L·ρ ≤ (ε_max − ρ)², where L is an upper
   * bound of ln(1/δ″). A larger L admits less, so rounding it up is safe.
   */
  record ZcdpFilter(BigDecimal epsilonMax, BigDecimal deltaRest, BigDecimal slack, BigDecimal log)
      implements Filter {
    private static final BigDecimal HALF = new BigDecimal("0.5");
    private static final BigDecimal FOUR = BigDecimal.valueOf(4);

    static ZcdpFilter of(BigDecimal epsilonMax, BigDecimal deltaMax) {
      BigDecimal slack = deltaMax.multiply(HALF);
      return new ZcdpFilter(
          epsilonMax, deltaMax.subtract(slack), slack, Logarithm.ofInverse(slack));
    }

    @Override
    public boolean admits(Spent spent) {
      if (spent.answers() == 0) {
        return true;
      }
      BigDecimal rest = epsilonMax.subtract(spent.rho());
      return slack.signum() > 0
          && spent.approximate() == 0
          && spent.failure().compareTo(deltaRest) <= 0
          && rest.signum() >= 0
          && FOUR.multiply(log).multiply(spent.rho()).compareTo(rest.multiply(rest)) <= 0;
    }

    @Override
    public boolean takes(Cost cost) {
      return !(cost instanceof Cost.Approximate);
    }

    @Override
    public BigDecimal epsilon(Spent spent) {
      BigDecimal root = Logarithm.sqrtUp(FOUR.multiply(log).multiply(spent.rho()));
      return root.add(spent.rho()).setScale(12, RoundingMode.CEILING);
    }

    @Override
    public BigDecimal delta(Spent spent) {
      return spent.answers() == 0 ? BigDecimal.ZERO : slack.add(spent.failure());
    }
  }
}
