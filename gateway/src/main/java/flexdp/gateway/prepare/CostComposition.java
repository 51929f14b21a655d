package flexdp.gateway.prepare;

import flexdp.budget.Cost;
import flexdp.noise.Gaussian;
import java.math.BigDecimal;
import java.util.List;

/** Costs of parts as the cost of the whole. */
public final class CostComposition {
  private CostComposition() {}

  /**
   * Pure as long as every part is, Gaussian as long as every part is one of both; otherwise what is
   * known of all of them, (ε, δ).
   */
  public static Cost sum(List<Cost> parts) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    BigDecimal rho = BigDecimal.ZERO;
    BigDecimal failure = BigDecimal.ZERO;
    for (Cost part : parts) {
      epsilon = epsilon.add(part.epsilon());
      delta = delta.add(part.delta());
      squares = squares.add(part.squares());
      switch (part) {
        case Cost.Pure pure -> {
          rho = rho.add(pure.squares().divide(BigDecimal.TWO));
          failure = failure.add(pure.delta());
        }
        case Cost.Gaussian gaussian -> {
          rho = rho.add(gaussian.rho());
          failure = failure.add(gaussian.failure());
        }
        case Cost.Approximate ignored -> {}
      }
    }
    if (parts.stream().anyMatch(Cost.Approximate.class::isInstance)) {
      return new Cost.Approximate(epsilon, delta);
    }
    return parts.stream().anyMatch(Cost.Gaussian.class::isInstance)
        ? gaussian(epsilon, delta, rho, failure)
        : new Cost.Pure(epsilon, squares, delta);
  }

  /**
   * The cost of parts of which some are Gaussian. They are (ε, δ) by adding up, and by what ρ means
   * at that δ; the smaller ε is taken.
   *
   * @param delta with {@code failure}
   */
  static Cost gaussian(BigDecimal epsilon, BigDecimal delta, BigDecimal rho, BigDecimal failure) {
    BigDecimal meant = Gaussian.epsilon(rho, delta.subtract(failure));
    return new Cost.Gaussian(epsilon.min(meant), delta, rho, failure);
  }

  /** No larger ε, no larger δ, and counted by every composition that counts the other. */
  public static boolean isAtMost(Cost cost, Cost offered) {
    return cost.epsilon().compareTo(offered.epsilon()) <= 0
        && cost.delta().compareTo(offered.delta()) <= 0
        && (offered instanceof Cost.Approximate || !(cost instanceof Cost.Approximate));
  }
}
