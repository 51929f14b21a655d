package flexdp.plan;

import flexdp.algebra.AlgebraWalker;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.Mechanism;
import flexdp.people.clipping.ClippingBias;
import flexdp.plan.MechanismRule.SmoothRule;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CoupledUnits;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The noise of one measurement as far as everybody may know it: a mechanism, and a public number
 * that its sensitivity does not exceed.
 *
 * <p>Where the sensitivity itself is public, that number is the sensitivity. A smooth sensitivity
 * is private, but it is no larger than a ceiling that follows from the structure, and no larger
 * than the smooth bound of released metrics: those are at least the true ones, and the formula is
 * monotone.
 *
 * @param sensitivity in the measurement's own units
 * @param grid the steps in which noisy values are given
 * @param slack the probability that released metrics are below the true ones
 * @param cells how many independent noisy numbers are added up, at most
 * @param cut what may have been cut off the value before noise was added; of all cells together
 */
public record PublicNoise(
    Mechanism.Additive mechanism,
    BigDecimal sensitivity,
    BigDecimal grid,
    BigDecimal slack,
    int cells,
    ClippingBias cut) {
  public PublicNoise {
    if (cells < 1 || cells > 1 && mechanism.sums().isEmpty()) {
      throw new IllegalArgumentException("sums of this noise have no known error");
    }
  }

  /** The noise of one number. */
  public PublicNoise(
      Mechanism.Additive mechanism, BigDecimal sensitivity, BigDecimal grid, BigDecimal slack) {
    this(mechanism, sensitivity, grid, slack, 1, ClippingBias.NONE);
  }

  /** This noise of clipped values, off which something was cut. */
  public PublicNoise cut(ClippingBias by) {
    return new PublicNoise(mechanism, sensitivity, grid, slack, cells, by);
  }

  /** The noise of a sum of such numbers, where that is known. */
  public Optional<PublicNoise> sum(int of) {
    return mechanism.sums().isPresent() && cells == 1
        ? Optional.of(new PublicNoise(mechanism, sensitivity, grid, slack, of, cut))
        : Optional.empty();
  }

  /** Smooth bounds are rounded up by far less than this. */
  private static final BigDecimal ROUNDED = BigDecimal.ONE.add(new BigDecimal(0x1p-40));

  private static final BigDecimal MOST_SLACK = new BigDecimal("1e-5");

  /** More units may share one distance, which makes a smooth bound larger than it looks. */
  private static final int MOST_UNITS = 3;

  /**
   * Within this distance of the exact value with at least this probability: what is cut off makes
   * values smaller, or either, so the exact one is nowhere farther off than above.
   */
  public BigDecimal halfWidth(BigDecimal confidence) {
    return above(confidence);
  }

  /**
   * How far the exact value may be above the noisy one; with {@link #below} it holds with at least
   * this probability.
   */
  public BigDecimal above(BigDecimal confidence) {
    return cut.isNone() ? noise(confidence) : noise(confidence).max(withCut(confidence));
  }

  /** How far the exact value may be below the noisy one. */
  public BigDecimal below(BigDecimal confidence) {
    return cut.eitherWay() ? above(confidence) : noise(confidence);
  }

  private BigDecimal noise(BigDecimal confidence) {
    BigDecimal needed = confidence.add(slack);
    return cells == 1
        ? mechanism.halfWidth(sensitivity, grid, needed)
        : mechanism.sums().orElseThrow().halfWidth(sensitivity, grid, needed, cells);
  }

  /** On either side half of what the interval may miss. */
  private BigDecimal withCut(BigDecimal confidence) {
    double tail = BigDecimal.ONE.subtract(confidence).doubleValue() / 2;
    if (cells == 1) {
      return onGrid(cut.together(mechanism.scale(sensitivity).doubleValue(), grid, tail));
    }
    // Sums of noise are bounded by themselves: half of the rest for each.
    BigDecimal surer = BigDecimal.ONE.add(confidence).divide(BigDecimal.TWO);
    return noise(surer).add(onGrid(cut.most(tail / 2)));
  }

  private BigDecimal onGrid(BigDecimal width) {
    return width.divide(grid, 0, RoundingMode.CEILING).multiply(grid);
  }

  /** What is public of the noise that a plan gives a measurement; empty when nothing is. */
  public static Optional<PublicNoise> of(
      PlannedMeasurement planned, Plan plan, Metrics metrics, RuleSet rules) {
    return planned
        .noise()
        .flatMap(CalibratedMechanism::added)
        .flatMap(added -> of(added, planned, plan, metrics, rules));
  }

  private static Optional<PublicNoise> of(
      CalibratedMechanism.Additive noise,
      PlannedMeasurement planned,
      Plan plan,
      Metrics metrics,
      RuleSet rules) {
    Mechanism.Additive mechanism = noise.mechanism();
    BigDecimal grid = planned.measurement().grid();
    if (noise.isPublic()) {
      return noise.known(grid);
    }
    Optional<BigDecimal> ceiling =
        planned.bound().ceiling().map(n -> new BigDecimal(n).multiply(planned.unit()));
    if (ceiling.isPresent()) {
      BigDecimal most = ceiling.get().multiply(ROUNDED);
      return Optional.of(new PublicNoise(mechanism, most, grid, BigDecimal.ZERO));
    }
    return released(planned, plan, mechanism, metrics, rules);
  }

  private static Optional<PublicNoise> released(
      PlannedMeasurement planned,
      Plan plan,
      Mechanism.Additive mechanism,
      Metrics metrics,
      RuleSet rules) {
    BigDecimal slack = slack(metrics);
    // Counted in the question, not in the bound, from which private numbers may take units away.
    if (slack.compareTo(MOST_SLACK) > 0
        || AlgebraWalker.units(planned.release().input()).size() > MOST_UNITS) {
      return Optional.empty();
    }
    try {
      Bound bound =
          Sensitivity.of(
              planned.release(),
              planned.measurement(),
              published(metrics),
              plan.neighbors(),
              rules);
      // Of all metrics, as where the noise is made: one takes units together where the other does.
      CoupledUnits coupling =
          Sensitivity.coupling(
              planned.release(), planned.measurement(), metrics, plan.neighbors(), rules);
      BigDecimal smooth =
          SmoothRule.smoothed(bound, coupling, mechanism).decimal().multiply(planned.unit());
      BigDecimal most = smooth.multiply(ROUNDED);
      return Optional.of(new PublicNoise(mechanism, most, planned.measurement().grid(), slack));
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static BigDecimal slack(Metrics metrics) {
    BigDecimal slack = BigDecimal.ZERO;
    for (Metrics.Release release : metrics.released().values()) {
      slack = slack.add(release.delta());
    }
    return slack;
  }

  /**
   * Released numbers in place of the measured ones. Those of public tables are left out: they may
   * be older than the data.
   */
  private static Metrics published(Metrics metrics) {
    Map<String, TableMetrics> tables = new LinkedHashMap<>();
    metrics.released().forEach((name, release) -> tables.put(name, release.values()));
    return new Metrics(tables, Map.of());
  }
}
