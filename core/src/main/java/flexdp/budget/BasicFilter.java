package flexdp.budget;

import java.math.BigDecimal;

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
