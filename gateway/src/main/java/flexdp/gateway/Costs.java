package flexdp.gateway;

import flexdp.budget.Cost;
import java.math.BigDecimal;
import java.util.List;

/** Costs of parts as the cost of the whole. */
final class Costs {
  private Costs() {}

  /** Pure as long as every part is; otherwise what is known of all of them, (ε, δ). */
  static Cost sum(List<Cost> parts) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    for (Cost part : parts) {
      epsilon = epsilon.add(part.epsilon());
      delta = delta.add(part.delta());
      squares = squares.add(part.squares());
    }
    return parts.stream().allMatch(Cost.Pure.class::isInstance)
        ? new Cost.Pure(epsilon, squares, delta)
        : new Cost.Approximate(epsilon, delta);
  }
}
