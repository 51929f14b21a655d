package flexdp.plan;

import flexdp.workload.Estimates;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/**
 * The errors of estimates of one measurement, which depend on the grouping set.
 *
 * @param place the column that says of which set a value is
 * @param cuboids by what that column says
 * @param grid the steps in which estimates are shown
 */
public record FittedNoise(
    int place, Estimates estimates, Map<Long, Integer> cuboids, BigDecimal grid) {
  public FittedNoise {
    cuboids = Map.copyOf(cuboids);
  }

  /** The same where another column says of which set a value is. */
  public FittedNoise at(int column) {
    return new FittedNoise(column, estimates, cuboids, grid);
  }

  /** Of one set alone. */
  public FittedNoise of(int cuboid) {
    return new FittedNoise(place, estimates, Map.of(0L, cuboid), grid);
  }

  /** Of whichever set. */
  public BigDecimal halfWidth(BigDecimal confidence) {
    return cuboids.keySet().stream()
        .map(set -> halfWidth(confidence, set))
        .max(BigDecimal::compareTo)
        .orElseThrow();
  }

  /**
   * The shown number is within this distance of the exact one with at least this probability. It is
   * rounded to the grid, and so is the width: |round(x)| ≤ w where |x| < w + ½.
   */
  BigDecimal halfWidth(BigDecimal confidence, long set) {
    Integer cuboid = cuboids.get(set);
    if (cuboid == null) {
      return halfWidth(confidence);
    }
    double steps = estimates.within(cuboid, confidence.doubleValue());
    BigDecimal whole = new BigDecimal(Math.max(0, steps - 0.5)).setScale(0, RoundingMode.CEILING);
    return whole.multiply(grid);
  }
}
