package flexdp.properties;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.failure.TimeBudget;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bounds on the columns of a relation that follow from declared ranges, constants and filters,
 * never from the data. Values are clamped to them again before they are summed, so that a false
 * declaration costs accuracy and not privacy.
 */
public final class Ranges {
  private static final BigDecimal MICROS_PER_DAY = BigDecimal.valueOf(86_400_000_000L);

  /** What is known of the columns of tables. */
  @FunctionalInterface
  public interface OfColumns {
    OfColumns DECLARED = (table, column) -> column.range();

    Optional<Range> of(Table table, ColumnSpec column);
  }

  private Ranges() {}

  /** What is known of each column, by id; columns of which nothing is known are absent. */
  public static Map<Integer, Interval> of(Relation relation) {
    return of(relation, OfColumns.DECLARED);
  }

  /** The ranges of a relation's outputs if these were the ranges of columns. */
  public static Map<Integer, Interval> of(Relation relation, OfColumns columns) {
    Map<Integer, Interval> known = new HashMap<>();
    collect(relation, known, columns);
    for (Expr fact : ImpliedPredicates.of(relation)) {
      narrow(fact, known);
    }
    return known;
  }

  private static void collect(Relation relation, Map<Integer, Interval> into, OfColumns columns) {
    TimeBudget.step();
    switch (relation) {
      case Relation.Scan r -> {
        for (Column column : r.columns()) {
          r.table()
              .column(column.name())
              .flatMap(spec -> columns.of(r.table(), spec))
              .ifPresent(range -> into.put(column.id(), held(Interval.of(range), column.type())));
        }
      }
      case Relation.Values r -> values(r, into);
      case Relation.Released ignored -> {}
      case Relation.Selection r -> into.putAll(of(r.input(), columns));
      case Relation.Project r -> {
        Map<Integer, Interval> input = of(r.input(), columns);
        ExprRanges ranges = new ExprRanges(input, r.input().columns());
        for (Relation.Project.Output output : r.outputs()) {
          put(into, output.column(), ranges.of(output.expr()));
        }
      }
      case Relation.Join r -> {
        into.putAll(of(r.left(), columns));
        into.putAll(of(r.right(), columns));
      }
      case Relation.Attach r -> {
        into.putAll(of(r.input(), columns));
        r.subqueries()
            .forEach(
                s -> {
                  Map<Integer, Interval> inner = of(s.relation(), columns);
                  Map<Integer, Interval> results = calls(s.calls(), inner, s.relation().columns());
                  put(into, s.output(), new ExprRanges(results, List.of()).of(s.value()));
                });
      }
      case Relation.Aggregate r -> {
        Map<Integer, Interval> input = of(r.input(), columns);
        for (Column key : r.keys()) {
          if (input.containsKey(key.id())) {
            into.put(key.id(), input.get(key.id()));
          }
        }
        into.putAll(calls(r.calls(), input, r.input().columns()));
      }
      case Relation.SetOperation r -> {
        Map<Integer, Interval> left = of(r.left(), columns);
        Map<Integer, Interval> right = of(r.right(), columns);
        for (int i = 0; i < r.columns().size(); i++) {
          Interval a = left.getOrDefault(r.left().columns().get(i).id(), Interval.UNKNOWN);
          Interval b = right.getOrDefault(r.right().columns().get(i).id(), Interval.UNKNOWN);
          put(into, r.columns().get(i), r.kind() == Relation.SetKind.UNION ? a.union(b) : a);
        }
      }
      case Relation.Window r -> {
        Map<Integer, Interval> input = of(r.input(), columns);
        into.putAll(input);
        for (WindowCall call : r.calls()) {
          call.aggregate()
              .ifPresent(a -> into.putAll(calls(List.of(a), input, r.input().columns())));
        }
      }
    }
  }

  /** What its type cannot hold is no value, and no middle of values. */
  private static Interval held(Interval declared, Type type) {
    Interval both =
        switch (type.kind()) {
          case SMALLINT -> declared.intersect(Interval.of(Short.MIN_VALUE, Short.MAX_VALUE));
          case INTEGER -> declared.intersect(Interval.of(Integer.MIN_VALUE, Integer.MAX_VALUE));
          case BIGINT -> declared.intersect(Interval.of(Long.MIN_VALUE, Long.MAX_VALUE));
          case BOOLEAN,
              DECIMAL,
              DOUBLE,
              VARCHAR,
              DATE,
              TIME,
              TIMESTAMP,
              INTERVAL_MONTHS,
              INTERVAL_MICROS,
              UUID,
              OPAQUE,
              NULL ->
              declared;
        };
    return both.range().isPresent() ? both : declared;
  }

