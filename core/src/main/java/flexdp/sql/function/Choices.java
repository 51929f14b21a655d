package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Functions that choose among their arguments. */
final class Choices {
  private Choices() {}

  static Expr of(Function function, List<Expr> values, Arguments a) {
    List<Expr> fitted = TypeRules.unify(values, a.at());
    return fitted.size() == 1
        ? fitted.get(0)
        : new Expr.Call(function, fitted, TypeRules.typeOf(fitted));
  }

  /** ISNULL(x, y) is COALESCE; ISNULL(x) is a test. */
  static Expr isNull(Arguments a) {
    return a.count() == 1
        ? Exprs.test(Function.IS_NULL, a.any(0))
        : of(Function.COALESCE, a.all(), a);
  }

  static Expr ifNotNull(Arguments a) {
    return choose(Exprs.test(Function.IS_NOT_NULL, a.any(0)), a.any(1), Optional.of(a.any(2)), a);
  }

  static Expr ifThen(Arguments a) {
    return choose(
        a.condition(0), a.any(1), a.count() == 3 ? Optional.of(a.any(2)) : Optional.empty(), a);
  }

  private static Expr choose(Expr condition, Expr then, Optional<Expr> otherwise, Arguments a) {
    List<Expr> values = new ArrayList<>();
    values.add(then);
    otherwise.ifPresent(values::add);
    List<Expr> fitted = TypeRules.unify(values, a.at());
    return new Expr.Case(
        List.of(new Expr.Case.Branch(condition, fitted.get(0))),
        otherwise.map(ignored -> fitted.get(1)),
        TypeRules.typeOf(fitted));
  }

  static Expr nullIf(Arguments a) {
    return nullIf(a.any(0), a.any(1), a.at());
  }

  /** The value in the type in which it was compared. */
  private static Expr nullIf(Expr value, Expr other, Position at) {
    Expr.Call equal = (Expr.Call) TypeRules.compare(Function.EQ, value, other, at);
    return new Expr.Call(Function.NULLIF, equal.arguments(), equal.arguments().get(0).type());
  }

  /** DECODE(x, a, v, b, w, else): NULL equals NULL. */
  static Expr decode(Arguments a) {
    Expr x = a.any(0);
    List<Expr> values = new ArrayList<>();
    List<Expr> tests = new ArrayList<>();
    int i = 1;
    for (; i + 1 < a.count(); i += 2) {
      tests.add(TypeRules.compare(Function.IS_NOT_DISTINCT, x, a.any(i), a.at()));
      values.add(a.any(i + 1));
    }
    boolean hasElse = i < a.count();
    if (hasElse) {
      values.add(a.any(i));
    }
    List<Expr> fitted = TypeRules.unify(values, a.at());
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int j = 0; j < tests.size(); j++) {
      branches.add(new Expr.Case.Branch(tests.get(j), fitted.get(j)));
    }
    Optional<Expr> last = hasElse ? Optional.of(fitted.get(fitted.size() - 1)) : Optional.empty();
    return new Expr.Case(branches, last, TypeRules.typeOf(fitted));
  }

  static Expr zeroIfNull(Expr x, Position at) {
    List<Expr> fitted = TypeRules.unify(List.of(x, Exprs.integer(0)), at);
    return new Expr.Call(Function.COALESCE, fitted, TypeRules.typeOf(fitted));
  }

  static Expr nullIfZero(Expr x, Position at) {
    return nullIf(x, Exprs.integer(0), at);
  }
}
