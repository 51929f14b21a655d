package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.marginals.MeasurementStrategy;
import flexdp.marginals.StrategySelection;
import flexdp.metrics.Metrics;
import flexdp.people.clipping.Contributions;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Grouping sets that are measured together, between neighbours. */
class MarginalsReleaseTest {
  private static final int LABELS = 6;
  private static final Metrics METRICS = new Metrics(Map.of(), Map.of());

  /** A table of so many rows of the same labels. */
  private record Trips(int rows) implements ExactRows {
    @Override
    public void cells(Reading.Cells what, CellSink to) {
      for (int row = 0; row < rows; row++) {
        for (List<Integer> set : what.point().groupingSets()) {
          Object[] labels = new Object[2];
          set.forEach(key -> labels[key] = BigDecimal.ONE);
          to.add(what.point().bits(set), Arrays.asList(labels), 0, BigInteger.ONE);
        }
      }
    }

    @Override
    public void people(Reading.People what, Contributions<PersonCell> to) {
      throw new AssertionError("nobody owns these rows");
    }

    @Override
    public void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to) {
      throw new AssertionError("nobody owns these rows");
    }

    @Override
    public boolean staysOpen() {
      return true;
    }
  }

  private static ReleasePlan release() {
    List<ColumnSpec> columns = new ArrayList<>();
    List<Object> labels = new ArrayList<>();
    for (int i = 0; i < LABELS; i++) {
      labels.add(BigDecimal.valueOf(i));
    }
    for (String name : List.of("a", "b")) {
      columns.add(
          new ColumnSpec(
              name, Type.INTEGER, false, Optional.empty(), Optional.of(labels), Optional.empty()));
    }
    Policy policy =
        new Policy(
            Optional.empty(),
            new Policy.Privacy(
                Neighbors.ADD_REMOVE_ONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                10_000),
            Map.of("t", new Table("t", false, columns, List.of(), List.of())));
    Plan plan =
        new Analyzer(policy, METRICS, LocalDateTime.of(2024, 1, 1, 0, 0))
            .plan(
                "SELECT a, b, COUNT(*) FROM t GROUP BY CUBE(a, b)",
                new AnalysisOptions(
                    RuleSet.FLEXDP,
                    MechanismChoice.AUTO,
                    Optional.of(BigDecimal.ONE),
                    Optional.empty(),
                    List.of(0L),
                    Optional.empty()));
    NoisyAggregate point = plan.query().releases().getFirst();
    List<MeasurementStrategy> strategies =
        new StrategySelection()
            .of(
                point,
                plan.measurements(),
                labels(labels),
                List.of(),
                BudgetNorm.SUM,
                (p, set, released) -> p.ofSet(set, released, plan.neighbors(), METRICS));
    return ReleasePlan.of(
        plan,
        point,
        strategies,
        List.of(),
        new ReleasePlan.Means(
            Optional.empty(),
            packing -> {
              throw new AssertionError("nobody owns these rows");
            }));
  }

  private static List<List<Object>> labels(List<Object> each) {
    List<List<Object>> rows = new ArrayList<>();
    each.forEach(a -> each.forEach(b -> rows.add(List.of(a, b))));
    return rows;
  }

  private static List<NeighborDistance> moved(ReleasePlan release, int rows, int others) {
    Optional<List<List<Object>>> labels =
        Optional.of(List.of(List.of(BigDecimal.ONE, BigDecimal.ONE)));
    return release.distance(
        release.read(new Trips(rows), labels), release, release.read(new Trips(others), labels));
  }

  @Test
  void oneRowMovesEveryCuboidByWhatItsNoiseIsMadeForAndTwoRowsByMore() {
    ReleasePlan release = release();
    List<NeighborDistance> one = moved(release, 5, 4);
    assertEquals(release.draws().size(), one.size());
    for (NeighborDistance cuboid : one) {
      assertEquals(0, BigDecimal.ONE.compareTo(cuboid.moved()), cuboid::toString);
      assertTrue(!cuboid.isTooFar(), cuboid::toString);
    }
    assertTrue(moved(release, 6, 4).stream().allMatch(NeighborDistance::isTooFar));
  }
}
