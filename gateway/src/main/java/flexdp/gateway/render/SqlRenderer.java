package flexdp.gateway.render;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.properties.ColumnBounds;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
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

  private final TargetDialect dialect;
  private final NameCatalog catalog;

  public SqlRenderer(TargetDialect dialect, NameCatalog catalog) {
    this.dialect = dialect;
    this.catalog = catalog;
  }

  /** The rows of a relation, its columns in order; used for public tables and metrics. */
  public String rows(Relation relation) {
    return rows(relation, NullSensitivity.in(relation, List.of()));
  }

  /** The rows without those in which a column that is declared not nullable is NULL. */
  public String filledRows(Relation relation) {
    return rows(relation, true);
  }

  private String rows(Relation relation, boolean filled) {
    List<Column> columns = relation.columns();
    RelationRenderer relations =
        new RelationRenderer(
            dialect, catalog, NeededColumns.of(relation, columns, List.of()), Set.of(), filled);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      items.add(ExprRenderer.name(columns.get(i).id()) + " AS r" + i);
    }
    String list = items.isEmpty() ? "1 AS one" : String.join(", ", items);
    if (relation instanceof Relation.Limit limit) {
      // The order of a derived table need not survive: sort at the outermost level.
      String sorted = relations.from(limit.input()) + relations.tail(limit);
      return checked(relations.with() + "SELECT " + list + " FROM " + sorted);
    }
    String from = relations.from(relation);
    return checked(relations.with() + "SELECT " + list + " FROM " + from);
  }

  public List<ReleaseStatement> statements(NoisyAggregate point) {
    return statements(point, ColumnBounds.NONE);
  }

  /**
   * @param bounds values that lie in their range by themselves are not clamped
   */
  public List<ReleaseStatement> statements(NoisyAggregate point, ColumnBounds bounds) {
    List<Integer> amounts = new ArrayList<>();
    Map<Integer, Measurement.Selected> quantiles = new LinkedHashMap<>();
    for (int i = 0; i < point.measurements().size(); i++) {
      switch (point.measurements().get(i)) {
        case Measurement.Additive ignored -> amounts.add(i);
        case Measurement.Selected picked -> quantiles.put(i, picked);
      }
    }
    List<ReleaseStatement> statements = new ArrayList<>();
    if (!amounts.isEmpty()) {
      statements.add(new OneRelease(point, amounts, bounds).numbers());
    }
    quantiles.forEach(
        (i, quantile) ->
            statements.add(new OneRelease(point, List.of(i), bounds).buckets(i, quantile)));
    statements.forEach(statement -> checked(statement.sql()));
    return statements;
  }

  private String checked(String sql) {
    return dialect.limits().checked(sql);
  }

  /**
   * Requires a range in which floats have all their digits, and quotients and squares of them are
   * floats too.
   */
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
    private final NoisyAggregate point;
    private final List<Integer> chosen;
    private final ColumnBounds bounds;
    private final RelationRenderer relations;
    private final Set<Integer> bare;
    private final List<List<Integer>> sets;
    private final Stages stages = new Stages(dialect);
    private final Map<Integer, Summed> sums = new LinkedHashMap<>();
    private final Operands operands;
    private String present = "";

    OneRelease(NoisyAggregate point, List<Integer> chosen, ColumnBounds bounds) {
      this.point = point;
      this.chosen = chosen;
      this.bounds = bounds;
      this.sets = distinct(point.groupingSets());
      List<Expr> read = new ArrayList<>();
      for (int i : chosen) {
        point.measurements().get(i).argument().ifPresent(read::add);
        point.measurements().get(i).filter().ifPresent(read::add);
      }
      boolean filled = NullSensitivity.in(point.input(), read);
      this.bare =
          UncheckedColumns.of(
              dialect,
              point.input(),
              point.keys(),
              chosen.stream().map(point.measurements()::get).toList(),
              filled);
      this.relations =
          new RelationRenderer(
              dialect, catalog, NeededColumns.of(point.input(), point.keys(), read), bare, filled);
      this.operands = new Operands(dialect, relations.expressions(), stages);
      point.keys().forEach(k -> stages.ask(ExprRenderer.name(k.id())));
    }

    /**
     * A sum before it is written.
     *
     * @param argument what is clamped
     */
    private record Summed(
        Optional<Shifted> shifted, RenderedExpression argument, Clamped clamped) {}

    ReleaseStatement numbers() {
      readSums();
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
          case Measurement.Selected ignored ->
              throw new IllegalArgumentException("a quantile has a statement of its own");
        }
      }
      String text = grouped(items, rows() + present, List.of());
      return new ReleaseStatement(
          relations.with() + text, hasGrouping(), point.keys().size(), Optional.empty(), cells);
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
        present = " WHERE " + dialect.nonCanonical().condition(sql, expr.type()).orElseThrow();
        return sql;
      }
      return formed(name, expr);
    }

    /** Shorter expressions first, so that longer ones are computed of them. */
    private void readSums() {
      chosen.stream()
          .filter(i -> point.measurements().get(i) instanceof Measurement.Sum)
          .sorted(Comparator.comparingInt(i -> size(point.measurements().get(i))))
          .forEach(i -> readSum(i, (Measurement.Sum) point.measurements().get(i)));
    }

    private static int size(Measurement measurement) {
      return measurement.argument().map(OneRelease::size).orElse(0);
    }

    private static int size(Expr expr) {
      return 1 + expr.children().stream().mapToInt(OneRelease::size).sum();
    }

    private void readSum(int index, Measurement.Sum sum) {
      Optional<Shifted> shifted = Shifted.of(sum);
      RenderedExpression argument =
          summed(index, sum, shifted.map(Shifted::value).orElse(sum.value()));
      Clamped clamped = clamped(sum, sum.value(), sum.clamp(), argument, shifted);
      sums.put(index, new Summed(shifted, argument, clamped));
    }

    private ReleaseStatement.Cell sum(int index, Measurement.Sum sum, List<String> items) {
      Optional<Shifted> shifted = sums.get(index).shifted();
      Optional<Clamped> filled = filled(index, sum);
      Clamped clamped = filled.orElseGet(() -> written(index));
      Optional<String> filter = filter(index);
      items.add(dialect.sum(clamped, filter) + " AS a" + index);
      if (shifted.isPresent()) {
        Optional<String> counted =
            filled.isPresent() ? Optional.empty() : Optional.of(clamped.present());
        items.add(dialect.count(counted, false, filter) + " AS b" + index);
      }
      return new ReleaseStatement.Cell(
          index, Optional.of(clamped), sum.grid(), shifted.map(s -> s.units(sum.grid())));
    }

    /**
     * Where a mean's values are summed for nothing else, what is no value may be the constant that
     * is taken from each: all rows are counted then, which is often asked for by itself.
     */
    private Optional<Clamped> filled(int index, Measurement.Sum sum) {
      Summed own = sums.get(index);
      boolean alone =
          sums.values().stream()
              .noneMatch(s -> s.shifted().isEmpty() && s.clamped().equals(own.clamped()));
      if (!alone || own.shifted().isEmpty() || own.clamped().sql().equals(own.argument().sql())) {
        return Optional.empty();
      }
      BigDecimal by = own.shifted().get().constant();
      Optional<Clamped> filled =
          dialect.filled(own.argument(), moved(sum.clamp().range(), by), sum.grid(), by);
      filled.ifPresent(f -> stages.ask(own.argument().sql()));
      return filled;
    }

    private static Range moved(Range range, BigDecimal by) {
      return new Range(range.low().add(by), range.high().add(by));
    }

    /** Clamped once, where it is counted besides, in this sum or in another of the same. */
    private Clamped written(int index) {
      Summed summed = sums.get(index);
      Clamped clamped = summed.clamped();
      boolean counted =
          sums.values().stream()
              .anyMatch(s -> s.shifted().isPresent() && s.clamped().equals(clamped));
      String argument = summed.argument().sql();
      if (!dialect.repeatsColumns() || !counted || clamped.sql().equals(argument)) {
        stages.ask(argument);
        return clamped;
      }
      String name = stages.once("s" + index, clamped.sql(), List.of(argument));
      stages.ask(name);
      return new Clamped(name, clamped.step());
    }

    private Optional<String> filter(int index) {
      return point.measurements().get(index).filter().map(f -> column("f" + index, f).sql());
    }

    ReleaseStatement buckets(int index, Measurement.Selected measurement) {
      RenderedExpression argument = operands.severally("m" + index, measurement.value());
      stages.ask(argument.sql());
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
          "(SELECT "
              + RelationRenderer.aliased(inner)
              + " FROM "
              + rows()
              + ") AS b WHERE "
              + condition;
      String text = grouped(items, from, List.of("bucket"));
      ReleaseStatement.Cell cell =
          ReleaseStatement.Cell.of(index, measurement, Optional.of(clamped));
      ReleaseStatement.Cell count = ReleaseStatement.Cell.of(index, measurement, Optional.empty());
      return new ReleaseStatement(
          relations.with() + text,
          hasGrouping(),
          point.keys().size(),
          Optional.of(cell),
          List.of(count));
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
        RenderedExpression argument,
        Optional<Shifted> shifted) {
      Range range = clamp.range();
      BigDecimal by = shifted.map(Shifted::constant).orElse(BigDecimal.ZERO);
      Range moved = moved(range, by);
      if (argument.type().kind() == Type.Kind.DOUBLE) {
        requireFloats(moved, measurement);
      }
      Clamped clamped = dialect.clamped(argument, moved, clamp.grid());
      Expr value = shifted.map(Shifted::value).orElse(read);
      boolean plain = clamped.step().compareTo(BigDecimal.ONE) == 0 && argument.end().isEmpty();
      return plain && bounds.isWithin(point.input(), value, moved)
          ? new Clamped(within(value, argument.sql()), BigDecimal.ONE)
          : clamped;
    }

    /** A value that needs no clamp, but a form, where it or a column that it reads has none. */
    private String within(Expr value, String sql) {
      return relations.expressions().isNonCanonical(value)
              || AlgebraWalker.references(value).stream().anyMatch(bare::contains)
          ? dialect.canonicalize(sql, value.type())
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

    /** Values on the grid need no check before they are clamped. */
    private RenderedExpression summed(int index, Measurement.Sum sum, Expr expr) {
      BigDecimal unit = BigDecimal.ONE.movePointLeft(expr.type().scale());
      boolean onGrid = unit.remainder(sum.grid()).signum() == 0;
      return operands.clamped("m" + index, expr, onGrid);
    }

    /** A column as it is, or an expression that is computed once, below the aggregate. */
    private RenderedExpression column(String name, Expr expr) {
      RenderedExpression operand = operands.once(name, expr);
      stages.ask(operand.sql());
      return operand;
    }

    private String rows() {
      return stages.over(relations.from(point.input()));
    }
  }

  /** What measurements read: columns as they are, and expressions that are computed below them. */
  private static final class Operands {
    private final TargetDialect dialect;
    private final ExprRenderer expressions;
    private final Stages stages;
    private final Map<Expr, RenderedExpression> terms = new HashMap<>();

    Operands(TargetDialect dialect, ExprRenderer expressions, Stages stages) {
      this.dialect = dialect;
      this.expressions = expressions;
      this.stages = stages;
    }

    /** What is read in one place. */
    RenderedExpression once(String name, Expr expr) {
      if (expr instanceof Expr.Ref) {
        return expressions.operand(expr);
      }
      stages.compute(name, expressions.sql(expr), columns(expr));
      return RenderedExpression.named(name, expr.type());
    }

    /** What is read in several places. */
    RenderedExpression severally(String name, Expr expr) {
      return expr instanceof Expr.Ref
          ? expressions.operand(expr)
          : named(name, expr, expressions.sql(expr), columns(expr));
    }

    /**
     * What is clamped, which makes checks by the way.
     *
     * @param onGrid whether all values of its type are on the grid
     */
    RenderedExpression clamped(String name, Expr expr, boolean onGrid) {
      if (onGrid && terms.containsKey(expr)) {
        return terms.get(expr);
      }
      Optional<RenderedExpression> computed =
          onGrid ? dialect.computed(expr, this::part) : Optional.empty();
      if (computed.isPresent()) {
        Set<String> read = new LinkedHashSet<>();
        expr.children().forEach(child -> read.addAll(readBy(child)));
        RenderedExpression named = named(name, expr, computed.get().sql(), read);
        RenderedExpression term =
            new RenderedExpression(named.expr(), named.sql(), computed.get().end());
        terms.put(expr, term);
        return term;
      }
      return dialect.nonCanonical().clamping() && expressions.isNonCanonical(expr)
          ? named(name, expr, expressions.clampable(expr), columns(expr))
          : severally(name, expr);
    }

    private RenderedExpression named(String name, Expr expr, String sql, Set<String> read) {
      if (dialect.repeatsColumns()) {
        return RenderedExpression.named(stages.once(name, sql, read), expr.type());
      }
      stages.compute(name, sql, read);
      return RenderedExpression.named(name, expr.type());
    }

    /** Part of what is computed, by its name where it was computed before. */
    private String part(Expr expr) {
      return terms.containsKey(expr) ? terms.get(expr).sql() : expressions.sql(expr);
    }

    private Set<String> readBy(Expr part) {
      return terms.containsKey(part) ? Set.of(terms.get(part).sql()) : columns(part);
    }

    private static Set<String> columns(Expr expr) {
      Set<String> read = new LinkedHashSet<>();
      AlgebraWalker.references(expr, id -> read.add(ExprRenderer.name(id)));
      return read;
    }
  }

  /**
   * A sum of x − c with exact x and constant c, as means have it. The sum of clamped x less c for
   * each x is the same number, and the database computes nothing per row: sums and means of one
   * column become one sum.
   *
   * @param value x
   * @param constant c, a multiple of the grid
   */
  private record Shifted(Expr value, BigDecimal constant) {

    static Optional<Shifted> of(Measurement.Sum measurement) {
      if (!(measurement.value() instanceof Expr.Call call)
          || call.function() != Function.MINUS
          || !(call.arguments().get(1) instanceof Expr.Literal literal)
          || literal.isNull()) {
        return Optional.empty();
      }
      Expr value = call.arguments().get(0);
      boolean exact = value.type().isInteger() || value.type().kind() == Type.Kind.DECIMAL;
      if (!exact || !value.type().equals(call.type()) || !(literal.value() instanceof Number)) {
        return Optional.empty();
      }
      BigDecimal constant = new BigDecimal(literal.value().toString());
      BigDecimal step = BigDecimal.ONE.movePointLeft(Math.max(0, value.type().scale()));
      boolean onGrid =
          constant.remainder(measurement.grid()).signum() == 0
              && step.remainder(measurement.grid()).signum() == 0;
      return onGrid ? Optional.of(new Shifted(value, constant)) : Optional.empty();
    }

    /** What one row adds too much, in units of the grid. */
    BigInteger units(BigDecimal grid) {
      return constant.divide(grid).toBigIntegerExact();
    }
  }

  /**
   * What a statement computes of its rows before it sums or counts them, in derived tables one
   * above the other: what is read several times has a name, and stands one stage above all that it
   * reads.
   */
  private static final class Stages {
    private final TargetDialect dialect;
    private final List<Map<String, String>> stages = new ArrayList<>();
    private final List<Set<String>> reads = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private boolean repeated;

    Stages(TargetDialect dialect) {
      this.dialect = dialect;
    }

    /**
     * Computes a value.
     *
     * @param columns what it reads: columns of the rows, and names of what was computed before
     */
    void compute(String name, String sql, Collection<String> columns) {
      int place = 0;
      for (String column : columns) {
        place = Math.max(place, places.getOrDefault(column, -1) + 1);
      }
      if (place == stages.size()) {
        stages.add(new LinkedHashMap<>());
        reads.add(new LinkedHashSet<>());
      }
      stages.get(place).put(name, sql);
      reads.get(place).addAll(columns);
      places.put(name, place);
    }

    /** Names a value that is read several times; an equal one keeps its first name. */
    String once(String name, String sql, Collection<String> columns) {
      repeated = true;
      String known = names.putIfAbsent(sql, name);
      if (known != null) {
        return known;
      }
      compute(name, sql, columns);
      return name;
    }

    /** Says that the statement itself reads a column, or what was computed. */
    void ask(String column) {
      asked.add(column);
    }

    /** What stands in FROM. */
    String over(String from) {
      String rows = from;
      for (int i = 0; i < stages.size(); i++) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (String column : readAbove(i)) {
          if (places.getOrDefault(column, -1) < i) {
            columns.put(column, column);
          }
        }
        columns.putAll(stages.get(i));
        rows =
            "(SELECT "
                + RelationRenderer.aliased(columns)
                + " FROM "
                + rows
                + dialect.fence(stages.get(i).values(), repeated)
                + (i == 0 ? ") AS r" : ") AS r" + i);
      }
      return rows;
    }

    private Set<String> readAbove(int stage) {
      Set<String> all = new LinkedHashSet<>(asked);
      for (int i = stage + 1; i < stages.size(); i++) {
        all.addAll(reads.get(i));
      }
      return all;
    }
  }
}
