package flexdp.decompose;

import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The labels that a condition names: {@code key = 'a'}, {@code key IN ('a', 'b')}, or either. */
final class ListedLabels {
  private ListedLabels() {}

  /** Whether a condition that is true names all labels of a key. */
  static boolean lists(Column key, Expr fact) {
    return of(key, fact).isPresent();
  }

  static Optional<List<Object>> of(Column key, Expr fact) {
    if (!(fact instanceof Expr.Call call)) {
      return Optional.empty();
    }
    if (call.function() == Function.OR) {
      Set<Object> all = new LinkedHashSet<>();
      for (Expr disjunct : Equalities.disjuncts(fact)) {
        Optional<List<Object>> some = of(key, disjunct);
        if (some.isEmpty()) {
          return Optional.empty();
        }
        all.addAll(some.get());
      }
      return Optional.of(new ArrayList<>(all));
    }
    boolean equal = call.function() == Function.EQ;
    boolean last = equal && isKey(call.arguments().getLast(), key);
    boolean first =
        (equal || call.function() == Function.IN_LIST) && isKey(call.arguments().getFirst(), key);
    if (!first && !last) {
      return Optional.empty();
    }
    List<Expr> others =
        first
            ? call.arguments().subList(1, call.arguments().size())
            : call.arguments().subList(0, 1);
    Set<Object> values = new LinkedHashSet<>();
    for (Expr argument : others) {
      if (!(argument instanceof Expr.Literal literal)) {
        return Optional.empty();
      }
      if (!literal.isNull()) {
        values.add(canonical(literal.value()));
      }
    }
    return Optional.of(new ArrayList<>(values));
  }

  private static boolean isKey(Expr expr, Column key) {
    return expr instanceof Expr.Ref ref && ref.column() == key.id();
  }

  /** Equal numbers are one label, however they are written. */
  static Object canonical(Object value) {
    return value instanceof BigDecimal d
        ? (d.signum() == 0 ? BigDecimal.ZERO : d.stripTrailingZeros())
        : value;
  }
}
