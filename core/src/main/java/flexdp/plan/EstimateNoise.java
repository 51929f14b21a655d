package flexdp.plan;

import flexdp.people.clipping.ClippingBias;
import flexdp.workload.Estimates;
import flexdp.workload.SumDistribution;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** How far estimates of one measurement, made from several noisy numbers, are from the truth. */
public sealed interface EstimateNoise {
  /** Covers the rounding of doubles many times over. */
  double OUTWARD = 1 + 1e-9;

  /** The columns that say which of several errors a value has; none where there is one. */
  List<Integer> places();

  /** The steps in which estimates are shown. */
  BigDecimal grid();

  /** This noise where other columns say which error a value has. */
  EstimateNoise at(List<Integer> columns);

  /** Of whichever value. */
  BigDecimal halfWidth(BigDecimal confidence);

  /**
   * Of one value.
   *
   * @param told what the columns say that tell them apart, equal for equal values
   */
  BigDecimal halfWidth(BigDecimal confidence, List<Object> told);

  /** How far the exact value may be above the estimate; half the width, unless values are cut. */
  default BigDecimal above(BigDecimal confidence) {
    return halfWidth(confidence);
  }

  /** How far it may be below, whichever value it is. */
  default BigDecimal below(BigDecimal confidence) {
    return halfWidth(confidence);
  }

  /** Of one value. */
  default BigDecimal above(BigDecimal confidence, List<Object> told) {
    return halfWidth(confidence, told);
  }

  /** Of one value. */
  default BigDecimal below(BigDecimal confidence, List<Object> told) {
    return halfWidth(confidence, told);
  }

