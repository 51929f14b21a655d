package flexdp.marginals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.noise.BitSource;
import flexdp.noise.Gaussian;
import flexdp.noise.Noise;
import flexdp.noise.Rational;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.RuleSet;
import flexdp.workload.BudgetNorm;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Gaussian noise on whole CUBEs, where ρ adds up. */
class GaussianCubeTest {
  private static final int LABELS = 6;
  private static final String CUBE = "SELECT a, b, COUNT(*) FROM t GROUP BY CUBE(a, b)";
  private static final Metrics METRICS = new Metrics(Map.of(), Map.of());

  private static Policy policy(Policy.Composition composition) {
    List<ColumnSpec> columns = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      List<Object> labels = new ArrayList<>();
      for (int i = 0; i < LABELS; i++) {
        labels.add(BigDecimal.valueOf(i));
      }
      columns.add(
          new ColumnSpec(
              name, Type.INTEGER, false, Optional.empty(), Optional.of(labels), Optional.empty()));
    }
    Policy.Budget budget = new Policy.Budget(BigDecimal.TEN, new BigDecimal("1e-6"), composition);
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.of(budget),
            Optional.empty(),
            10_000),
        Map.of("t", new Table("t", false, columns, List.of(), List.of())));
  }

  private static Plan plan(Policy.Composition composition, String sql, String epsilon) {
    return new Analyzer(policy(composition), METRICS, LocalDateTime.of(2024, 1, 1, 0, 0))
        .plan(
            sql,
            new AnalysisOptions(
                RuleSet.FLEXDP,
                MechanismChoice.GAUSSIAN,
                Optional.of(new BigDecimal(epsilon)),
                Optional.empty(),
                List.of(0L),
                Optional.empty()));
  }

  private static List<List<Object>> labels() {
    List<List<Object>> rows = new ArrayList<>();
    for (int a = 0; a < LABELS; a++) {
      for (int b = 0; b < LABELS; b++) {
        rows.add(List.of(BigDecimal.valueOf(a), BigDecimal.valueOf(b)));
      }
    }
    return rows;
  }

  private static MeasurementStrategy strategy(Plan plan) {
    return new StrategySelection()
        .of(
            plan.query().releases().getFirst(),
            plan.measurements(),
            labels(),
            List.of(),
            BudgetNorm.SQUARES,
            (p, set, released) -> p.ofSet(set, released, plan.neighbors(), METRICS))
        .getFirst();
  }

  @Test
  void sharesOfRhoAddUpToHalfOfTheSquareExactly() {
    for (String epsilon : List.of("1", "0.1", "0.3333333333333333333333333333", "7.7")) {
      Rational spent = Rational.of(BigInteger.ZERO);
      for (MeasurementStrategy.Cuboid cuboid :
          strategy(plan(Policy.Composition.ZCDP, CUBE, epsilon)).cuboids()) {
        Gaussian own = assertInstanceOf(Gaussian.class, cuboid.mechanism());
        Rational moved = Rational.of(cuboid.sensitivity());
        Rational twice = own.variance(cuboid.sensitivity()).times(Rational.of(2));
        spent = spent.plus(moved.times(moved).over(twice));
      }
      Rational whole = Rational.of(new BigDecimal(epsilon));
      Rational left = whole.times(whole).over(Rational.of(2)).minus(spent);
      assertTrue(left.signum() >= 0, "at " + epsilon);
      assertTrue(left.compareTo(Rational.of(new BigDecimal("1e-5"))) < 0, "hardly any is wasted");
    }
  }

  @Test
  void severalMeasurementsShareRho() {
    Plan plan = plan(Policy.Composition.ZCDP, "SELECT COUNT(*), COUNT(a), COUNT(b) FROM t", "1");
    BigDecimal rho =
        plan.measurements().stream()
            .map(p -> p.noise().orElseThrow().mechanism().rho().orElseThrow())
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    assertTrue(rho.compareTo(new BigDecimal("0.5")) <= 0);
    assertEquals(0.5, rho.doubleValue(), 1e-12);
  }

  @Test
  void otherCompositionsHaveNone() {
    for (Policy.Composition other :
        List.of(Policy.Composition.BASIC, Policy.Composition.ADAPTIVE)) {
      Rejection refused = assertThrows(Rejection.class, () -> plan(other, CUBE, "1"));
      assertEquals(RejectionCode.MECHANISM_UNSUITABLE, refused.code());
    }
  }

  @Test
  void epsilonsWithoutAGaussianAreRefused() {
    for (String epsilon : List.of("1e-8", "5000")) {
      Rejection refused =
          assertThrows(Rejection.class, () -> plan(Policy.Composition.ZCDP, CUBE, epsilon));
      assertEquals(RejectionCode.MECHANISM_UNSUITABLE, refused.code());
    }
  }

  /**
   * Of a ρ-private answer no statistic moves by more than √(2ρ) of its deviations: all cells that
   * hold a row, added up, over many whole CUBEs.
   */
  @Test
  void aWholeCubeKeepsItsPromise() {
    Plan plan = plan(Policy.Composition.ZCDP, CUBE, "1");
    assertTrue(moved(plan, strategy(plan)) <= 1.05, "" + moved(plan, strategy(plan)));
  }

  @Test
  void oneCuboidWithAllOfRhoIsNoticed() {
    Plan plan = plan(Policy.Composition.ZCDP, CUBE, "1");
    MeasurementStrategy honest = strategy(plan);
    Gaussian all = Gaussian.ofZcdp(new BigDecimal("0.5"), new BigDecimal("1e-10"));
    List<MeasurementStrategy.Cuboid> cuboids = new ArrayList<>();
    honest
        .cuboids()
        .forEach(c -> cuboids.add(new MeasurementStrategy.Cuboid(c.point(), all, c.sensitivity())));
    assertTrue(cuboids.size() > 1);
    MeasurementStrategy greedy =
        new MeasurementStrategy(honest.frame(), honest.measurement(), 0, cuboids);
    assertTrue(moved(plan, greedy) > 1.05, "" + moved(plan, greedy));
  }

  /** How far one row moves the most telling of some sums of cells, in deviations. */
  private static double moved(Plan plan, MeasurementStrategy strategy) {
    int times = 3_000;
    SplittableRandom random = new SplittableRandom(7);
    BitSource bits =
        new BitSource() {
          @Override
          protected long next() {
            return random.nextLong();
          }
        };
    MarginalsReleaser releaser = new MarginalsReleaser(new Noise(bits));
    // Of the four sets of the CUBE, weighed in several ways.
    double[][] weights = {
      {1, 1, 1, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1, 0}, {1, 2, 2, 4}, {4, 2, 2, 1}
    };
    double[] sums = new double[weights.length];
    double[] squares = new double[weights.length];
    for (int i = 0; i < times; i++) {
      double[] cells = touched(plan, strategy, releaser);
      for (int w = 0; w < weights.length; w++) {
        double value = 0;
        for (int s = 0; s < cells.length; s++) {
          value += weights[w][s] * cells[s];
        }
        sums[w] += value;
        squares[w] += value * value;
      }
    }
    double most = 0;
    for (int w = 0; w < weights.length; w++) {
      double mean = sums[w] / times;
      double deviation = Math.sqrt(squares[w] / times - mean * mean);
      double shift = 0;
      for (double weight : weights[w]) {
        shift += weight;
      }
      most = Math.max(most, shift / deviation);
    }
    return most;
  }

  /** The cells of the four sets that hold the row (0, 0), of an empty table. */
  private static double[] touched(
      Plan plan, MeasurementStrategy strategy, MarginalsReleaser releaser) {
    NoisyAggregate point = plan.query().releases().getFirst();
    CuboidCells cells = new CuboidCells(strategy.frame(), point.by(strategy.sets()));
    List<ExactHistogram.Bin> bins = ExactHistogram.of(point, labels()).bins();
    List<BigDecimal> values = releaser.estimates(point, strategy, cells, 0, bins);
    double[] touched = new double[4];
    for (int i = 0; i < bins.size(); i++) {
      boolean holds =
          bins.get(i).labels().stream().allMatch(l -> l == null || ((BigDecimal) l).signum() == 0);
      if (holds) {
        touched[bins.get(i).set()] = values.get(i).doubleValue();
      }
    }
    return touched;
  }
}
