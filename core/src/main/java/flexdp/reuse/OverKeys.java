package flexdp.reuse;

import flexdp.algebra.Expr;
import flexdp.algebra.Tree;
import flexdp.policy.Type;
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
          isText(cast) || isText(cast.operand()) ? Optional.empty() : Tree.rebuilt(cast, this::of);
      case Expr.Call call ->
          call.arguments().stream().anyMatch(OverKeys::isText) && !comparesByEquality(call)
              ? Optional.empty()
              : Tree.rebuilt(call, this::of);
      case Expr.Case choice -> Tree.rebuilt(choice, this::of);
    };
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
}
