package flexdp.budget;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Zero-concentrated composition: with ρ = Σρ_i, ρ + 2√(ρ ln(1/δ″)) ≤ ε_max (Bun, Steinke 2016; sums
 * of adaptively chosen ρ_i: Feldman, Zrnic 2021, and Whitehouse et al. 2023). A pure answer counts
 * ½ε², a Gaussian one its own ρ. δ″ is half of δ_max; the other half pays for events outside of
 * which answers are concentrated. Answers of kind approximate are not taken.
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
    return new ZcdpFilter(epsilonMax, deltaMax.subtract(slack), slack, Logarithm.ofInverse(slack));
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
