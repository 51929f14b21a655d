package flexdp.algebra;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads off a condition over two relations which columns it requires to be equal, or to be equal
 * once they are converted into a type that keeps their values apart. The answer is a list of
 * alternatives, at least one of which holds whenever the condition is true; each is a non-empty
 * conjunction. No alternatives at all means that the condition requires no equality.
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
    Optional<Expr.Ref> one = column(call.arguments().get(0), nullSafe);
    Optional<Expr.Ref> two = column(call.arguments().get(1), nullSafe);
    boolean sameType = call.arguments().get(0).type().equals(call.arguments().get(1).type());
    if (!sameType || one.isEmpty() || two.isEmpty()) {
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
   * The column whose own equality decides the comparison. A conversion that turns values into NULL
   * keeps them from matching, but not where NULL matches NULL.
   */
  private static Optional<Expr.Ref> column(Expr expr, boolean nullSafe) {
    return nullSafe ? Conversions.column(expr) : Conversions.columnUnlessNull(expr);
  }
}
