package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Subquery;
import flexdp.budget.ChargedPartitions;
import flexdp.partition.PartitionPruning;
import flexdp.policy.Table;
import flexdp.policy.Table.Partition;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random relations over tiny tables, each table partitioned by one of its columns: a row of a part
 * that the footprint does not name changes nothing at all. Rules that say too little are caught:
 * they read the relation as if a join, NOT EXISTS, LIMIT or window were something else.
 */
class PartsFuzzTest {
  private static final int TREES = Integer.getInteger("fuzz.parts", 11_000);
  private static final int DATABASES = 9;
  private static final int MUTATED = 11_000;
  private static final long SEED = Long.getLong("fuzz.seed", 20_261_116L);

  private static final Map<String, UnaryOperator<Relation>> MUTANTS = mutants();

  /** Rows outside of footprints that were tried, and those that changed something. */
  private record Tally(long tried, long narrow, List<String> violations) {}

  @Test
  void rowsOfOtherPartsChangeNothing(TestReporter reporter) {
    Tally tally = run(TREES, SEED, UnaryOperator.identity());
    reporter.publishEntry("parts", tally.narrow() + " narrow, " + tally.tried() + " rows tried");
    if (!tally.violations().isEmpty()) {
      fail(tally.violations().getFirst());
    }
    assertTrue(tally.tried() >= 75_000, () -> "only " + tally.tried() + " rows outside");
  }

  @Test
  void wrongRulesAreCaught() {
    MUTANTS.forEach(
        (name, mistake) ->
            assertTrue(
                !run(MUTATED, SEED + 1, mistake).violations().isEmpty(),
                () -> name + " is not caught"));
  }

  private static Tally run(int trees, long seed, UnaryOperator<Relation> misread) {
    long tried = 0;
    long narrow = 0;
    List<String> violations = new ArrayList<>();
    RandomTrees.Aim[] aims = RandomTrees.Aim.values();
    for (int i = 0; i < trees && violations.isEmpty(); i++) {
      Random random = new Random(seed + i);
      RandomTrees.Aim aim = aims[i % aims.length];
      Relation tree = aimed(new RandomTrees(random).tree(aim, 1 + random.nextInt(2)), random, 60);
      Map<String, Integer> by = new HashMap<>();
      for (Table table : List.of(TinyDatabases.T, TinyDatabases.U, TinyDatabases.V)) {
        by.put(table.name(), random.nextInt(table.columns().size()));
      }
      PartitionPruning pruning = new PartitionPruning();
      pruning.add(misread.apply(partitioned(tree, by)));
      Map<String, ChargedPartitions> parts = pruning.parts();
      narrow += parts.isEmpty() ? 0 : 1;
      for (int d = 0; d < DATABASES && !parts.isEmpty(); d++) {
        Map<String, List<Object[]>> database = TinyDatabases.random(random);
        Rows before = new Interpreter(database).rows(tree);
        for (Map.Entry<String, ChargedPartitions> one : parts.entrySet()) {
          for (Object[] row : outside(one, by, database)) {
            tried++;
            Table table = table(one.getKey());
            Rows after = new Interpreter(TinyDatabases.plus(database, table, row)).rows(tree);
            if (!Truth.differences(before, after).isEmpty()) {
              violations.add(
                  "seed %d: %s moves by a row (%s) of another part than %s\n%s"
                      .formatted(seed + i, tree, java.util.Arrays.toString(row), parts, by));
            }
          }
        }
      }
    }
    return new Tally(tried, narrow, violations);
  }

  /** With conditions strewn over it: above operators, in ON and between a subquery and its row. */
  private static Relation aimed(Relation relation, Random random, int percent) {
    Relation below = InputReplacement.replaced(relation, r -> aimed(r, random, 20));
    Relation strewn =
        switch (below) {
          case Relation.Join join when random.nextInt(100) < 60 ->
              new Relation.Join(
                  join.kind(),
                  join.left(),
                  join.right(),
                  Exprs.and(List.of(join.condition(), condition(join.columns(), random))),
                  join.at());
          case Relation.Where where when random.nextInt(100) < 60 ->
              new Relation.Where(
                  where.input(),
                  where.subqueries().stream().map(s -> aimed(s, where, random)).toList(),
                  where.predicate());
          default -> below;
        };
    return random.nextInt(100) < percent && !strewn.columns().isEmpty()
        ? new Relation.Filter(strewn, condition(strewn.columns(), random))
        : strewn;
  }

  private static Subquery aimed(Subquery subquery, Relation.Where where, Random random) {
    List<Column> columns = new ArrayList<>(subquery.relation().columns());
    columns.addAll(where.input().columns());
    Expr on = Exprs.and(List.of(subquery.condition(), condition(columns, random)));
    return switch (subquery) {
      case Subquery.Exists e ->
          new Subquery.Exists(e.output(), e.negated(), e.relation(), on, e.at());
      case Subquery.Scalar s ->
          new Subquery.Scalar(s.output(), s.relation(), on, s.calls(), s.value(), s.at());
    };
  }

