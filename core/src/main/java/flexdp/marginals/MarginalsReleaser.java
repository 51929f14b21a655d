package flexdp.marginals;

import flexdp.cells.ExactHistogram;
import flexdp.noise.BitSource;
import flexdp.noise.Noise;
import flexdp.query.NoisyAggregate;
import flexdp.workload.Estimates;
import flexdp.workload.MultiplicativeWeights;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds noise to the cells of measured cuboids, and estimates all others from what comes of it. */
public final class MarginalsReleaser {
  private final Noise noise;

  public MarginalsReleaser(Noise noise) {
    this.noise = noise;
  }

  /**
   * The estimates of a measurement, rounded to its grid, one for every bin.
   *
   * @param cells exact, private
   * @param column the place of the measurement in the cells
   */
  public List<BigDecimal> estimates(
      NoisyAggregate point,
      MeasurementStrategy strategy,
      CuboidCells cells,
      int column,
      List<ExactHistogram.Bin> bins) {
    return estimates(point, drawn(point, strategy, cells, column), bins);
  }

  /** Estimates the cells of a release point from what was measured. */
  public static List<BigDecimal> estimates(
      NoisyAggregate point, MeasuredMarginals drawn, List<ExactHistogram.Bin> bins) {
    return fitted(point, drawn.strategy(), drawn.cells(), bins);
  }

  /** The measured cuboids with noise. */
  public MeasuredMarginals drawn(
      NoisyAggregate point, MeasurementStrategy strategy, CuboidCells cells, int column) {
    return new MeasuredMarginals(point, strategy, noisy(strategy, cells, column));
  }

  /** The numbers of all members of a frame, each with one for every bin. */
  public static Map<WorkloadQuery, List<BigDecimal>> estimates(
      WorkloadGroup frame, MeasuredMarginals drawn) {
    return frame.estimates(drawn.cells());
  }

  /** Estimates all cells by multiplicative weights, with choices from these bits. */
  public Map<WorkloadQuery, List<BigDecimal>> estimates(
      WorkloadGroup frame, Mwem mwem, CuboidCells cells, BitSource source) {
    MultiplicativeWeights guess =
        mwem.run(
            frame.strategy().frame().lattice(),
            frame.strategy().frame().cuboid(List.of()),
            cuboid -> cells.numbers(cuboid, 0),
            frame.strategy().measurement().grid(),
            noise,
            source);
    return frame.estimates(guess::marginal);
  }

  private Map<Integer, double[]> noisy(
      MeasurementStrategy strategy, CuboidCells cells, int column) {
    Map<Integer, double[]> noisy = new HashMap<>();
    for (MeasurementStrategy.Cuboid cuboid : strategy.cuboids()) {
      noisy.put(cuboid.point(), draw(strategy, cuboid, cells.numbers(cuboid.point(), column)));
    }
    return noisy;
  }

  private double[] draw(
      MeasurementStrategy strategy, MeasurementStrategy.Cuboid cuboid, List<BigInteger> exact) {
    BigDecimal grid = strategy.measurement().grid();
    List<BigDecimal> values = new ArrayList<>(exact.size());
    exact.forEach(steps -> values.add(grid.multiply(new BigDecimal(steps))));
    return noise.add(cuboid.mechanism(), cuboid.sensitivity(), values, grid).stream()
        .mapToDouble(value -> value.divide(grid).doubleValue())
        .toArray();
  }

  private static List<BigDecimal> fitted(
      NoisyAggregate point,
      MeasurementStrategy strategy,
      Map<Integer, double[]> noisy,
      List<ExactHistogram.Bin> bins) {
    Estimates estimates = strategy.estimates();
    Set<Integer> wanted = new HashSet<>();
    point.groupingSets().forEach(set -> wanted.add(strategy.frame().cuboid(set)));
    double[][] fitted = estimates.fit().cuboids(noisy, wanted);
    List<BigDecimal> values = new ArrayList<>(bins.size());
    for (ExactHistogram.Bin bin : bins) {
      int cuboid = strategy.frame().cuboid(point.groupingSets().get(bin.set()));
      double steps = fitted[cuboid][strategy.frame().cell(cuboid, bin.labels())];
      BigDecimal whole = new BigDecimal(steps).setScale(0, RoundingMode.HALF_EVEN);
      values.add(whole.multiply(strategy.measurement().grid()));
    }
    return values;
  }
}
