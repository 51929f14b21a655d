package flexdp.budget;

import java.math.BigDecimal;

/**
 * The sum of costs in every currency, so that a filter decides on sums alone.
 *
 * @param squares Σε²
 * @param rho Σρ, a pure answer counting as ½Σε² (Bun, Steinke 2016)
 * @param failure Σ of the δ that zCDP cannot convert away
 * @param approximate how many answers zCDP does not take
 */
public record TotalCost(
    BigDecimal epsilon,
    BigDecimal delta,
    BigDecimal squares,
    BigDecimal rho,
    BigDecimal failure,
    long approximate,
    long answers) {
  public static final TotalCost NOTHING =
      new TotalCost(
          BigDecimal.ZERO,
          BigDecimal.ZERO,
          BigDecimal.ZERO,
          BigDecimal.ZERO,
          BigDecimal.ZERO,
          0,
          0);

  private static final BigDecimal HALF = new BigDecimal("0.5");

  public TotalCost plus(Cost cost) {
    return plus(cost, 1);
  }

  /** Both sums together. */
  public TotalCost plus(TotalCost other) {
    return new TotalCost(
        epsilon.add(other.epsilon),
        delta.add(other.delta),
        squares.add(other.squares),
        rho.add(other.rho),
        failure.add(other.failure),
        approximate + other.approximate,
        answers + other.answers);
  }

  /** The larger of both in every currency: at least what either of them is worth to any filter. */
  public TotalCost max(TotalCost other) {
    return new TotalCost(
        epsilon.max(other.epsilon),
        delta.max(other.delta),
        squares.max(other.squares),
        rho.max(other.rho),
        failure.max(other.failure),
        Math.max(approximate, other.approximate),
        Math.max(answers, other.answers));
  }

  /** This sum without another that it contains; exact. */
  public TotalCost minus(TotalCost other) {
    return new TotalCost(
        epsilon.subtract(other.epsilon),
        delta.subtract(other.delta),
        squares.subtract(other.squares),
        rho.subtract(other.rho),
        failure.subtract(other.failure),
        approximate - other.approximate,
        answers - other.answers);
  }

  /** A δ that no answer has, such as that of a filter which was given up for another. */
  public static TotalCost slack(BigDecimal delta) {
    return new TotalCost(BigDecimal.ZERO, delta, BigDecimal.ZERO, BigDecimal.ZERO, delta, 0, 0);
  }

  /** The sum after as many answers of one cost. */
  public TotalCost plus(Cost cost, long times) {
    BigDecimal n = BigDecimal.valueOf(times);
    BigDecimal rhoOfOne =
        switch (cost) {
          case Cost.Pure pure -> pure.squares().multiply(HALF);
          case Cost.Gaussian gaussian -> gaussian.rho();
          case Cost.Approximate ignored -> BigDecimal.ZERO;
        };
    BigDecimal failureOfOne =
        switch (cost) {
          case Cost.Pure pure -> pure.delta();
          case Cost.Gaussian gaussian -> gaussian.failure();
          case Cost.Approximate any -> any.delta();
        };
    return new TotalCost(
        epsilon.add(n.multiply(cost.epsilon())),
        delta.add(n.multiply(cost.delta())),
        squares.add(n.multiply(cost.squares())),
        rho.add(n.multiply(rhoOfOne)),
        failure.add(n.multiply(failureOfOne)),
        approximate + (cost instanceof Cost.Approximate ? times : 0),
        answers + times);
  }
}