  private static Expr condition(List<Column> columns, Random random) {
    Expr one = columns.get(random.nextInt(columns.size())).ref();
    Expr constant = Trees.literal(random.nextInt(2));
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> Trees.call(Function.EQ, one, constant);
      case 3 -> Trees.call(Function.LE, constant, one);
      case 4 -> Trees.call(Function.IS_NULL, one);
      case 5 -> Trees.call(Function.NOT, Trees.call(Function.NE, one, constant));
      case 6 ->
          Trees.call(
              Function.OR,
              Trees.call(Function.IS_NULL, one),
              Trees.call(Function.GT, one, Trees.literal(0)));
      case 7 ->
          Trees.call(
              Function.AND, Trees.call(Function.EQ, one, constant), condition(columns, random));
      default -> Trees.call(Function.IS_NOT_NULL, one);
    };
  }

  /** The rows that a table might hold besides, in parts that are not named. */
  private static List<Object[]> outside(
      Map.Entry<String, ChargedPartitions> parts,
      Map<String, Integer> by,
      Map<String, List<Object[]>> database) {
    Table table = table(parts.getKey());
    int column = by.get(parts.getKey());
    List<Object[]> rows = new ArrayList<>();
    for (Object[] row : TinyDatabases.possible(table)) {
      String part = row[column] == null ? "NULL" : row[column].toString();
      if (!parts.getValue().names().contains(part)
          && TinyDatabases.allows(table, database.get(table.name()), row)) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static Table table(String name) {
    return TinyDatabases.TABLES.stream().filter(t -> t.name().equals(name)).findFirst().get();
  }

  private static Relation partitioned(Relation relation, Map<String, Integer> by) {
    if (relation instanceof Relation.Scan scan && scan.table().isProtected()) {
      String column = scan.table().columns().get(by.get(scan.table().name())).name();
      Partition partition = new Partition(column, Type.INTEGER, Optional.empty());
      return new Relation.Scan(
          scan.table().partitioned(Optional.of(partition)), scan.columns(), scan.at());
    }
    return InputReplacement.replaced(relation, r -> partitioned(r, by));
  }

  /** What each wrong rule takes a relation for. */
  private static Map<String, UnaryOperator<Relation>> mutants() {
    Map<String, UnaryOperator<Relation>> all = new HashMap<>();
    all.put("ON of LEFT", everywhere(r -> joined(r, JoinKind.LEFT, JoinKind.INNER)));
    all.put("ON of FULL", everywhere(r -> joined(r, JoinKind.FULL, JoinKind.INNER)));
    all.put("FULL as LEFT", everywhere(r -> joined(r, JoinKind.FULL, JoinKind.LEFT)));
    all.put("NOT EXISTS", everywhere(PartsFuzzTest::existing));
    all.put("LIMIT", everywhere(r -> r instanceof Relation.Limit l ? l.input() : r));
    all.put("ROW_NUMBER", everywhere(r -> r instanceof Relation.TopRows t ? t.input() : r));
    all.put(
        "window",
        everywhere(
            r -> r instanceof Relation.Window w ? new Relation.Window(w.input(), List.of()) : r));
    all.put("grouping sets", everywhere(PartsFuzzTest::oneSet));
    all.put("other scans", PartsFuzzTest::firstScan);
    return all;
  }

  private static UnaryOperator<Relation> everywhere(UnaryOperator<Relation> mistake) {
    return new UnaryOperator<>() {
      @Override
      public Relation apply(Relation relation) {
        return mistake.apply(InputReplacement.replaced(relation, this));
      }
    };
  }

  private static Relation joined(Relation relation, JoinKind kind, JoinKind other) {
    return relation instanceof Relation.Join j && j.kind() == kind
        ? new Relation.Join(other, j.left(), j.right(), j.condition(), j.at())
        : relation;
  }

  private static Relation existing(Relation relation) {
    if (!(relation instanceof Relation.Where where)) {
      return relation;
    }
    List<Subquery> all = new ArrayList<>();
    for (Subquery s : where.subqueries()) {
      all.add(
          s instanceof Subquery.Exists e
              ? new Subquery.Exists(e.output(), false, e.relation(), e.condition(), e.at())
              : s);
    }
    return new Relation.Where(where.input(), all, where.predicate());
  }

  private static Relation oneSet(Relation relation) {
    return relation instanceof Relation.Aggregate a && a.groupingSets().size() > 1
        ? new Relation.Aggregate(
            a.input(),
            a.keys(),
            List.of(java.util.stream.IntStream.range(0, a.keys().size()).boxed().toList()),
            a.calls(),
            a.groupingIds(),
            a.having(),
            a.visible(),
            a.at())
        : relation;
  }

  /** Subqueries read nothing. */
  private static Relation firstScan(Relation relation) {
    return relation instanceof Relation.Where where
        ? new Relation.Where(
            firstScan(where.input()),
            where.subqueries().stream()
                .<Subquery>map(
                    s ->
                        s instanceof Subquery.Exists e
                            ? new Subquery.Exists(
                                e.output(),
                                e.negated(),
                                new Relation.Values(e.relation().columns(), List.of()),
                                e.condition(),
                                e.at())
                            : s)
                .toList(),
            where.predicate())
        : InputReplacement.replaced(relation, PartsFuzzTest::firstScan);
  }
}
