package flexdp.marginals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.metrics.Metrics;
import flexdp.noise.BitSource;
import flexdp.noise.Laplace;
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

/** What is spent on cuboids, and what whole CUBEs tell. */
class StrategySelectionTest {
  private static final int LABELS = 12;
  private static final Policy POLICY = policy();

  private static Policy policy() {
    List<ColumnSpec> columns = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      List<Object> labels = new ArrayList<>();
      for (int i = 0; i < LABELS; i++) {
        labels.add(BigDecimal.valueOf(i));
      }
      columns.add(
          new ColumnSpec(
              name, Type.INTEGER, false, Optional.empty(), Optional.of(labels), Optional.empty()));
    }
    Table table = new Table("t", false, columns, List.of(), List.of());
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            10_000),
        Map.of("t", table));
  }

  private static Plan plan(String sql, String epsilon) {
    return new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 1, 1, 0, 0))
        .plan(
            sql,
            new AnalysisOptions(
                RuleSet.FLEXDP,
                MechanismChoice.AUTO,
                Optional.of(new BigDecimal(epsilon)),
                Optional.empty(),
                List.of(0L),
                Optional.empty()));
  }

  private static List<List<Object>> labels(int keys) {
    List<List<Object>> rows = List.of(List.of());
    for (int key = 0; key < keys; key++) {
      List<List<Object>> longer = new ArrayList<>();
      for (List<Object> row : rows) {
        for (int i = 0; i < LABELS; i++) {
          List<Object> more = new ArrayList<>(row);
          more.add(BigDecimal.valueOf(i));
          longer.add(more);
        }
      }
      rows = longer;
    }
    return rows;
  }

  private static MeasurementStrategy strategy(Plan plan, int keys) {
    NoisyAggregate point = plan.query().releases().getFirst();
    return new StrategySelection()
        .of(
            point,
            plan.measurements(),
            labels(keys),
            List.of(),
            BudgetNorm.SUM,
            (p, set, released) ->
                p.ofSet(set, released, plan.neighbors(), new Metrics(Map.of(), Map.of())))
        .getFirst();
  }

  @Test
  void sharesAddUpToNoMoreThanEpsilonExactly() {
    for (String epsilon : List.of("1", "0.1", "0.3333333333333333333333333333", "7.7")) {
      MeasurementStrategy strategy =
          strategy(plan("SELECT a, b, c, COUNT(*) FROM t GROUP BY CUBE(a, b, c)", epsilon), 3);
      Rational spent = Rational.of(BigInteger.ZERO);
      for (MeasurementStrategy.Cuboid cuboid : strategy.cuboids()) {
        Rational scale = cuboid.mechanism().exactScale(cuboid.sensitivity());
        spent = spent.plus(Rational.of(cuboid.sensitivity()).over(scale));
      }
      Rational left = Rational.of(new BigDecimal(epsilon)).minus(spent);
      assertTrue(left.signum() >= 0, "at " + epsilon);
      assertTrue(left.compareTo(Rational.of(new BigDecimal("1e-5"))) < 0, "hardly any is wasted");
    }
  }

  @Test
  void twoGatewaysChooseOneSplit() {
    String sql = "SELECT a, b, c, COUNT(*) FROM t GROUP BY ROLLUP(a, b, c)";
    assertEquals(strategy(plan(sql, "1"), 3).cuboids(), strategy(plan(sql, "1"), 3).cuboids());
  }

  /** Thousands of whole CUBEs of two neighbours: no event is more than e^ε times as probable. */
  @Test
  void aWholeCubeKeepsItsPromise() {
    Plan plan = plan("SELECT a, b, COUNT(*) FROM t GROUP BY CUBE(a, b)", "1");
    assertTrue(excess(plan, strategy(plan, 2)) < 5);
  }

  @Test
  void oneCuboidWithAllOfEpsilonIsNoticed() {
    Plan plan = plan("SELECT a, b, COUNT(*) FROM t GROUP BY CUBE(a, b)", "1");
    MeasurementStrategy honest = strategy(plan, 2);
    List<MeasurementStrategy.Cuboid> cuboids = new ArrayList<>(honest.cuboids());
    assertTrue(cuboids.size() > 1);
    for (int i = 0; i < cuboids.size(); i++) {
      MeasurementStrategy.Cuboid c = cuboids.get(i);
      cuboids.set(
          i,
          new MeasurementStrategy.Cuboid(c.point(), Laplace.of(BigDecimal.ONE), c.sensitivity()));
    }
    MeasurementStrategy greedy =
        new MeasurementStrategy(honest.frame(), honest.measurement(), 0, cuboids);
    assertTrue(excess(plan, greedy) > 5);
  }

  /** How far the worst log ratio is above ε, in standard errors. */
  private static double excess(Plan plan, MeasurementStrategy strategy) {
    int times = 2_000;
    int[][] low = new int[2][6];
    for (int side = 0; side < 2; side++) {
      SplittableRandom random = new SplittableRandom(40 + side);
      MarginalsReleaser releaser = new MarginalsReleaser(new Noise(bits(random)));
      for (int i = 0; i < times; i++) {
        List<BigDecimal> cube = answer(plan, strategy, releaser, side);
        // Cells that hold the row: its own, those of its keys, and the total.
        BigDecimal least = cube.stream().min(BigDecimal::compareTo).orElseThrow();
        BigDecimal most = cube.stream().max(BigDecimal::compareTo).orElseThrow();
        for (int e = 0; e < 6; e++) {
          BigDecimal limit = BigDecimal.valueOf(new int[] {1, 2, 3, 3, 4, 5}[e]);
          low[side][e] +=
              (e < 3 ? most.compareTo(limit) <= 0 : least.compareTo(limit) >= 0) ? 1 : 0;
        }
      }
    }
    double worst = Double.NEGATIVE_INFINITY;
    for (int e = 0; e < 6; e++) {
      double one = low[0][e] + 1.0;
      double two = low[1][e] + 1.0;
      double n = times + 2;
      double deviation = Math.sqrt((1 - one / n) / one + (1 - two / n) / two);
      worst = Math.max(worst, (Math.abs(Math.log(one / two)) - 1) / deviation);
    }
    return worst;
  }

  private static BitSource bits(SplittableRandom random) {
    return new BitSource() {
      @Override
      protected long next() {
        return random.nextLong();
      }
    };
  }

  /** Of three rows (0, 0), or of four. */
  private static List<BigDecimal> answer(
      Plan plan, MeasurementStrategy strategy, MarginalsReleaser releaser, int side) {
    NoisyAggregate point = plan.query().releases().getFirst();
    NoisyAggregate read = point.by(strategy.sets());
    CuboidCells cells = new CuboidCells(strategy.frame(), read);
    for (List<Integer> set : read.groupingSets()) {
      List<Object> labels = new ArrayList<>();
      for (int key = 0; key < 2; key++) {
        labels.add(set.contains(key) ? BigDecimal.ZERO : null);
      }
      cells.add(read.bits(set), labels, 0, BigInteger.valueOf(3 + side));
    }
    List<ExactHistogram.Bin> bins = ExactHistogram.of(point, labels(2)).bins();
    List<BigDecimal> values = releaser.estimates(point, strategy, cells, 0, bins);
    List<BigDecimal> touched = new ArrayList<>();
    for (int i = 0; i < bins.size(); i++) {
      boolean holds =
          bins.get(i).labels().stream().allMatch(l -> l == null || ((BigDecimal) l).signum() == 0);
      if (holds) {
        touched.add(values.get(i));
      }
    }
    assertFalse(touched.isEmpty());
    return touched;
  }
}