  private static Map<Integer, Interval> calls(
      List<AggregateCall> calls, Map<Integer, Interval> input, List<Column> columns) {
    Map<Integer, Interval> out = new HashMap<>();
    ExprRanges ranges = new ExprRanges(input, columns);
    for (AggregateCall call : calls) {
      Interval argument = call.argument().map(ranges::of).orElse(Interval.UNKNOWN);
      Interval result =
          switch (call.kind()) {
            case COUNT -> Interval.atLeast(BigDecimal.ZERO);
            case MODE, TEXTS -> Interval.UNKNOWN;
            case AVG, MIN, MAX, QUANTILE -> argument;
            case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> Interval.atLeast(BigDecimal.ZERO);
            case SUM ->
                argument.low().isPresent() && argument.low().get().signum() >= 0
                    ? Interval.atLeast(BigDecimal.ZERO)
                    : Interval.UNKNOWN;
          };
      put(out, call.output(), result);
    }
    return out;
  }

  private static void values(Relation.Values r, Map<Integer, Interval> into) {
    for (int i = 0; i < r.columns().size(); i++) {
      Interval all = null;
      for (List<Expr.Literal> row : r.rows()) {
        if (!row.get(i).isNull()) {
          Interval one = ExprRanges.literal(row.get(i));
          all = all == null ? one : all.union(one);
        }
      }
      if (all != null) {
        put(into, r.columns().get(i), all);
      }
    }
  }

  /** Learns from a predicate that is true: a column, or its year, compared with a constant. */
  public static void narrow(Expr fact, Map<Integer, Interval> known) {
    if (!(fact instanceof Expr.Call call) || call.arguments().size() < 2) {
      return;
    }
    Expr one = call.arguments().get(0);
    Expr two = call.arguments().get(1);
    if (two instanceof Expr.Literal literal && !literal.isNull()) {
      learn(one, call.function(), call.arguments().subList(1, call.arguments().size()), known);
    } else if (one instanceof Expr.Literal literal && !literal.isNull()) {
      call.function().mirrored().ifPresent(as -> learn(two, as, List.of(one), known));
    }
  }

  private static void learn(
      Expr compared, Function function, List<Expr> constants, Map<Integer, Interval> known) {
    Optional<Expr.Ref> column = Conversions.columnUnlessNull(compared);
    Optional<Expr.Ref> yearOf = column.isPresent() ? Optional.empty() : DateRanges.yearOf(compared);
    Optional<Expr.Ref> of = column.or(() -> yearOf);
    if (of.isEmpty()) {
      return;
    }
    Interval all = null;
    for (Expr constant : constants) {
      if (constant instanceof Expr.Literal literal && literal.isNull()) {
        continue; // nothing equals it
      }
      Interval one =
          !(constant instanceof Expr.Literal literal)
              ? Interval.UNKNOWN
              : yearOf.isPresent()
                  ? DateRanges.year(literal, of.get().type())
                  : constant(literal, of.get().type());
      all = all == null ? one : all.union(one);
    }
    if (all == null) {
      return;
    }
    Interval learned = learned(function, all, step(of.get().type()));
    if (!learned.equals(Interval.UNKNOWN)) {
      known.merge(of.get().column(), learned, Interval::intersect);
    }
  }

  /** Exact numbers, days and microseconds: nothing lies between one and the next. */
  private static Optional<BigDecimal> step(Type type) {
    return type.isExact() || type.isDateTime()
        ? Optional.of(BigDecimal.ONE.movePointLeft(type.isExact() ? type.scale() : 0))
        : Optional.empty();
  }

  private static Interval learned(Function function, Interval constant, Optional<BigDecimal> step) {
    Optional<BigDecimal> low = constant.low();
    Optional<BigDecimal> high = constant.high();
    return switch (function) {
      case EQ, IS_NOT_DISTINCT, IN_LIST -> constant;
      case LE -> Interval.upTo(step.isEmpty() ? high : high.map(v -> down(v, step.get())));
      case GE -> Interval.from(step.isEmpty() ? low : low.map(v -> up(v, step.get())));
      case LT ->
          Interval.upTo(
              step.isEmpty() ? high : low.map(v -> up(v, step.get()).subtract(step.get())));
      case GT ->
          Interval.from(step.isEmpty() ? low : high.map(v -> down(v, step.get()).add(step.get())));
      default -> Interval.UNKNOWN;
    };
  }

  private static BigDecimal up(BigDecimal value, BigDecimal step) {
    return value.setScale(step.scale(), RoundingMode.CEILING);
  }

  private static BigDecimal down(BigDecimal value, BigDecimal step) {
    return value.setScale(step.scale(), RoundingMode.FLOOR);
  }

  /** Bounds of a date are counted in days, of a timestamp in microseconds. */
  private static Interval constant(Expr.Literal literal, Type type) {
    Interval interval = ExprRanges.literal(literal);
    if (!type.isDateTime() || literal.type().equals(type)) {
      return interval;
    }
    return switch (literal.type().kind()) {
      case DATE -> interval.map(days -> days.multiply(MICROS_PER_DAY));
      case TIMESTAMP ->
          interval.map(micros -> micros.divide(MICROS_PER_DAY, MathContext.DECIMAL128));
      default -> Interval.UNKNOWN;
    };
  }

  private static void put(Map<Integer, Interval> into, Column column, Interval interval) {
    if (!interval.equals(Interval.UNKNOWN)) {
      into.put(column.id(), interval);
    }
  }
}
