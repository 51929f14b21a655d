package flexdp.sensitivity;

import static flexdp.sensitivity.Trees.col;
import static flexdp.sensitivity.Trees.eq;
import static flexdp.sensitivity.Trees.project;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Databases made by hand for terms that random ones rarely need. One row (0, ·) more of t brings
 * rows x = 0 of p into {@link #brought}, or takes them out of {@link #taken}.
 */
final class PinnedCases {
  private final JudgedCases cases;
  private final Trees trees = new Trees();

  PinnedCases(JudgedCases cases) {
    this.cases = cases;
  }

  private static Map<String, List<Object[]>> database(
      Object[][] t, Object[][] u, Object[][] v, Object[][] p) {
    Map<String, List<Object[]>> all = new LinkedHashMap<>();
    all.put("t", rows(t));
    all.put("u", rows(u));
    all.put("v", rows(v));
    all.put("p", rows(p));
    return all;
  }

  private static List<Object[]> rows(Object[][] rows) {
    List<Object[]> all = new ArrayList<>();
    for (Object[] row : rows) {
      all.add(Arrays.stream(row).map(v -> v == null ? null : ((Number) v).longValue()).toArray());
    }
    return all;
  }

  private static final Object[][] NO_ROWS = {};
  private static final Object[][] TWO = {{0, 0}, {1, 1}};
  private static final Object[][] ZEROS = {{0, 0}, {0, 1}};

  private Relation.Scan t() {
    return trees.scan(TinyDatabases.T);
  }

  private Relation.Scan u() {
    return trees.scan(TinyDatabases.U);
  }

  private Relation.Scan v() {
    return trees.scan(TinyDatabases.V);
  }

  private Relation.Scan p() {
    return trees.scan(TinyDatabases.P);
  }

  private Relation brought() {
    Relation p = p();
    Relation t = t();
    return trees.exists(p, false, t, eq(col(p, "x"), col(t, "a")));
  }

  private Relation taken() {
    Relation p = p();
    Relation t = t();
    return trees.exists(p, true, t, eq(col(p, "x"), col(t, "a")));
  }

  /** As brought, with a frequency of 0 while t is empty. */
  private Relation joined() {
    Relation p = p();
    Relation t = t();
    return Trees.join(p, t, eq(col(p, "x"), col(t, "a")));
  }

  void all() {
    subqueries();
    outerJoins();
    sums();
    touched();
    padded();
    frequencies();
    caps();
  }

  /** The first of its a and the first of its b: (0, 0) comes before both that are there. */
  private void caps() {
    Relation t = t();
    pin(
        "two ranks on the same rows",
        new Relation.TopRows(
            t,
            List.of(col(t, "a").ref()),
            List.of(
                new SortKey(col(t, "a").ref(), false, false),
                new SortKey(col(t, "b").ref(), false, false)),
            1,
            List.of(new Relation.TopRows.Rank(List.of(col(t, "b").ref()), 1)),
            true,
            Trees.AT),
        database(new Object[][] {{0, 1}, {1, 0}}, NO_ROWS, NO_ROWS, NO_ROWS));
  }

  private void pin(String what, Relation relation, Map<String, List<Object[]>> database) {
    cases.pin(what, relation, Set.of(), FrequencyKey.NONE, database);
  }

  private void pin(
      String what, Relation relation, Map<String, List<Object[]>> database, Column... group) {
    cases.pin(what, relation, ColumnReferences.ids(List.of(group)), FrequencyKey.NONE, database);
  }

  private Subquery.Scalar count(Relation inner, Expr on) {
    Column value = trees.column("value");
    return new Subquery.Scalar(
        trees.column("scalar"),
        inner,
        on,
        List.of(AggregateCall.countStar(value, Trees.AT)),
        value.ref(),
        Trees.AT);
  }

  private Relation whereCount(Relation outer, Relation inner, Expr on, long is) {
    Subquery.Scalar scalar = count(inner, on);
    return new Relation.Where(
        outer, List.of(scalar), Trees.call(Function.EQ, scalar.output().ref(), Trees.literal(is)));
  }

  private void subqueries() {
    Map<String, List<Object[]>> zeros = database(NO_ROWS, TWO, NO_ROWS, ZEROS);
    for (boolean negated : new boolean[] {false, true}) {
      for (Relation inner : List.of(brought(), taken())) {
        Relation u = u();
        pin("exists", trees.exists(u, negated, inner, eq(col(u, "a"), col(inner, "y"))), zeros);
      }
    }
    Relation u = u();
    Relation inner = brought();
    pin("count", whereCount(u, inner, eq(col(u, "a"), col(inner, "y")), 1), zeros);
    Relation outer = u();
    Relation more = brought();
    Subquery.Scalar shown = count(more, eq(col(outer, "a"), col(more, "y")));
    pin("attach", new Relation.Attach(outer, List.of(shown)), zeros);

    Map<String, List<Object[]>> diagonal = database(NO_ROWS, NO_ROWS, NO_ROWS, TWO);
    Relation left = taken();
    Relation t = t();
    pin("leaves twice", whereCount(left, t, eq(col(left, "y"), col(t, "b")), 0), diagonal);
    Relation again = taken();
    Relation t2 = t();
    Subquery.Scalar other = count(t2, eq(col(again, "y"), col(t2, "b")));
    pin("attached twice", new Relation.Attach(again, List.of(other)), diagonal);

    Relation t3 = t();
    Relation gone = taken();
    pin(
        "appears twice",
        trees.exists(t3, true, gone, eq(col(t3, "b"), col(gone, "y"))),
        database(new Object[][] {{null, 0}}, NO_ROWS, NO_ROWS, new Object[][] {{0, 0}}));
  }

  private void outerJoins() {
    Map<String, List<Object[]>> zeros = database(NO_ROWS, TWO, NO_ROWS, ZEROS);
    for (Relation moved : List.of(brought(), taken())) {
      Relation u = u();
      pin("left", Trees.left(u, moved, eq(col(u, "a"), col(moved, "y"))), zeros);
    }
    for (Relation moved : List.of(brought(), taken())) {
      Relation u = u();
      pin("full", Trees.full(moved, u, eq(col(u, "a"), col(moved, "y"))), zeros);
    }
    Relation one = taken();
    Relation two = taken();
    pin(
        "both sides leave",
        Trees.join(one, two, eq(col(one, "x"), col(two, "y"))),
        database(NO_ROWS, NO_ROWS, NO_ROWS, new Object[][] {{0, 1}, {1, 0}}));
  }

  private Relation set(Relation.SetKind kind, Relation left, Relation right, int width) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(trees.column("s" + i));
    }
    return new Relation.SetOperation(kind, true, left, right, columns, Trees.AT);
  }

  private void sums() {
    Relation t = t();
    Relation gone = taken();
    pin(
        "except",
        set(Relation.SetKind.EXCEPT, project(t, col(t, "a")), project(gone, col(gone, "y")), 1),
        database(new Object[][] {{1, null}}, NO_ROWS, NO_ROWS, new Object[][] {{0, 1}}));

    Relation one = taken();
    Relation p = p();
    Relation t2 = t();
    Relation two = trees.exists(p, true, t2, eq(col(p, "y"), col(t2, "b")));
    pin(
        "intersect",
        set(
            Relation.SetKind.INTERSECT,
            project(one, col(one, "y")),
            project(two, col(two, "y")),
            1),
        database(NO_ROWS, NO_ROWS, NO_ROWS, TWO));

    Relation t3 = t();
    Relation counted = trees.counted(t3, col(t3, "a"));
    pin(
        "intersect with counts",
        set(Relation.SetKind.INTERSECT, counted, p(), 2),
        database(new Object[][] {{0, null}}, NO_ROWS, NO_ROWS, new Object[][] {{0, 1}, {0, 2}}));

    Relation loses = taken();
    Relation gains = t();
    pin(
        "except from both sides",
        set(
            Relation.SetKind.EXCEPT,
            project(loses, col(loses, "y")),
            project(gains, col(gains, "b")),
            1),
        database(NO_ROWS, NO_ROWS, NO_ROWS, TWO));

    Relation rows = t();
    pin(
        "two windows",
        new Relation.Window(rows, List.of(over(col(rows, "a")), over(col(rows, "b")))),
        database(new Object[][] {{0, 1}, {1, 0}}, NO_ROWS, NO_ROWS, NO_ROWS));
  }

  private WindowCall over(Column partition) {
    return new WindowCall(
        trees.column("w"),
        Optional.of(AggregateCall.countStar(trees.column("unused"), Trees.AT)),
        Optional.empty(),
        List.of(),
        List.of(partition.ref()),
        List.of(),
        Trees.AT);
  }

  private void touched() {
    Map<String, List<Object[]>> zeros = database(NO_ROWS, TWO, NO_ROWS, ZEROS);
    Relation u = u();
    Relation moved = brought();
    Expr on = eq(col(u, "a"), col(moved, "y"));
    pin("touched left", Trees.join(u, moved, on), zeros, col(u, "id"));
    pin("touched right", Trees.join(moved, u, on), zeros, col(u, "id"));
    pin("touched outer", trees.exists(u, false, moved, on), zeros, col(u, "id"));

    Relation one = joined();
    Relation two = joined();
    pin(
        "touched pairs",
        Trees.join(one, two, eq(col(one, "b"), col(two, "b"))),
        zeros,
        col(one, "y"),
        col(two, "y"));

    Relation outer = u();
    Relation t1 = t();
    Relation t2 = t();
    Column first = trees.column("e1");
    Column second = trees.column("e2");
    Expr either =
        Trees.call(
            Function.OR, eq(col(outer, "id"), col(t1, "a")), eq(col(outer, "a"), col(t1, "b")));
    Relation several =
        new Relation.Where(
            outer,
            List.of(
                new Subquery.Exists(first, false, t1, either, Trees.AT),
                new Subquery.Exists(
                    second, false, t2, eq(col(outer, "id"), col(t2, "b")), Trees.AT)),
            Trees.call(Function.OR, first.ref(), second.ref()));
    Object[][] three = {{0, null}, {1, null}, {2, 1}};
    pin(
        "touched by several",
        several,
        database(NO_ROWS, three, NO_ROWS, NO_ROWS),
        col(outer, "id"));
  }

  private void padded() {
    Map<String, List<Object[]>> zeros = database(NO_ROWS, TWO, NO_ROWS, ZEROS);
    Relation u = u();
    Relation moved = brought();
    pin(
        "padded",
        Trees.left(u, moved, eq(col(u, "a"), col(moved, "y"))),
        zeros,
        col(u, "id"),
        col(moved, "x"));

    Relation ids = u();
    Relation three = brought();
    pin(
        "padded by key",
        Trees.full(three, ids, eq(col(three, "y"), col(ids, "id"))),
        database(
            NO_ROWS,
            new Object[][] {{0, 0}, {1, 1}, {2, null}},
            NO_ROWS,
            new Object[][] {{0, 0}, {0, 1}, {0, 2}}),
        col(three, "x"),
        col(ids, "a"));

    Relation v = v();
    Relation two = brought();
    pin(
        "padded in pairs",
        Trees.full(two, v, eq(col(two, "y"), col(v, "a"))),
        database(NO_ROWS, NO_ROWS, new Object[][] {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, ZEROS),
        col(two, "x"),
        col(v, "a"),
        col(v, "b"));

    Relation p = p();
    Relation t = t();
    Relation left =
        set(Relation.SetKind.UNION, project(p, col(p, "y")), project(t, col(t, "b")), 1);
    Relation right = joined();
    pin(
        "padded and new",
        Trees.left(left, right, eq(col(left, "s0"), col(right, "y"))),
        zeros,
        col(left, "s0"),
        col(right, "x"));

    Relation j = joined();
    Relation u2 = u();
    Relation p2 = p();
    Relation t2 = t();
    Relation w2 = trees.exists(p2, false, t2, eq(col(p2, "x"), col(t2, "b")));
    Relation all =
        set(Relation.SetKind.UNION, project(u2, col(u2, "id")), project(w2, col(w2, "y")), 1);
    pin(
        "padded and new on the right",
        Trees.full(j, all, eq(col(j, "y"), col(all, "s0"))),
        database(NO_ROWS, TWO, NO_ROWS, new Object[][] {{0, 0}, {0, 1}, {1, 2}, {1, null}}),
        col(j, "x"),
        col(all, "s0"));
  }

  private void frequencies() {
    Relation t = t();
    Relation p = p();
    Relation left = Trees.left(t, p, eq(col(t, "a"), col(p, "x")));
    Set<Integer> columns = ColumnReferences.ids(List.of(col(t, "b"), col(p, "y")));
    cases.pin(
        "matched and padded",
        left,
        Set.of(),
        FrequencyKey.grouping(columns),
        database(
            new Object[][] {{0, 1}, {null, 1}, {null, 1}},
            NO_ROWS,
            NO_ROWS,
            new Object[][] {{0, null}, {0, null}, {0, null}}));

    Relation alone = t();
    Relation right = p();
    cases.pin(
        "alone on both sides",
        Trees.full(alone, right, eq(col(alone, "a"), col(right, "x"))),
        Set.of(),
        FrequencyKey.grouping(Set.of(col(right, "y").id())),
        database(TWO, NO_ROWS, NO_ROWS, new Object[][] {{null, null}}));
  }
}
