package flexdp.algebra;

import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads off a condition over two relations which columns it requires to be equal. The answer is a
 * list of alternatives, at least one of which holds whenever the condition is true; each is a
 * non-empty conjunction. No alternatives at all means that the condition requires no equality.
 */
public final class Equalities {
  private Equalities() {}

  public static List<List<Equality>> of(Expr condition, Set<Integer> left, Set<Integer> right) {
    List<Equality> direct = new ArrayList<>();
    List<List<List<Equality>>> disjunctions = new ArrayList<>();
    for (Expr conjunct : conjuncts(condition)) {
      equality(conjunct, left, right).ifPresent(direct::add);
      if (conjunct instanceof Expr.Call call && call.function() == Function.OR) {
        disjunctions.add(alternatives(call, left, right));
      }
    }
    if (!direct.isEmpty()) {
      return List.of(List.copyOf(direct));
    }
    return disjunctions.stream().filter(d -> !d.isEmpty()).findFirst().orElse(List.of());
  }

  /** The terms of a conjunction, however nested. */
  public static List<Expr> conjuncts(Expr condition) {
    List<Expr> terms = new ArrayList<>();
    flatten(condition, Function.AND, terms);
    return terms;
  }

  /** The terms of a disjunction, however nested. */
  public static List<Expr> disjuncts(Expr condition) {
    List<Expr> terms = new ArrayList<>();
    flatten(condition, Function.OR, terms);
    return terms;
  }

  private static void flatten(Expr expr, Function operator, List<Expr> into) {
    if (expr instanceof Expr.Call call && call.function() == operator) {
      call.arguments().forEach(argument -> flatten(argument, operator, into));
    } else {
      into.add(expr);
    }
  }

  private static List<List<Equality>> alternatives(
      Expr.Call or, Set<Integer> left, Set<Integer> right) {
    List<List<Equality>> all = new ArrayList<>();
    for (Expr disjunct : disjuncts(or)) {
      List<List<Equality>> some = of(disjunct, left, right);
      if (some.isEmpty()) {
        return List.of();
      }
      all.addAll(some);
    }
    return all;
  }

  private static Optional<Equality> equality(Expr expr, Set<Integer> left, Set<Integer> right) {
    if (!(expr instanceof Expr.Call call)
        || (call.function() != Function.EQ && call.function() != Function.IS_NOT_DISTINCT)) {
      return Optional.empty();
    }
    boolean nullSafe = call.function() == Function.IS_NOT_DISTINCT;
    Optional<Expr.Ref> one = column(call.arguments().get(0), call.arguments().get(1).type());
    Optional<Expr.Ref> two = column(call.arguments().get(1), call.arguments().get(0).type());
    if (one.isEmpty() || two.isEmpty()) {
      return Optional.empty();
    }
    // A conversion may turn many values into NULL, which only IS NOT DISTINCT FROM would match.
    if (nullSafe && !call.arguments().stream().allMatch(Expr.Ref.class::isInstance)) {
      return Optional.empty();
    }
    int a = one.get().column();
    int b = two.get().column();
    if (left.contains(a) && right.contains(b)) {
      return Optional.of(new Equality(a, b, nullSafe));
    }
    if (left.contains(b) && right.contains(a)) {
      return Optional.of(new Equality(b, a, nullSafe));
    }
    return Optional.empty();
  }

  /**
   * The column whose own equality decides the comparison: a bare reference, or one under
   * conversions that map different values to different values.
   */
  private static Optional<Expr.Ref> column(Expr expr, Type comparedWith) {
    return switch (expr) {
      case Expr.Ref ref ->
          comparedExactly(ref.type(), comparedWith) ? Optional.of(ref) : Optional.empty();
      case Expr.Cast cast ->
          convertsInjectively(cast.operand().type(), cast.type())
              ? comparedExactly(cast.type(), comparedWith)
                  ? column(cast.operand(), cast.operand().type())
                  : Optional.empty()
              : Optional.empty();
      case Expr.Literal ignored -> Optional.empty();
      case Expr.Call ignored -> Optional.empty();
      case Expr.Case ignored -> Optional.empty();
    };
  }

  /** Whether comparing the two types never takes two different values for equal ones. */
  private static boolean comparedExactly(Type one, Type two) {
    return one.equals(two)
        || one.isExact() && two.isExact()
        || isSmall(one) && two.kind() == Type.Kind.DOUBLE
        || one.kind() == Type.Kind.DOUBLE && isSmall(two)
        || one.isDateTime() && two.isDateTime();
  }

  /** Whether different values stay different, or become NULL, when converted. */
  private static boolean convertsInjectively(Type from, Type to) {
    if (from.equals(to)) {
      return true;
    }
    return switch (from.kind()) {
      case SMALLINT, INTEGER -> to.isNumeric();
      case BIGINT -> to.isExact();
      case DECIMAL -> to.kind() == Type.Kind.DECIMAL && to.scale() >= from.scale();
      case DATE -> to.kind() == Type.Kind.TIMESTAMP;
      case BOOLEAN,
          DOUBLE,
          VARCHAR,
          TIME,
          TIMESTAMP,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          false;
    };
  }

  private static boolean isSmall(Type type) {
    return type.kind() == Type.Kind.SMALLINT || type.kind() == Type.Kind.INTEGER;
  }
}
