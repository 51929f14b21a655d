package flexdp.question;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.policy.ColumnSpec;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds on the columns of a relation that follow from declared ranges, constants and filters,
 * never from the data. Values are clamped to them again before they are summed, so that a false
 * declaration costs accuracy and not privacy.
 */
final class Ranges {
  private Ranges() {}

  /** What is known of each column, by id; columns of which nothing is known are absent. */
  static Map<Integer, Interval> of(Relation relation) {
    Map<Integer, Interval> known = new HashMap<>();
    collect(relation, known);
    for (Expr fact : KnownTrue.of(relation)) {
      narrow(fact, known);
    }
    return known;
  }

  private static void collect(Relation relation, Map<Integer, Interval> into) {
    switch (relation) {
      case Relation.Scan r -> {
        for (Column column : r.columns()) {
          r.table()
              .column(column.name())
              .flatMap(ColumnSpec::range)
              .ifPresent(range -> into.put(column.id(), Interval.of(range)));
        }
      }
      case Relation.Values r -> values(r, into);
      case Relation.Released ignored -> {}
      case Relation.Filter r -> into.putAll(of(r.input()));
      case Relation.Project r -> {
        Map<Integer, Interval> input = of(r.input());
        ExprRanges ranges = new ExprRanges(input, r.input().columns());
        for (Relation.Project.Output output : r.outputs()) {
          put(into, output.column(), ranges.of(output.expr()));
        }
      }
      case Relation.Join r -> {
        into.putAll(of(r.left()));
        into.putAll(of(r.right()));
      }
      case Relation.Where r -> into.putAll(of(r.input()));
      case Relation.Attach r -> {
        into.putAll(of(r.input()));
        r.subqueries()
            .forEach(
                s -> {
                  Map<Integer, Interval> inner = of(s.relation());
                  Map<Integer, Interval> results = calls(s.calls(), inner, s.relation().columns());
                  put(into, s.output(), new ExprRanges(results, List.of()).of(s.value()));
                });
      }
      case Relation.Distinct r -> into.putAll(of(r.input()));
      case Relation.Aggregate r -> {
        Map<Integer, Interval> input = of(r.input());
        for (Column key : r.keys()) {
          if (input.containsKey(key.id())) {
            into.put(key.id(), input.get(key.id()));
          }
        }
        into.putAll(calls(r.calls(), input, r.input().columns()));
      }
      case Relation.SetOperation r -> {
        Map<Integer, Interval> left = of(r.left());
        Map<Integer, Interval> right = of(r.right());
        for (int i = 0; i < r.columns().size(); i++) {
          Interval a = left.getOrDefault(r.left().columns().get(i).id(), Interval.UNKNOWN);
          Interval b = right.getOrDefault(r.right().columns().get(i).id(), Interval.UNKNOWN);
          put(into, r.columns().get(i), r.kind() == Relation.SetKind.UNION ? a.union(b) : a);
        }
      }
      case Relation.Limit r -> into.putAll(of(r.input()));
      case Relation.TopRows r -> into.putAll(of(r.input()));
      case Relation.Window r -> {
        Map<Integer, Interval> input = of(r.input());
        into.putAll(input);
        for (WindowCall call : r.calls()) {
          call.aggregate()
              .ifPresent(a -> into.putAll(calls(List.of(a), input, r.input().columns())));
        }
      }
    }
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

  /** Learns from a predicate that is true: a column compared with a constant. */
  private static void narrow(Expr fact, Map<Integer, Interval> known) {
    if (!(fact instanceof Expr.Call call) || call.arguments().size() < 2) {
      return;
    }
    Expr one = call.arguments().get(0);
    Expr two = call.arguments().get(1);
    if (two instanceof Expr.Literal literal && !literal.isNull()) {
      Conversions.columnUnlessNull(one)
          .ifPresent(ref -> learn(ref, call.function(), call.arguments(), known));
    } else if (one instanceof Expr.Literal) {
      Conversions.columnUnlessNull(two)
          .ifPresent(ref -> learn(ref, exchanged(call.function()), List.of(two, one), known));
    }
  }

  private static void learn(
      Expr.Ref ref, Function function, List<Expr> arguments, Map<Integer, Interval> known) {
    // Bounds of a date and of a timestamp are counted in different units.
    if (ref.type().isDateTime() && !ref.type().equals(arguments.get(1).type())) {
      return;
    }
    Interval constant = ExprRanges.literal((Expr.Literal) arguments.get(1));
    Interval learned =
        switch (function) {
          case EQ, IS_NOT_DISTINCT -> constant;
          case LT, LE -> new Interval(java.util.Optional.empty(), constant.high());
          case GT, GE -> new Interval(constant.low(), java.util.Optional.empty());
          case IN_LIST -> {
            Interval all = constant;
            for (Expr item : arguments.subList(2, arguments.size())) {
              all = all.union(ExprRanges.literal((Expr.Literal) item));
            }
            yield all;
          }
          default -> Interval.UNKNOWN;
        };
    if (!learned.equals(Interval.UNKNOWN)) {
      known.merge(ref.column(), learned, Interval::intersect);
    }
  }

  private static Function exchanged(Function function) {
    return switch (function) {
      case LT -> Function.GT;
      case LE -> Function.GE;
      case GT -> Function.LT;
      case GE -> Function.LE;
      case EQ, IS_NOT_DISTINCT -> function;
      default -> Function.NE;
    };
  }

  private static void put(Map<Integer, Interval> into, Column column, Interval interval) {
    if (!interval.equals(Interval.UNKNOWN)) {
      into.put(column.id(), interval);
    }
  }
}
