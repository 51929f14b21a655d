package flexdp.sql.join;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Recognises ROW_NUMBER() that is used for nothing but {@code <= n}. */
final class TopRows {
  private TopRows() {}

  /**
   * The rows of a window for which the conditions are true, without the number.
   *
   * @param needed columns read above: the number must not be among them
   */
  static Optional<Relation> of(Relation.Window window, List<Expr> conditions, BitSet needed) {
    for (WindowCall call : window.calls()) {
      int number = call.output().id();
      if (call.rank().equals(Optional.of(WindowCall.Rank.ROW_NUMBER)) && !needed.get(number)) {
        Optional<Relation> cut = cut(window, call, conditions);
        if (cut.isPresent()) {
          return cut;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Relation> cut(
      Relation.Window window, WindowCall call, List<Expr> conditions) {
    int number = call.output().id();
    List<Expr> others = new ArrayList<>();
    long count = Long.MAX_VALUE;
    for (Expr condition : conditions) {
      if (!Exprs.reads(condition).get(number)) {
        others.add(condition);
        continue;
      }
      Optional<Long> limit = limit(condition, number);
      if (limit.isEmpty()) {
        return Optional.empty();
      }
      count = Math.min(count, limit.get());
    }
    if (count == Long.MAX_VALUE) {
      return Optional.empty();
    }
    List<WindowCall> rest = new ArrayList<>(window.calls());
    rest.remove(call);
    Relation rows = rest.isEmpty() ? window.input() : new Relation.Window(window.input(), rest);
    Relation top = new Relation.TopRows(rows, call.partition(), call.order(), count, call.at());
    return Optional.of(Joins.filter(top, others));
  }

  /** The n of {@code number <= n}, however written; the largest long for a test that is no test. */
  private static Optional<Long> limit(Expr condition, int number) {
    if (!(condition instanceof Expr.Call call) || call.arguments().size() != 2) {
      return Optional.empty();
    }
    Expr left = call.arguments().get(0);
    Expr right = call.arguments().get(1);
    if (isNumber(left, number) && right instanceof Expr.Literal literal) {
      return limit(call.function(), literal);
    }
    if (isNumber(right, number) && left instanceof Expr.Literal literal) {
      return call.function().mirrored().flatMap(as -> limit(as, literal));
    }
    return Optional.empty();
  }

  private static boolean isNumber(Expr expr, int number) {
    return expr instanceof Expr.Ref ref && ref.column() == number;
  }

  private static Optional<Long> limit(Function function, Expr.Literal literal) {
    if (!(literal.value() instanceof BigDecimal value)
        || value.stripTrailingZeros().scale() > 0
        || value.abs().compareTo(BigDecimal.valueOf(1L << 40)) > 0) {
      return Optional.empty();
    }
    long n = value.longValueExact();
    return switch (function) {
      case LE -> n >= 0 ? Optional.of(n) : Optional.empty();
      case LT -> n >= 1 ? Optional.of(n - 1) : Optional.empty();
      case EQ -> n == 1 ? Optional.of(1L) : Optional.empty();
      case GE -> n <= 1 ? Optional.of(Long.MAX_VALUE) : Optional.empty();
      case GT -> n <= 0 ? Optional.of(Long.MAX_VALUE) : Optional.empty();
      default -> Optional.empty();
    };
  }
}
