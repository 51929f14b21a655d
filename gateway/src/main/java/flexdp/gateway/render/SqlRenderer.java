package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.facts.KnownBounds;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The statements that a question needs, made from the algebra alone. A release point becomes one
 * statement for its counts and sums and one per quantile.
 */
public final class SqlRenderer {
  private static final BigDecimal LEAST_FLOAT = new BigDecimal("1e-150");
  private static final BigDecimal MOST_FLOAT = new BigDecimal("1e150");

  private final Dialect dialect;
  private final Catalog catalog;

  public SqlRenderer(Dialect dialect, Catalog catalog) {
    this.dialect = dialect;
    this.catalog = catalog;
  }

  /** The rows of a relation, its columns in order; used for public tables and metrics. */
  public String rows(Relation relation) {
    return rows(relation, NullsMatter.in(relation, List.of()));
  }

  /** The same without rows in which a column that is declared not nullable is NULL. */
  public String filledRows(Relation relation) {
    return rows(relation, true);
  }

  private String rows(Relation relation, boolean filled) {
    List<Column> columns = relation.columns();
    Relations relations =
        new Relations(
            dialect, catalog, NeededColumns.of(relation, columns, List.of()), Set.of(), filled);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      items.add(ExprRenderer.name(columns.get(i).id()) + " AS r" + i);
    }
    String list = items.isEmpty() ? "1 AS one" : String.join(", ", items);
    if (relation instanceof Relation.Limit limit) {
      // The order of a derived table need not survive: sort at the outermost level.
      return "SELECT " + list + " FROM " + relations.from(limit.input()) + relations.tail(limit);
    }
    return "SELECT " + list + " FROM " + relations.from(relation);
  }

  public List<ReleaseStatement> statements(ReleasePoint point) {
    return statements(point, KnownBounds.NONE);
  }

  /**
   * @param bounds values that lie in their range by themselves are not clamped
   */
  public List<ReleaseStatement> statements(ReleasePoint point, KnownBounds bounds) {
    List<Integer> amounts = new ArrayList<>();
    Map<Integer, Measurement.Picked> quantiles = new LinkedHashMap<>();
    for (int i = 0; i < point.measurements().size(); i++) {
      switch (point.measurements().get(i)) {
        case Measurement.Amount ignored -> amounts.add(i);
        case Measurement.Picked picked -> quantiles.put(i, picked);
      }
    }
    List<ReleaseStatement> statements = new ArrayList<>();
    if (!amounts.isEmpty()) {
      statements.add(new OneRelease(point, amounts, bounds).numbers());
    }
    quantiles.forEach(
        (i, quantile) ->
            statements.add(new OneRelease(point, List.of(i), bounds).buckets(i, quantile)));
    return statements;
  }

  /** Where floats have all their digits, and quotients and squares of them are floats too. */
  private static void requireFloats(Range range, Measurement measurement) {
    BigDecimal widest = range.low().abs().max(range.high().abs());
    if (measurement.grid().compareTo(LEAST_FLOAT) < 0 || widest.compareTo(MOST_FLOAT) > 0) {
      throw Rejection.of(
          RejectionCode.MISSING_RANGE,
          "The range of values is beyond what floating-point numbers can sum.",
          "Declare a range between 1e-140 and 1e150, or measure in another unit.",
          measurement.origin().at());
    }
  }

  /** The rendering of some measurements of one release point. */
  private final class OneRelease {
    private final ReleasePoint point;
    private final List<Integer> chosen;
    private final KnownBounds bounds;
    private final Relations relations;
    private final Set<Integer> bare;
    private final List<List<Integer>> sets;
    private final Map<String, String> computed = new LinkedHashMap<>();
    private final Set<String> passed = new LinkedHashSet<>();
    private String present = "";

    OneRelease(ReleasePoint point, List<Integer> chosen, KnownBounds bounds) {
      this.point = point;
      this.chosen = chosen;
      this.bounds = bounds;
      this.sets = distinct(point.groupingSets());
      List<Expr> read = new ArrayList<>();
      for (int i : chosen) {
        point.measurements().get(i).argument().ifPresent(read::add);
        point.measurements().get(i).filter().ifPresent(read::add);
      }
      boolean filled = NullsMatter.in(point.input(), read);
      this.bare =
          BareColumns.of(
              dialect,
              point.input(),
              point.keys(),
              chosen.stream().map(point.measurements()::get).toList(),
              filled);
      this.relations =
          new Relations(
              dialect, catalog, NeededColumns.of(point.input(), point.keys(), read), bare, filled);
    }

    ReleaseStatement numbers() {
      List<ReleaseStatement.Cell> cells = new ArrayList<>();
      List<String> items = new ArrayList<>();
      for (int i : chosen) {
        switch (point.measurements().get(i)) {
          case Measurement.Count count -> {
            Optional<String> argument = count.argument().map(a -> formed("m" + i, a));
            items.add(dialect.count(argument, false, filter(i)) + " AS a" + i);
            cells.add(ReleaseStatement.Cell.of(i, count, Optional.empty()));
          }
          case Measurement.CountDistinct count -> {
            Optional<String> argument = Optional.of(counted("m" + i, count.value()));
            items.add(dialect.count(argument, true, filter(i)) + " AS a" + i);
            cells.add(ReleaseStatement.Cell.of(i, count, Optional.empty()));
          }
          case Measurement.Sum sum -> cells.add(sum(i, sum, items));
          case Measurement.Picked ignored ->
              throw new IllegalArgumentException("a quantile has a statement of its own");
        }
      }
      String text = grouped(items, rows() + present, List.of());
      return new ReleaseStatement(
          text, hasGrouping(), point.keys().size(), Optional.empty(), cells);
    }

    /** What is counted, in form. */
    private String formed(String name, Expr expr) {
      return within(expr, column(name, expr).sql());
    }

    /**
     * Where different values are all that is asked for, a row without one counts for nothing and is
     * left out: a database often knows that it has none, and need not look at every value.
     */
    private String counted(String name, Expr expr) {
      boolean alone = point.keys().isEmpty() && chosen.size() == 1 && !hasGrouping();
      if (alone && expr instanceof Expr.Ref ref && bare.contains(ref.column())) {
        String sql = column(name, expr).sql();
        present = " WHERE " + dialect.hasForm(sql, expr.type()).orElseThrow();
        return sql;
      }
      return formed(name, expr);
    }

    private ReleaseStatement.Cell sum(int index, Measurement.Sum sum, List<String> items) {
      Optional<Shifted> shifted = Shifted.of(sum);
      Operand argument = summed(index, sum, shifted.map(Shifted::value).orElse(sum.value()));
      Optional<String> filter = filter(index);
      Clamped clamped = clamped(sum, sum.value(), sum.clamp(), argument, shifted);
      items.add(dialect.sum(clamped, filter) + " AS a" + index);
      if (shifted.isPresent()) {
        items.add(dialect.count(Optional.of(clamped.present()), false, filter) + " AS b" + index);
      }
      return new ReleaseStatement.Cell(
          index, Optional.of(clamped), sum.grid(), shifted.map(s -> s.units(sum.grid())));
    }

    private Optional<String> filter(int index) {
      return point.measurements().get(index).filter().map(f -> column("f" + index, f).sql());
    }

    ReleaseStatement buckets(int index, Measurement.Picked measurement) {
      Operand argument = column("m" + index, measurement.value());
      Clamped clamped =
          clamped(
              measurement, measurement.value(), measurement.clamp(), argument, Optional.empty());
      List<String> items = new ArrayList<>();
      items.add("bucket");
      items.add(dialect.count(Optional.empty(), false, Optional.empty()) + " AS n");
      Optional<String> filter = filter(index);
      String condition = "bucket IS NOT NULL" + filter.map(f -> " AND " + f).orElse("");
      Map<String, String> inner = new LinkedHashMap<>();
      point.keys().forEach(k -> inner.put(ExprRenderer.name(k.id()), ExprRenderer.name(k.id())));
      inner.put("bucket", clamped.sql());
      filter.ifPresent(f -> inner.put(f, f));
      String from =
          "(SELECT " + Relations.aliased(inner) + " FROM " + rows() + ") AS b WHERE " + condition;
      String text = grouped(items, from, List.of("bucket"));
      ReleaseStatement.Cell cell =
          ReleaseStatement.Cell.of(index, measurement, Optional.of(clamped));
      ReleaseStatement.Cell count = ReleaseStatement.Cell.of(index, measurement, Optional.empty());
      return new ReleaseStatement(
          text, hasGrouping(), point.keys().size(), Optional.of(cell), List.of(count));
    }

    /** The grouping where there are several, the keys, and the items. */
    private String grouped(List<String> items, String from, List<String> more) {
      List<Integer> all = IntStream.range(0, point.keys().size()).boxed().toList();
      return new GroupedSelect(dialect, point.keys(), sets)
          .select(
              heading -> {
                List<String> list = new ArrayList<>();
                if (hasGrouping()) {
                  list.add(heading.id(all) + " AS g");
                }
                list.addAll(heading.keys());
                list.addAll(items);
                return list;
              },
              from,
              more);
    }

    private Clamped clamped(
        Measurement measurement,
        Expr read,
        Measurement.Clamp clamp,
        Operand argument,
        Optional<Shifted> shifted) {
      Range range = clamp.range();
      BigDecimal by = shifted.map(Shifted::constant).orElse(BigDecimal.ZERO);
      Range moved = new Range(range.low().add(by), range.high().add(by));
      if (argument.type().kind() == Type.Kind.DOUBLE) {
        requireFloats(moved, measurement);
      }
      Clamped clamped = dialect.clamped(argument, moved, clamp.grid());
      Expr value = shifted.map(Shifted::value).orElse(read);
      boolean plain =
          clamped.step().compareTo(BigDecimal.ONE) == 0 && argument.condition().isEmpty();
      return plain && bounds.isWithin(point.input(), value, moved)
          ? new Clamped(within(value, argument.sql()), BigDecimal.ONE)
          : clamped;
    }

    /** A value that needs no clamp, but a form, where it or a column that it reads has none. */
    private String within(Expr value, String sql) {
      return relations.expressions().isUnformed(value)
              || Tree.references(value).stream().anyMatch(bare::contains)
          ? dialect.formed(sql, value.type())
          : sql;
    }

    private boolean hasGrouping() {
      int all = point.keys().size();
      return all > 0 && (sets.size() > 1 || sets.stream().anyMatch(set -> set.size() < all));
    }

    /** A set that is asked for twice is read once: all that have its keys are filled from it. */
    private static List<List<Integer>> distinct(List<List<Integer>> sets) {
      Map<Set<Integer>, List<Integer>> byKeys = new LinkedHashMap<>();
      sets.forEach(set -> byKeys.putIfAbsent(Set.copyOf(set), set));
      return List.copyOf(byKeys.values());
    }

    /** Values on the grid may come apart from the condition under which they are values. */
    private Operand summed(int index, Measurement.Sum sum, Expr expr) {
      BigDecimal unit = BigDecimal.ONE.movePointLeft(expr.type().scale());
      boolean onGrid = unit.remainder(sum.grid()).signum() == 0;
      Optional<Conditional> apart =
          onGrid ? dialect.conditional(expr, relations.expressions()::sql) : Optional.empty();
      if (apart.isEmpty() && dialect.clampsFormless() && relations.expressions().isUnformed(expr)) {
        computed.put("m" + index, relations.expressions().clampable(expr));
        return Operand.named("m" + index, expr.type());
      }
      if (apart.isEmpty()) {
        return column("m" + index, expr);
      }
      Operand named = Operand.named("m" + index, expr.type());
      computed.put("m" + index, apart.get().sql());
      computed.put("p" + index, apart.get().condition());
      return new Operand(named.expr(), named.sql(), Optional.of("p" + index));
    }

    /** A column as it is, or an expression that is computed once, below the aggregate. */
    private Operand column(String name, Expr expr) {
      if (expr instanceof Expr.Ref) {
        Operand operand = relations.expressions().operand(expr);
        passed.add(operand.sql());
        return operand;
      }
      computed.put(name, relations.expressions().sql(expr));
      return Operand.named(name, expr.type());
    }

    private String rows() {
      String from = relations.from(point.input());
      if (computed.isEmpty()) {
        return from;
      }
      Map<String, String> read = new LinkedHashMap<>();
      point.keys().forEach(k -> read.put(ExprRenderer.name(k.id()), ExprRenderer.name(k.id())));
      passed.forEach(sql -> read.put(sql, sql));
      read.putAll(computed);
      return "(SELECT "
          + Relations.aliased(read)
          + " FROM "
          + from
          + dialect.fence(computed.values())
          + ") AS r";
    }
  }
}
