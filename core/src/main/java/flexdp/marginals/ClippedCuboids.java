package flexdp.marginals;

import flexdp.cells.ExactHistogram;
import flexdp.cells.PersonCell;
import flexdp.noise.BitSource;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Rational;
import flexdp.people.clipping.Contributions;
import flexdp.people.clipping.NoisySizeHistogram;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.plan.EstimateNoise;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates grouping sets from cuboids of what people contribute. Everybody is clipped once, at a
 * level that a noisy histogram of people chooses, and every cuboid is a sum of the same clipped
 * rows: a person moves each by at most τ in L1, so noise of scale τ/ε_s on every cell of a cuboid
 * costs ε_s. What leaves here is private; what enters never leaves.
 */
public final class ClippedCuboids {
  private final NoisyAggregate point;
  private final List<CalibratedMechanism.Clipped> noise;
  private final List<MeasurementStrategy> strategies;

  /**
   * @param noise of every measurement, by cuboids
   * @param strategies of every measurement
   */
  public ClippedCuboids(
      NoisyAggregate point,
      List<CalibratedMechanism.Clipped> noise,
      List<MeasurementStrategy> strategies) {
    this.point = point;
    this.noise = List.copyOf(noise);
    this.strategies = List.copyOf(strategies);
  }

  /**
   * What may be shown.
   *
   * @param values by measurement and bin
   * @param errors of every measurement
   */
  public record Estimated(
      List<List<BigDecimal>> values,
      List<EstimateNoise> errors,
      NoisySizeHistogram people,
      int level) {}

  private ClippingPlan clipping() {
    return noise.getFirst().clipping();
  }

  /** The grouping sets that are measured. */
  public List<List<Integer>> sets() {
    List<List<Integer>> sets = new ArrayList<>();
    strategies.forEach(s -> s.sets().stream().filter(x -> !sets.contains(x)).forEach(sets::add));
    return sets;
  }

  /**
   * @param read the release point by the sets that are measured
   * @param contributions of people to it
   */
  public Estimated estimates(
      NoisyAggregate read,
      Contributions<PersonCell> contributions,
      List<ExactHistogram.Bin> bins,
      BitSource source) {
    BigDecimal choosing = noise.getFirst().mechanism().choosing(noise.size());
    NoisySizeHistogram people =
        NoisySizeHistogram.publish(contributions, choosing, clipping().peopleMoved(), source);
    int level = people.level();
    CuboidCells cells = new CuboidCells(strategies.getFirst().frame(), read);
    for (PersonCell cell : contributions.cells()) {
      cells.add(
          cell.grouping().orElseGet(cells::onlyGrouping),
          cell.labels(),
          cell.measurement(),
          contributions.clipped(cell, level));
    }
    List<List<BigDecimal>> values = new ArrayList<>();
    List<EstimateNoise> errors = new ArrayList<>();
    for (int m = 0; m < strategies.size(); m++) {
      MeasurementStrategy strategy = strategies.get(m).moving(noise.get(m).at(level));
      MeasuredMarginals drawn =
          new MeasuredMarginals(point, strategy, drawn(strategy, cells, m, level, source));
      values.add(MarginalsReleaser.estimates(point, drawn, bins));
      errors.add(errors(strategy, m, people, level));
    }
    return new Estimated(values, errors, people, level);
  }

  /** Noisy cells by cuboid, in steps of the measurement. */
  private Map<Integer, double[]> drawn(
      MeasurementStrategy strategy, CuboidCells cells, int place, int level, BitSource source) {
    Rational moved = Rational.of(clipping().moved(noise.get(place).measurement(), level));
    double step = BigInteger.ONE.shiftLeft(clipping().digits()).doubleValue();
    Map<Integer, double[]> noisy = new HashMap<>();
    for (MeasurementStrategy.Cuboid cuboid : strategy.cuboids()) {
      DiscreteLaplace laplace =
          new DiscreteLaplace(moved.over(Rational.of(cuboid.mechanism().epsilon())));
      noisy.put(
          cuboid.point(),
          cells.numbers(cuboid.point(), place).stream()
              .mapToDouble(exact -> exact.add(laplace.sample(source)).doubleValue() / step)
              .toArray());
    }
    return noisy;
  }

  private EstimateNoise errors(
      MeasurementStrategy strategy, int place, NoisySizeHistogram people, int level) {
    Measurement measurement = noise.get(place).measurement();
    BigDecimal fine =
        measurement.grid().divide(new BigDecimal(BigInteger.ONE.shiftLeft(clipping().digits())));
    return new EstimateNoise.Short(
        strategy.errors(point, fine),
        clipping().shortfall(measurement, people.shortfall(level)),
        measurement.grid());
  }
}
