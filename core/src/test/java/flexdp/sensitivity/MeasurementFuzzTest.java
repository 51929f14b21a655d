package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.metrics.Metrics;
import flexdp.policy.Neighbors;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Counts, distinct counts and sums, with and without keys, under both kinds of neighbours. */
class MeasurementFuzzTest {
  private static final int TREES = Integer.getInteger("measurement.trees", 1_540);

  private int checks;
  private int oneWay;

  @Test
  void theAnswerNeverChangesMoreThanTheBoundSays() {
    RandomTrees.Aim[] aims = RandomTrees.Aim.values();
    for (int i = 0; i < TREES; i++) {
      long seed = 5_000_000L + i;
      Random random = new Random(seed);
      Relation relation =
          new RandomTrees(random).tree(aims[i % aims.length], 1 + random.nextInt(3));
      try {
        judge(point(relation, random), random, seed);
      } catch (Rejection ignored) {
        continue;
      }
    }
    assertTrue(checks > 20_000, () -> "only " + checks + " checks");
    assertTrue(oneWay > 500, () -> "only " + oneWay + " that go one way");
  }

  private static NoisyAggregate point(Relation input, Random random) {
    List<Column> columns = input.columns().stream().distinct().toList();
    Column argument = columns.get(random.nextInt(columns.size()));
    int kind = random.nextInt(4);
    // Drawn in this order, whether it is used or not: seeds mean the questions they always meant.
    Optional<Range> range =
        kind == 3
            ? Optional.of(Range.of(random.nextInt(3) - 1, 1 + random.nextInt(2)))
            : Optional.empty();
    Optional<Expr> filter =
        random.nextInt(5) == 0
            ? Optional.of(new RandomTrees(random).local(columns))
            : Optional.empty();
    Column output = new Column(900_000, "m", Type.BIGINT, false);
    Measurement.Origin origin = new Measurement.Origin("COUNT", "part", Optional.empty(), Trees.AT);
    Measurement measurement =
        switch (kind) {
          case 0 -> new Measurement.Count(output, origin, Optional.empty(), filter);
          case 1 -> new Measurement.Count(output, origin, Optional.of(argument.ref()), filter);
          case 2 -> new Measurement.CountDistinct(output, origin, argument.ref(), filter);
          default ->
              new Measurement.Sum(
                  output,
                  origin,
                  argument.ref(),
                  filter,
                  new Measurement.Clamp(range.orElseThrow(), BigDecimal.ONE));
        };
    List<Column> keys = new ArrayList<>();
    List<List<Integer>> sets = List.of(List.of());
    if (random.nextBoolean()) {
      keys.add(columns.get(random.nextInt(columns.size())));
      sets = random.nextInt(4) == 0 ? List.of(List.of(0), List.of()) : List.of(List.of(0));
    }
    return new NoisyAggregate(
        0, input, keys, sets, List.of(), List.of(measurement), new Labels.None(), Trees.AT);
  }

  private void judge(NoisyAggregate point, Random random, long seed) {
    Map<String, List<Object[]>> database = TinyDatabases.random(random);
    Measurement measurement = point.measurements().get(0);
    Metrics metrics = TinyDatabases.measure(database, random.nextBoolean());
    Bound one = bound(point, measurement, metrics, Neighbors.ADD_REMOVE_ONE);
    Bound two = bound(point, measurement, metrics, Neighbors.REPLACE_ONE);
    MonotoneDirection direction =
        Sensitivity.direction(point, measurement, metrics, Neighbors.ADD_REMOVE_ONE);
    Map<Object, Long> here = answer(point, measurement, database);
    for (Table table : TinyDatabases.TABLES) {
      if (table.isPublic()) {
        continue;
      }
      List<Object[]> rows = database.get(table.name());
      for (Object[] row : TinyDatabases.possible(table)) {
        if (TinyDatabases.allows(table, rows, row)) {
          Map<String, List<Object[]>> more = TinyDatabases.plus(database, table, row);
          Map<Object, Long> there = answer(point, measurement, more);
          within("added", here, there, one, point, seed);
          goes(direction, here, there, point, seed);
        }
        if (!rows.isEmpty()) {
          Map<String, List<Object[]>> less = new HashMap<>(database);
          less.put(table.name(), rows.subList(1, rows.size()));
          if (TinyDatabases.allows(table, less.get(table.name()), row)) {
            Map<String, List<Object[]>> other = TinyDatabases.plus(less, table, row);
            within("replaced", here, answer(point, measurement, other), two, point, seed);
          }
        }
      }
    }
  }

