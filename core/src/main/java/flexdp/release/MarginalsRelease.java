package flexdp.release;

import flexdp.marginals.CuboidCells;
import flexdp.marginals.MarginalsReleaser;
import flexdp.marginals.MeasuredMarginals;
import flexdp.marginals.MeasurementStrategy;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.plan.EstimateNoise;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan.Exact;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Grouping sets of rows that stand for themselves, estimated from cuboids that are measured
 * together, each with noise of its own. Measurements without a strategy are released by bins.
 *
 * @param rest releases what has no strategy
 */
public record MarginalsRelease(HistogramRelease rest, List<MeasurementStrategy> strategies)
    implements ReleasePlan {
  record Cuboids(CuboidCells cells, HistogramRelease.Cells rest) implements Exact {}

  public MarginalsRelease {
    strategies = List.copyOf(strategies);
  }

  @Override
  public NoisyAggregate target() {
    return rest.target();
  }

  @Override
  public List<Mechanism> draws() {
    List<Mechanism> draws = new ArrayList<>();
    for (int m = 0; m < rest.planned().size(); m++) {
      Optional<MeasurementStrategy> strategy = strategy(m);
      if (strategy.isPresent()) {
        strategy.get().cuboids().forEach(cuboid -> draws.add(cuboid.mechanism()));
      } else {
        draws.add(rest.draws().get(m));
      }
    }
    return draws;
  }

  private Optional<MeasurementStrategy> strategy(int place) {
    return strategies.stream().filter(s -> s.place() == place).findFirst();
  }

  /** What the database is asked for: all cuboids that strategies measure, in one statement. */
  private NoisyAggregate measured() {
    List<Measurement> measured = strategies.stream().map(MeasurementStrategy::measurement).toList();
    List<List<Integer>> sets = new ArrayList<>();
    strategies.forEach(s -> s.sets().stream().filter(x -> !sets.contains(x)).forEach(sets::add));
    return rest.rows().with(measured).by(sets);
  }

  private boolean isPartly() {
    return strategies.size() < rest.planned().size();
  }

  @Override
  public List<Reading> readings() {
    List<Reading> readings = new ArrayList<>();
    readings.add(new Reading.Cells(measured(), Reading.Cells.Use.CUBOIDS));
    if (isPartly()) {
      readings.addAll(rest.readings());
    }
    return readings;
  }

  @Override
  public Cuboids read(ExactRows rows, Optional<List<List<Object>>> labels) {
    NoisyAggregate measured = measured();
    CuboidCells cells = new CuboidCells(strategies.getFirst().frame(), measured);
    rows.cells(new Reading.Cells(measured, Reading.Cells.Use.CUBOIDS), cells);
    return new Cuboids(cells, isPartly() ? rest.read(rows, labels) : rest.none(labels));
  }

  @Override
  public Released draw(Exact exact, Noise noise) {
    Cuboids cuboids = (Cuboids) exact;
    MarginalsReleaser releaser = new MarginalsReleaser(noise);
    Map<Integer, List<BigDecimal>> estimated = new HashMap<>();
    List<MeasuredMarginals> drawn = new ArrayList<>();
    for (int i = 0; i < strategies.size(); i++) {
      MeasurementStrategy strategy = strategies.get(i);
      MeasuredMarginals noisy = releaser.drawn(rest.rows(), strategy, cuboids.cells(), i);
      drawn.add(noisy);
      estimated.put(
          strategy.place(),
          MarginalsReleaser.estimates(rest.rows(), noisy, cuboids.rest().histogram().bins()));
    }
    RowTable rows = rest.noisy(cuboids.rest().histogram(), noise, estimated);
    return new Released(rows, List.of(), Map.of(), Map.of(), drawn, List.of());
  }

  @Override
  public Map<Integer, EstimateNoise> fits() {
    Map<Integer, EstimateNoise> fits = new HashMap<>();
    strategies.forEach(s -> fits.put(s.measurement().output().id(), s.errors(target())));
    return fits;
  }

  /** Nothing is drawn for cuboids: they may have many cells. */
  @Override
  public void rehearse(ExactRows none, Optional<List<List<Object>>> labels, Noise noise) {
    none.cells(
        new Reading.Cells(measured(), Reading.Cells.Use.CUBOIDS),
        new CuboidCells(strategies.getFirst().frame(), measured()));
    HistogramRelease.Cells one =
        rest.none(labels.map(all -> all.subList(0, Math.min(1, all.size()))));
    Map<Integer, List<BigDecimal>> estimated = new HashMap<>();
    for (MeasurementStrategy strategy : strategies) {
      strategy.whole();
      estimated.put(
          strategy.place(), Collections.nCopies(one.histogram().bins().size(), BigDecimal.ZERO));
    }
    rest.noisy(one.histogram(), noise, estimated);
  }

  /** Every cuboid has noise for all that moves in it. */
  @Override
  public List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other) {
    List<NeighborDistance> moved = new ArrayList<>();
    for (int i = 0; i < strategies.size(); i++) {
      MeasurementStrategy strategy = strategies.get(i);
      for (MeasurementStrategy.Cuboid cuboid : strategy.cuboids()) {
        BigInteger apart =
            ((Cuboids) one).cells().apart(((Cuboids) other).cells(), cuboid.point(), i);
        moved.add(
            new NeighborDistance(
                NeighborDistance.words(strategy.measurement()) + ", a cuboid",
                strategy.measurement().grid().multiply(new BigDecimal(apart)),
                cuboid.sensitivity()));
      }
    }
    if (isPartly()) {
      moved.addAll(
          rest.distance(
              ((Cuboids) one).rest(), ((MarginalsRelease) there).rest(), ((Cuboids) other).rest()));
    }
    return moved;
  }
}
