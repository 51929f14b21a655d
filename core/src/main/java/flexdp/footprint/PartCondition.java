package flexdp.footprint;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.List;

/**
 * The parts in which a condition can be true, or can be false, whatever the other columns hold.
 * What has no rule here can be both in all of them.
 */
final class PartCondition {
  private final PartKey key;
  private final PartComparison comparison;

  PartCondition(PartKey key) {
    this.key = key;
    this.comparison = new PartComparison(key);
  }

  PartSet whenTrue(Expr condition) {
    return switch (condition) {
      case Expr.Ref ref -> isKey(ref) ? key.named(true) : key.all();
      case Expr.Literal literal -> Boolean.TRUE.equals(literal.value()) ? key.all() : key.none();
      case Expr.Cast ignored -> key.all();
      case Expr.Case ignored -> key.all();
      case Expr.Call call -> whenTrue(call);
    };
  }

  PartSet whenFalse(Expr condition) {
    return switch (condition) {
      case Expr.Ref ref -> isKey(ref) ? key.named(false) : key.all();
      case Expr.Literal literal -> Boolean.FALSE.equals(literal.value()) ? key.all() : key.none();
      case Expr.Cast ignored -> key.all();
      case Expr.Case ignored -> key.all();
      case Expr.Call call -> whenFalse(call);
    };
  }

  /** A column of truth values that is itself the condition. */
  private boolean isKey(Expr expr) {
    return expr instanceof Expr.Ref ref
        && ref.column() == key.column()
        && ref.type().kind() == Type.Kind.BOOLEAN;
  }

  private PartSet whenTrue(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    Expr first = arguments.getFirst();
    return switch (call.function()) {
      case AND -> every(arguments, this::whenTrue);
      case OR -> any(arguments, this::whenTrue);
      case NOT, IS_FALSE -> whenFalse(first);
      case IS_TRUE -> whenTrue(first);
      case IS_NULL -> comparison.isColumn(first) ? key.onlyNull() : key.all();
      case IS_NOT_NULL -> comparison.reads(first) ? key.notNull() : key.all();
      case EQ, NE, LT, LE, GT, GE ->
          comparison.of(call.function(), first, arguments.get(1)).orElse(key.all());
      case IS_NOT_DISTINCT -> same(first, arguments.get(1));
      case IN_LIST -> listed(first, arguments.subList(1, arguments.size()));
      default -> key.all();
    };
  }

  private PartSet whenFalse(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    Expr first = arguments.getFirst();
    return switch (call.function()) {
      case AND -> any(arguments, this::whenFalse);
      case OR -> every(arguments, this::whenFalse);
      case NOT, IS_NOT_TRUE -> whenTrue(first);
      case IS_NOT_FALSE -> whenFalse(first);
      case IS_NOT_NULL -> comparison.isColumn(first) ? key.onlyNull() : key.all();
      case IS_NULL -> comparison.reads(first) ? key.notNull() : key.all();
      case EQ, NE, LT, LE, GT, GE -> {
        Function opposite = call.function().opposite().orElseThrow();
        yield comparison.of(opposite, first, arguments.get(1)).orElse(key.all());
      }
      case IS_DISTINCT -> same(first, arguments.get(1));
      default -> key.all();
    };
  }

  private PartSet every(List<Expr> terms, java.util.function.Function<Expr, PartSet> each) {
    PartSet all = key.all();
    for (Expr term : terms) {
      all = all.and(each.apply(term));
    }
    return all;
  }

  private PartSet any(List<Expr> terms, java.util.function.Function<Expr, PartSet> each) {
    return key.none().or(terms.stream().map(each).toList());
  }

  /** IS NOT DISTINCT FROM a constant. */
  private PartSet same(Expr one, Expr other) {
    if (isNull(one) || isNull(other)) {
      return comparison.isColumn(isNull(one) ? other : one) ? key.onlyNull() : key.all();
    }
    return comparison.of(Function.EQ, one, other).orElse(key.all());
  }

  private static boolean isNull(Expr expr) {
    return expr instanceof Expr.Literal literal && literal.isNull();
  }

  private PartSet listed(Expr value, List<Expr> list) {
    List<PartSet> sets =
        list.stream()
            .filter(one -> !isNull(one))
            .map(one -> comparison.of(Function.EQ, value, one).orElse(key.all()))
            .toList();
    return key.none().or(sets);
  }
}