  /**
   * Estimates of grouping sets, each with an error of its own.
   *
   * @param cuboids by what the column says that tells sets apart
   */
  record BySet(
      List<Integer> places, Estimates estimates, Map<Long, Integer> cuboids, BigDecimal grid)
      implements EstimateNoise {
    public BySet {
      places = List.copyOf(places);
      cuboids = Map.copyOf(cuboids);
    }

    @Override
    public EstimateNoise at(List<Integer> columns) {
      return new BySet(columns, estimates, cuboids, grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence) {
      return cuboids.values().stream()
          .map(cuboid -> width(confidence, cuboid))
          .max(BigDecimal::compareTo)
          .orElseThrow();
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence, List<Object> told) {
      return told.getFirst() instanceof BigDecimal set && cuboids.containsKey(set.longValue())
          ? width(confidence, cuboids.get(set.longValue()))
          : halfWidth(confidence);
    }

    private BigDecimal width(BigDecimal confidence, int cuboid) {
      return rounded(estimates.within(cuboid, confidence.doubleValue()), grid);
    }
  }

  /**
   * Sums of estimated cells. Which cells are added up, and so the error, may differ by label: a
   * month of 28 days, or one that a condition cuts.
   *
   * @param laws of the sums in steps, one at least
   * @param byLabels which law a value has, by what the columns say that tell them apart
   */
  record Sums(
      List<Integer> places,
      List<SumDistribution> laws,
      Map<List<Object>, Integer> byLabels,
      BigDecimal grid)
      implements EstimateNoise {
    public Sums {
      places = List.copyOf(places);
      laws = List.copyOf(laws);
      byLabels = Map.copyOf(byLabels);
    }

    /** Noise of values that all have the same error. */
    public Sums(SumDistribution law, BigDecimal grid) {
      this(List.of(), List.of(law), Map.of(), grid);
    }

    @Override
    public EstimateNoise at(List<Integer> columns) {
      return new Sums(columns, laws, byLabels, grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence) {
      return rounded(widest(confidence).within(confidence.doubleValue()), grid);
    }

    /** The law with the widest bars. */
    public SumDistribution widest(BigDecimal confidence) {
      double beyond = confidence.doubleValue();
      List<SumDistribution> byVariance =
          laws.stream()
              .sorted(Comparator.comparingDouble(SumDistribution::variance).reversed())
              .toList();
      SumDistribution widest = byVariance.getFirst();
      for (SumDistribution law : byVariance) {
        if (law.atMost(beyond) > widest.within(beyond)
            && law.within(beyond) > widest.within(beyond)) {
          widest = law;
        }
      }
      return widest;
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence, List<Object> told) {
      Integer law = byLabels.get(told);
      return law == null
          ? halfWidth(confidence)
          : rounded(laws.get(law).within(confidence.doubleValue()), grid);
    }
  }

  /**
   * Estimates from cuboids of clipped rows: their noise has finer steps than what is shown, and the
   * value may be short of what was cut off.
   *
   * @param noise in steps of its own
   * @param cut of every value at most
   */
  record Short(EstimateNoise noise, ClippingBias cut, BigDecimal grid) implements EstimateNoise {
    @Override
    public List<Integer> places() {
      return noise.places();
    }

    @Override
    public EstimateNoise at(List<Integer> columns) {
      return new Short(noise.at(columns), cut, grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence) {
      return above(confidence).max(below(confidence));
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence, List<Object> told) {
      return above(confidence, told).max(below(confidence, told));
    }

    @Override
    public BigDecimal above(BigDecimal confidence) {
      return above(confidence, noise::halfWidth);
    }

    @Override
    public BigDecimal below(BigDecimal confidence) {
      return below(confidence, noise::halfWidth);
    }

    @Override
    public BigDecimal above(BigDecimal confidence, List<Object> told) {
      return above(confidence, sure -> noise.halfWidth(sure, told));
    }

    @Override
    public BigDecimal below(BigDecimal confidence, List<Object> told) {
      return below(confidence, sure -> noise.halfWidth(sure, told));
    }

    /**
     * On either side half of what the interval may miss; there half for noise, half for the cut.
     */
    private BigDecimal above(BigDecimal confidence, UnaryOperator<BigDecimal> width) {
      if (cut.isNone()) {
        return shown(width.apply(confidence));
      }
      BigDecimal surer = BigDecimal.ONE.add(confidence).divide(BigDecimal.TWO);
      double tail = BigDecimal.ONE.subtract(confidence).doubleValue() / 4;
      return shown(width.apply(confidence).max(width.apply(surer).add(cut.most(tail))));
    }

    private BigDecimal below(BigDecimal confidence, UnaryOperator<BigDecimal> width) {
      return cut.eitherWay() ? above(confidence, width) : shown(width.apply(confidence));
    }

    private BigDecimal shown(BigDecimal width) {
      return rounded(width.divide(grid, MathContext.DECIMAL64).doubleValue(), grid);
    }
  }

  /**
   * Values that were chosen at random, and with each of them the ends of an interval that holds the
   * exact value by 95 %: of one value alone, whatever confidence is asked for.
   *
   * @param bars by what the columns say that tell values apart
   */
  record Ends(List<Integer> places, Map<List<Object>, Bar> bars, BigDecimal grid)
      implements EstimateNoise {
    /** How far the exact value may be below, and above. */
    public record Bar(BigDecimal below, BigDecimal above) {
      private Bar or(Bar other) {
        return new Bar(below.max(other.below), above.max(other.above));
      }
    }

    public Ends {
      places = List.copyOf(places);
      bars = Map.copyOf(bars);
    }

    /** The widest of all. */
    public Bar widest() {
      return bars.values().stream()
          .reduce(Bar::or)
          .orElse(new Bar(BigDecimal.ZERO, BigDecimal.ZERO));
    }

    private Bar bar(List<Object> told) {
      return bars.getOrDefault(told, widest());
    }

    @Override
    public EstimateNoise at(List<Integer> columns) {
      return new Ends(columns, bars, grid);
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence) {
      return widest().below().max(widest().above());
    }

    @Override
    public BigDecimal halfWidth(BigDecimal confidence, List<Object> told) {
      return bar(told).below().max(bar(told).above());
    }

    @Override
    public BigDecimal above(BigDecimal confidence) {
      return widest().above();
    }

    @Override
    public BigDecimal below(BigDecimal confidence) {
      return widest().below();
    }

    @Override
    public BigDecimal above(BigDecimal confidence, List<Object> told) {
      return bar(told).above();
    }

    @Override
    public BigDecimal below(BigDecimal confidence, List<Object> told) {
      return bar(told).below();
    }
  }

  /**
   * Shown numbers are rounded to the grid, and so is the width: |round(x)| ≤ w if |x| &lt; w + ½.
   * What is half a step beyond may be shown as one more.
   */
  private static BigDecimal rounded(double steps, BigDecimal grid) {
    BigDecimal whole = new BigDecimal(steps * OUTWARD + 0.5).setScale(0, RoundingMode.FLOOR);
    return whole.multiply(grid);
  }
}
