package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.Relation;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What is left of a table with two enforced caps, as questions read it: against every neighbour of
 * many small databases, and the ways to leave rows out that look as good and are not.
 */
class CapOracleTest {
  private static final String BOTH =
      "SELECT COUNT(*) FROM t JOIN s ON s.k = t.a JOIN s s2 ON s2.k = t.b JOIN t o ON o.a = t.a"
          + " AND o.id = t.id";
  private static final String ONE = "SELECT COUNT(*) FROM s JOIN t ON t.a = s.k";

  private static Policy policy() {
    Table t =
        new Table(
            "t",
            false,
            List.of(column("id", false), column("a", true), column("b", true)),
            List.of(Set.of("id")),
            List.of(
                new Table.FrequencyCap(Set.of("a"), BigInteger.ONE, true),
                new Table.FrequencyCap(Set.of("b"), BigInteger.TWO, true)));
    Table s = new Table("s", false, List.of(column("k", false)), List.of(Set.of("k")), List.of());
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.of(BigDecimal.ONE),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            100),
        Map.of("t", t, "s", s));
  }

  private static ColumnSpec column(String name, boolean nullable) {
    return new ColumnSpec(
        name, Type.INTEGER, nullable, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static NoisyAggregate point(String sql) {
    Plan plan =
        new Analyzer(policy(), new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 1, 1, 0, 0))
            .plan(sql, AnalysisOptions.DEFAULT);
    return plan.query().releases().getFirst();
  }

  /** The capped scan of t with both caps, whichever question it comes from. */
  private static Relation.TopRows capped() {
    Relation.TopRows[] found = new Relation.TopRows[1];
    flexdp.algebra.AlgebraWalker.visit(
        point(ONE).input(),
        r -> {
          if (r instanceof Relation.TopRows top) {
            found[0] = top;
          }
        });
    Relation.Scan scan = (Relation.Scan) found[0].input();
    return new Relation.TopRows(
        scan,
        List.of(scan.columns().get(1).ref()),
        found[0].order(),
        1,
        List.of(new Relation.TopRows.Rank(List.of(scan.columns().get(2).ref()), 1)),
        true,
        found[0].at());
  }

  private static Relation chained(Relation.TopRows top) {
    Relation first =
        new Relation.TopRows(
            top.input(), top.partition(), top.order(), top.count(), List.of(), true, top.at());
    Relation.TopRows.Rank next = top.also().getFirst();
    return new Relation.TopRows(
        first, next.partition(), top.order(), next.count(), List.of(), true, top.at());
  }

  private static Map<String, List<Object[]>> database(Random random) {
    List<Object[]> t = new ArrayList<>();
    int size = random.nextInt(8);
    for (int id = 0; id < size; id++) {
      t.add(new Object[] {(long) id, value(random), value(random)});
    }
    List<Object[]> s = new ArrayList<>();
    for (long k = 0; k < 3; k++) {
      s.add(new Object[] {k});
    }
    return Map.of("t", t, "s", s);
  }

  private static Object value(Random random) {
    int drawn = random.nextInt(4);
    return drawn == 3 ? null : (Object) (long) drawn;
  }

  /** The most that one more row of t changes, added, removed and in all. */
  private static int[] worst(Relation relation, int trials) {
    return worst(database -> new Interpreter(database).rows(relation), trials);
  }

  private static int[] worst(Function<Map<String, List<Object[]>>, Rows> left, int trials) {
    Random random = new Random(17);
    int[] worst = new int[3];
    for (int i = 0; i < trials; i++) {
      Map<String, List<Object[]>> small = database(random);
      Map<String, List<Object[]>> large = new HashMap<>(small);
      List<Object[]> more = new ArrayList<>(small.get("t"));
      more.add(new Object[] {100L + random.nextInt(1000), value(random), value(random)});
      large.put("t", more);
      Truth.Change change = Truth.change(left.apply(small), left.apply(large));
      worst[0] = Math.max(worst[0], change.added());
      worst[1] = Math.max(worst[1], change.removed());
      worst[2] = Math.max(worst[2], change.both());
    }
    return worst;
  }

  @Test
  void twoCapsMoveThreeRowsAtMostAndThatIsTight() {
    int[] worst = worst(capped(), 20_000);
    assertEquals(1, worst[0]);
    assertEquals(2, worst[1]);
    assertEquals(3, worst[2]);
    SensitivityAnalysis analysis =
        StabilityFuzzTest.analysis(new Metrics(Map.of(), Map.of()), RuleSet.FLEXDP);
    Stability signed = analysis.stability(capped(), new PrivacyUnit.Row("t"));
    assertEquals(Optional.of(BigInteger.ONE), signed.added().ceiling());
    assertEquals(Optional.of(BigInteger.TWO), signed.removed().ceiling());
    assertEquals(Optional.of(BigInteger.valueOf(3)), signed.both().ceiling());
  }

  @Test
  void oneCapAfterTheOtherIsCaught() {
    assertTrue(worst(chained(capped()), 20_000)[2] > 3);
  }

  /** The rows of t in the order of the caps, where every other row keeps its place. */
  private static List<Object[]> ordered(Map<String, List<Object[]>> database) {
    Relation.TopRows top = capped();
    List<Object[]> left = new ArrayList<>(database.get("t"));
    List<Object[]> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      Map<String, List<Object[]>> rest = new HashMap<>(database);
      rest.put("t", left);
      Relation first =
          new Relation.TopRows(top.input(), List.of(), top.order(), 1, List.of(), false, top.at());
      Object id = new Interpreter(rest).rows(first).rows().getFirst()[0];
      for (Object[] row : List.copyOf(left)) {
        if (row[0].equals(id)) {
          ordered.add(row);
          left.remove(row);
        }
      }
    }
    return ordered;
  }

  private static Rows left(List<Object[]> rows) {
    return new Interpreter(Map.of("t", rows)).rows(capped().input());
  }

  /** A row stays while there is room for it among those that stayed. */
  private static Rows greedy(Map<String, List<Object[]>> database) {
    Map<Object, Integer> byA = new HashMap<>();
    Map<Object, Integer> byB = new HashMap<>();
    List<Object[]> kept = new ArrayList<>();
    for (Object[] row : ordered(database)) {
      boolean room =
          (row[1] == null || byA.getOrDefault(row[1], 0) < 1)
              && (row[2] == null || byB.getOrDefault(row[2], 0) < 1);
      if (room) {
        byA.merge(row[1] == null ? "null" : row[1], 1, Integer::sum);
        byB.merge(row[2] == null ? "null" : row[2], 1, Integer::sum);
        kept.add(row);
      }
    }
    return left(kept);
  }

  /** A group that is too large goes as a whole. */
  private static Rows dropped(Map<String, List<Object[]>> database) {
    Map<Object, Integer> byA = new HashMap<>();
    Map<Object, Integer> byB = new HashMap<>();
    for (Object[] row : database.get("t")) {
      byA.merge(row[1] == null ? "null" : row[1], 1, Integer::sum);
      byB.merge(row[2] == null ? "null" : row[2], 1, Integer::sum);
    }
    return left(
        database.get("t").stream()
            .filter(r -> r[1] == null || byA.get(r[1]) <= 3)
            .filter(r -> r[2] == null || byB.get(r[2]) <= 3)
            .toList());
  }

  @Test
  void takingRowsWhileThereIsRoomIsCaught() {
    assertTrue(worst(CapOracleTest::greedy, 2_000)[2] > 3);
  }

  @Test
  void leavingOutWholeGroupsIsCaught() {
    assertTrue(worst(CapOracleTest::dropped, 2_000)[2] > 3);
  }

  /** The whole question never changes by more than its bound says. */
  @Test
  void questionsStayWithinTheirBound() {
    for (String sql : List.of(ONE, BOTH)) {
      NoisyAggregate point = point(sql);
      BigInteger bound =
          Sensitivity.of(
                  point,
                  point.measurements().getFirst(),
                  new Metrics(Map.of(), Map.of()),
                  Neighbors.ADD_REMOVE_ONE,
                  RuleSet.FLEXDP)
              .ceiling()
              .orElseThrow();
      int[] worst = worst(point.input(), 5_000);
      assertTrue(
          worst[2] <= bound.intValueExact()
              || Math.max(worst[0], worst[1]) <= bound.intValueExact(),
          sql + " moves by " + worst[2] + " of " + bound);
    }
  }

  /** A cap that a question does not need is not enforced in it. */
  @Test
  void oneCapIsEnoughForOneKey() {
    List<Integer> ranks = new ArrayList<>();
    flexdp.algebra.AlgebraWalker.visit(
        point(ONE).input(),
        r -> {
          if (r instanceof Relation.TopRows top) {
            ranks.add(top.ranks().size());
          }
        });
    assertEquals(List.of(1), ranks);
  }
}
