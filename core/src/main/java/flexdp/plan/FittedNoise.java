package flexdp.plan;

import flexdp.workload.Estimates;
import flexdp.workload.Tail;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/** How far estimates of one measurement, made from several noisy numbers, are from the truth. */
public sealed interface FittedNoise {
  /** The column that says which of several errors a value has; −1 where there is one. */
  int place();

  /** The steps in which estimates are shown. */
  BigDecimal grid();

  /** The same where another column says which error a value has. */
  FittedNoise at(int column);

  /** Of whichever value. */
  BigDecimal halfWidth(BigDecimal confidence);

  /**
   * Of a value of one grouping set.
   *
   * @param set what the column says that tells them apart
   */
  BigDecimal halfWidth(BigDecimal confidence, long set);

  /**
   * Estimates of grouping sets, each with an error of its own.
   *
   * @param cuboids by what the column says that tells sets apart
   */
  record BySet(int place, Estimates estimates, Map<Long, Integer> cuboids, BigDecimal grid)
      implements FittedNoise {
    public BySet {
      cuboids = Map.copyOf(cuboids);
    }

    @Override
    public FittedNoise at(int column) {
      return new BySet(column, estimates, cuboids, grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence) {
      return cuboids.keySet().stream()
          .map(set -> halfWidth(confidence, set))
          .max(BigDecimal::compareTo)
          .orElseThrow();
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence, long set) {
      Integer cuboid = cuboids.get(set);
      return cuboid == null
          ? halfWidth(confidence)
          : rounded(estimates.within(cuboid, confidence.doubleValue()), grid);
    }
  }

  /**
   * Sums of estimates. Their errors are sums of independent draws, of which none has heavier tails
   * than a single one of the same deviation, so the bar is at most a twelfth too wide.
   *
   * @param deviation in steps
   * @param normal whether the draws are Gaussian, and so their sums
   */
  record Sums(int place, double deviation, boolean normal, BigDecimal grid) implements FittedNoise {
    @Override
    public FittedNoise at(int column) {
      return new Sums(column, deviation, normal, grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence) {
      if (normal) {
        Tail tail = new Tail();
        tail.normal(1, 1, deviation);
        return rounded(tail.within(confidence.doubleValue()), grid);
      }
      double beyond = 1 - confidence.doubleValue();
      return rounded(-Math.log(beyond) * deviation / Math.sqrt(2), grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence, long set) {
      return halfWidth(confidence);
    }
  }

  /**
   * Shown numbers are rounded to the grid, and so is the width: |round(x)| ≤ w if |x| &lt; w + ½.
   */
  private static BigDecimal rounded(double steps, BigDecimal grid) {
    BigDecimal whole = new BigDecimal(Math.max(0, steps - 0.5)).setScale(0, RoundingMode.CEILING);
    return whole.multiply(grid);
  }
}
