package flexdp.properties;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Where the values of columns lie in fact, for as long as the data stay as they are. A value that
 * lies within its range by itself is the same clamped and unclamped, so whether the database clamps
 * it decides how long it takes and nothing else.
 */
public interface ColumnBounds {
  /** Nothing is known. */
  ColumnBounds NONE = (table, column) -> Optional.empty();

  /** The least and the greatest value of a column; empty when they are not known. */
  Optional<Range> of(Table table, ColumnSpec column);

  /**
   * Whether an expression over a relation lies in a range wherever it is not NULL. Only for columns
   * of tables, constants, and sums, differences and products of them in exact types: these are
   * computed exactly, or are NULL.
   */
  default boolean isWithin(Relation relation, Expr expr, Range range) {
    Interval interval = interval(relation, expr);
    return interval.low().filter(low -> low.compareTo(range.low()) >= 0).isPresent()
        && interval.high().filter(high -> high.compareTo(range.high()) <= 0).isPresent();
  }

  private Interval interval(Relation relation, Expr expr) {
    if (!expr.type().isExact()) {
      return Interval.UNKNOWN;
    }
    return switch (expr) {
      case Expr.Ref ref -> column(Lineage.of(relation, ref.column()));
      case Expr.Literal literal when literal.value() instanceof BigDecimal value ->
          Interval.point(value);
      case Expr.Cast cast
          when cast.operand().type().isExact()
              && cast.operand().type().scale() <= cast.type().scale() ->
          interval(relation, cast.operand());
      case Expr.Call call -> {
        List<Interval> a = call.arguments().stream().map(x -> interval(relation, x)).toList();
        yield switch (call.function()) {
          case PLUS -> kept(call, a.get(0).plus(a.get(1)));
          case MINUS -> kept(call, a.get(0).plus(a.get(1).negate()));
          case TIMES -> kept(call, a.get(0).times(a.get(1)));
          case NEGATE -> a.get(0).negate();
          default -> Interval.UNKNOWN;
        };
      }
      case Expr.Literal ignored -> Interval.UNKNOWN;
      case Expr.Cast ignored -> Interval.UNKNOWN;
      case Expr.Case ignored -> Interval.UNKNOWN;
    };
  }

  /** A result with fewer digits than exact arithmetic gives is rounded, perhaps beyond its end. */
  private static Interval kept(Expr.Call call, Interval exact) {
    int one = call.arguments().get(0).type().scale();
    int two = call.arguments().get(1).type().scale();
    boolean product = call.function() == flexdp.algebra.Function.TIMES;
    return call.type().scale() >= (product ? one + two : Math.max(one, two))
        ? exact
        : Interval.UNKNOWN;
  }

  private Interval column(Lineage lineage) {
    return lineage.relation() instanceof Relation.Scan scan
        ? lineage
            .spec()
            .flatMap(spec -> of(scan.table(), spec))
            .map(Interval::of)
            .orElse(Interval.UNKNOWN)
        : Interval.UNKNOWN;
  }
}
