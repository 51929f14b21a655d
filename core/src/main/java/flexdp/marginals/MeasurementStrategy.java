package flexdp.marginals;

import flexdp.noise.Gaussian;
import flexdp.noise.Mechanism;
import flexdp.noise.Rational;
import flexdp.plan.EstimateNoise;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.workload.BudgetNorm;
import flexdp.workload.Estimates;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How one measurement of a release point is made: which cuboids are measured, each with noise of
 * its own. Everything in it is public.
 *
 * @param place of the measurement among those of its release point
 */
public record MeasurementStrategy(
    KeyDomain frame, Measurement measurement, int place, List<Cuboid> cuboids) {
  /** A cuboid that is measured. */
  public record Cuboid(int point, Mechanism.Additive mechanism, BigDecimal sensitivity) {
    Estimates.Cuboid estimated(BigDecimal grid) {
      Rational steps = mechanism.exactScale(sensitivity).over(Rational.of(grid));
      double scale = steps.decimal(MathContext.DECIMAL64).doubleValue();
      return new Estimates.Cuboid(point, mechanism instanceof Gaussian, scale);
    }
  }

  public MeasurementStrategy {
    cuboids = List.copyOf(cuboids);
  }

  /** This strategy for a measurement that is estimated from it. */
  public MeasurementStrategy of(WorkloadQuery member) {
    return new MeasurementStrategy(frame, member.planned().measurement(), member.place(), cuboids);
  }

  /** This strategy where every cuboid moves so far. */
  MeasurementStrategy moving(BigDecimal sensitivity) {
    return new MeasurementStrategy(
        frame,
        measurement,
        place,
        cuboids.stream().map(c -> new Cuboid(c.point(), c.mechanism(), sensitivity)).toList());
  }

  /** All of its noise as if it were one draw, as it was bought. */
  public Mechanism.Additive whole() {
    List<Mechanism.Additive> parts = cuboids.stream().map(Cuboid::mechanism).toList();
    return MechanismShares.together(
        parts, BudgetNorm.SUM, MechanismShares.isReleased(parts.getFirst()));
  }

  /** The cuboids that are measured. */
  public List<Integer> points() {
    return cuboids.stream().map(Cuboid::point).toList();
  }

  /** The grouping sets that are read. */
  public List<List<Integer>> sets() {
    return cuboids.stream().map(c -> frame.keys(c.point())).distinct().toList();
  }

  Estimates estimates() {
    return estimates(measurement.grid());
  }

  /** In other steps. */
  private Estimates estimates(BigDecimal grid) {
    return new Estimates(frame.lattice(), cuboids.stream().map(c -> c.estimated(grid)).toList());
  }

  /** The errors of what is estimated for the grouping sets of a release point. */
  public EstimateNoise errors(NoisyAggregate point) {
    return errors(point, measurement.grid());
  }

  /** The errors of noise whose steps differ from those of what is shown. */
  EstimateNoise errors(NoisyAggregate point, BigDecimal grid) {
    Map<Long, Integer> cuboidsBySet = new HashMap<>();
    point.groupingSets().forEach(set -> cuboidsBySet.put(point.bits(set), frame.cuboid(set)));
    return new EstimateNoise.BySet(
        List.of(point.set().orElseThrow().id()), estimates(grid), cuboidsBySet, grid);
  }
}
