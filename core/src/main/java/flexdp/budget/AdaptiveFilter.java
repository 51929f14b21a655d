package flexdp.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Strong composition for ε chosen on the way: √(2 ln(1/δ″)·Σε²) + ½Σε² ≤ ε_max and Σδ ≤ δ_max − δ″
 * (Whitehouse, Ramdas, Rogers, Wu 2023). δ″ is half of δ_max; the other half is left to the
 * answers' own δ.
 *
 * <p>The decision squares the inequality: with s = Σε² it is ½s ≤ ε_max and 2·L·s ≤ (ε_max − ½s)²,
 * where L is an upper bound of ln(1/δ″). A larger L admits less, so rounding it up is safe.
 */
record AdaptiveFilter(BigDecimal epsilonMax, BigDecimal deltaRest, BigDecimal slack, BigDecimal log)
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