  private static Bound bound(
      NoisyAggregate point, Measurement measurement, Metrics metrics, Neighbors neighbors) {
    return Sensitivity.of(point, measurement, metrics, neighbors, RuleSet.FLEXDP);
  }

  private void within(
      String what,
      Map<Object, Long> one,
      Map<Object, Long> other,
      Bound bound,
      NoisyAggregate point,
      long seed) {
    Set<Object> bins = new HashSet<>(one.keySet());
    bins.addAll(other.keySet());
    long change = 0;
    for (Object bin : bins) {
      change += Math.abs(one.getOrDefault(bin, 0L) - other.getOrDefault(bin, 0L));
    }
    checks++;
    if (bound.atZero().longValueExact() < change) {
      fail("seed %d: %s: %d > %s\n%s".formatted(seed, what, change, bound.formula(), point));
    }
  }

  private void goes(
      MonotoneDirection direction,
      Map<Object, Long> one,
      Map<Object, Long> other,
      NoisyAggregate point,
      long seed) {
    Set<Object> bins = new HashSet<>(one.keySet());
    bins.addAll(other.keySet());
    for (Object bin : bins) {
      long change = other.getOrDefault(bin, 0L) - one.getOrDefault(bin, 0L);
      if (change < 0 && direction.onlyUp() || change > 0 && direction.onlyDown()) {
        fail("seed %d: %s but %d\n%s".formatted(seed, direction, change, point));
      }
      oneWay += direction.isOneWay() && change != 0 ? 1 : 0;
    }
  }

  private static Map<Object, Long> answer(
      NoisyAggregate point, Measurement measurement, Map<String, List<Object[]>> database) {
    Rows rows = new Interpreter(database).rows(point.input());
    Map<Object, Long> answer = new HashMap<>();
    for (List<Integer> set : point.groupingSets()) {
      Set<List<Object>> seen = new HashSet<>();
      for (Object[] row : rows.rows()) {
        Object value =
            measurement.argument().isEmpty() ? 1L : rows.value(measurement.argument().get(), row);
        boolean counts = measurement.filter().map(f -> rows.isTrue(f, row)).orElse(true);
        if (value == null || !counts) {
          continue;
        }
        List<Object> bin = new ArrayList<>(List.of(set));
        set.forEach(i -> bin.add(rows.value(point.keys().get(i).ref(), row)));
        List<Object> whole = new ArrayList<>(bin);
        whole.add(value);
        if (!(measurement instanceof Measurement.CountDistinct) || seen.add(whole)) {
          answer.merge(bin, worth(measurement, (Long) value), Long::sum);
        }
      }
    }
    return answer;
  }

  private static long worth(Measurement measurement, long value) {
    return switch (measurement) {
      case Measurement.Count ignored -> 1;
      case Measurement.CountDistinct ignored -> 1;
      case Measurement.Sum sum -> sum.clamp().nearest(BigInteger.valueOf(value)).longValueExact();
      case Measurement.Selected ignored -> throw new AssertionError("no such measurement is made");
    };
  }

  @Test
  void simplifiedOuterJoinsGiveTheSameRows() {
    RandomTrees.Aim[] aims = {
      RandomTrees.Aim.FILTER,
      RandomTrees.Aim.INNER,
      RandomTrees.Aim.SEMI,
      RandomTrees.Aim.SET,
      RandomTrees.Aim.GROUP,
      RandomTrees.Aim.LEFT
    };
    int simplified = 0;
    for (int i = 0; i < 6_000; i++) {
      Random random = new Random(9_000_000L + i);
      Relation relation =
          new RandomTrees(random).tree(aims[i % aims.length], 2 + random.nextInt(2));
      Relation simpler = OuterJoins.simplify(relation, AppliedRules.UNNOTED);
      if (!simpler.equals(relation)) {
        simplified++;
        Interpreter interpreter = new Interpreter(TinyDatabases.random(random));
        assertEquals(
            interpreter.rows(relation).counted(),
            interpreter.rows(simpler).counted(),
            "seed " + i + "\n" + relation + "\n" + simpler);
      }
    }
    int shown = simplified;
    assertTrue(simplified > 250, () -> "only " + shown);
  }
}
