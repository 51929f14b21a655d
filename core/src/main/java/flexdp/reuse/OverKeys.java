package flexdp.reuse;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rewrites expressions over rows as expressions over the labels of a histogram. */
final class OverKeys {
  private final List<String> keys;
  private final Parts.Texts texts;

  OverKeys(List<String> keys, Parts.Texts texts) {
    this.keys = keys;
    this.texts = texts;
  }

  Optional<Expr> of(Expr expr) {
    int key = expr instanceof Expr.Literal ? -1 : keys.indexOf(texts.of(expr));
    if (key >= 0) {
      return expr.type().kind() == Type.Kind.DOUBLE
          ? Optional.empty()
          : Optional.of(new Expr.Ref(key, expr.type()));
    }
    return switch (expr) {
      case Expr.Literal literal -> Optional.of(literal);
      case Expr.Ref ignored -> Optional.empty();
      case Expr.Cast cast ->
          isText(cast) || isText(cast.operand())
              ? Optional.empty()
              : of(cast.operand()).map(o -> new Expr.Cast(o, cast.type()));
      case Expr.Call call -> call(call);
      case Expr.Case c -> choice(c);
    };
  }

  private Optional<Expr> call(Expr.Call call) {
    if (call.arguments().stream().anyMatch(OverKeys::isText) && !comparesByEquality(call)) {
      return Optional.empty();
    }
    List<Expr> arguments = new ArrayList<>();
    for (Expr argument : call.arguments()) {
      Optional<Expr> one = of(argument);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      arguments.add(one.get());
    }
    return Optional.of(new Expr.Call(call.function(), arguments, call.type()));
  }

  private static boolean isText(Expr expr) {
    return expr.type().kind() == Type.Kind.VARCHAR && !(expr instanceof Expr.Literal);
  }

  private static boolean comparesByEquality(Expr.Call call) {
    return switch (call.function()) {
      case EQ, NE, IN_LIST, IS_DISTINCT, IS_NOT_DISTINCT, IS_NULL, IS_NOT_NULL, COALESCE -> true;
      default -> false;
    };
  }

  private Optional<Expr> choice(Expr.Case c) {
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (Expr.Case.Branch branch : c.branches()) {
      Optional<Expr> condition = of(branch.condition());
      Optional<Expr> value = of(branch.value());
      if (condition.isEmpty() || value.isEmpty()) {
        return Optional.empty();
      }
      branches.add(new Expr.Case.Branch(condition.get(), value.get()));
    }
    Optional<Expr> otherwise = c.otherwise().flatMap(this::of);
    return otherwise.isPresent() == c.otherwise().isPresent()
        ? Optional.of(new Expr.Case(branches, otherwise, c.type()))
        : Optional.empty();
  }
}
