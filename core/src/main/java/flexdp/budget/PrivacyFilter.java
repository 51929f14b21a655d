package flexdp.budget;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Decides whether answers chosen on the way may go on: a privacy filter. As long as it admits what
 * was spent, all answers together are (ε, δ)-DP for the allowance's ε and δ, however each next
 * question and its ε depended on earlier answers. Decisions are made in exact decimals; where a
 * logarithm is needed, it is rounded to the side that admits less. Formulas: docs/budget.md.
 */
public sealed interface PrivacyFilter {
  /** Whether this much may be spent in all. */
  boolean admits(TotalCost spent);

  /** Whether an answer of this kind can be counted at all. */
  boolean takes(Cost cost);

  /** An upper bound on the ε that was spent so far, in the sense of the whole guarantee. */
  BigDecimal epsilon(TotalCost spent);

  /** An upper bound on the δ that was spent so far, in the sense of the whole guarantee. */
  BigDecimal delta(TotalCost spent);

  static PrivacyFilter of(Allowance allowance) {
    return switch (allowance.composition()) {
      case BASIC -> new BasicFilter(allowance.epsilon(), allowance.delta());
      case ADAPTIVE -> AdaptiveFilter.of(allowance.epsilon(), allowance.delta());
      case ZCDP -> ZcdpFilter.of(allowance.epsilon(), allowance.delta());
    };
  }

  /** How many more answers of one cost are admitted, up to a limit. */
  default long answersLeft(TotalCost spent, Cost cost, long limit) {
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
  default BigDecimal epsilonLeft(TotalCost spent) {
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
  record BasicFilter(BigDecimal epsilonMax, BigDecimal deltaMax) implements PrivacyFilter {
    @Override
    public boolean admits(TotalCost spent) {
      return spent.epsilon().compareTo(epsilonMax) <= 0 && spent.delta().compareTo(deltaMax) <= 0;
    }

    @Override
    public boolean takes(Cost cost) {
      return true;
    }

    @Override
    public BigDecimal epsilon(TotalCost spent) {
      return spent.epsilon();
    }

    @Override
    public BigDecimal delta(TotalCost spent) {
      return spent.delta();
    }

    @Override
    public BigDecimal epsilonLeft(TotalCost spent) {
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
      implements PrivacyFilter {
    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final BigDecimal HALF = new BigDecimal("0.5");

    static AdaptiveFilter of(BigDecimal epsilonMax, BigDecimal deltaMax) {
      BigDecimal slack = deltaMax.multiply(HALF);
      return new AdaptiveFilter(
          epsilonMax, deltaMax.subtract(slack), slack, Logarithm.ofInverse(slack));
    }

    @Override
    public boolean admits(TotalCost spent) {
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
    public BigDecimal epsilon(TotalCost spent) {
      BigDecimal root = Logarithm.sqrtUp(TWO.multiply(log).multiply(spent.squares()));
      return root.add(HALF.multiply(spent.squares())).setScale(12, RoundingMode.CEILING);
    }

    @Override
    public BigDecimal delta(TotalCost spent) {
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
      implements PrivacyFilter {
    private static final BigDecimal HALF = new BigDecimal("0.5");
    private static final BigDecimal FOUR = BigDecimal.valueOf(4);

    static ZcdpFilter of(BigDecimal epsilonMax, BigDecimal deltaMax) {
      BigDecimal slack = deltaMax.multiply(HALF);
      return new ZcdpFilter(
          epsilonMax, deltaMax.subtract(slack), slack, Logarithm.ofInverse(slack));
    }

    @Override
    public boolean admits(TotalCost spent) {
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
    public BigDecimal epsilon(TotalCost spent) {
      BigDecimal root = Logarithm.sqrtUp(FOUR.multiply(log).multiply(spent.rho()));
      return root.add(spent.rho()).setScale(12, RoundingMode.CEILING);
    }

    @Override
    public BigDecimal delta(TotalCost spent) {
      return spent.answers() == 0 ? BigDecimal.ZERO : slack.add(spent.failure());
    }
  }

  /**
   * Upper bounds of logarithms and roots in decimals: every operation rounds up, and the rest of a
   * series is bounded by a geometric one. No binary floating point, so no decision depends on it.
   */
  final class Logarithm {
    private static final MathContext UP = new MathContext(50, RoundingMode.CEILING);
    private static final MathContext DOWN = new MathContext(50, RoundingMode.FLOOR);
    private static final BigDecimal SMALL = new BigDecimal("1e-45");
    private static final BigDecimal TEN = BigDecimal.TEN;

    /** An upper bound of ln 10. */
    private static final BigDecimal LN_TEN = series(TEN);

    private Logarithm() {}

    /** An upper bound of ln(1/p) for 0 &lt; p &lt; 1; 0 for p = 0, where callers refuse anyway. */
    static BigDecimal ofInverse(BigDecimal p) {
      if (p.signum() == 0) {
        return BigDecimal.ZERO;
      }
      // 1/p = 10^n · m with 1 ≤ m < 10, up to the rounding of the division.
      BigDecimal inverse = BigDecimal.ONE.divide(p, UP);
      int n = inverse.precision() - inverse.scale() - 1;
      BigDecimal m = inverse.movePointLeft(n);
      return LN_TEN.multiply(BigDecimal.valueOf(n), UP).add(series(m), UP);
    }

    /** ln m = 2·Σ z^(2i+1)/(2i+1) with z = (m−1)/(m+1), for m ≥ 1; all terms are positive. */
    private static BigDecimal series(BigDecimal m) {
      BigDecimal z = m.subtract(BigDecimal.ONE).divide(m.add(BigDecimal.ONE), UP);
      BigDecimal square = z.multiply(z, UP);
      BigDecimal power = z;
      BigDecimal sum = BigDecimal.ZERO;
      for (int i = 1; power.compareTo(SMALL) > 0; i += 2) {
        sum = sum.add(power.divide(BigDecimal.valueOf(i), UP), UP);
        power = power.multiply(square, UP);
      }
      BigDecimal rest = power.divide(BigDecimal.ONE.subtract(square, DOWN), UP);
      return sum.add(rest, UP).multiply(BigDecimal.valueOf(2), UP);
    }

    /** An upper bound of √x, exact when x is the square of a short decimal. */
    static BigDecimal sqrtUp(BigDecimal x) {
      return x.signum() == 0 ? BigDecimal.ZERO : x.sqrt(new MathContext(40, RoundingMode.CEILING));
    }
  }
}
