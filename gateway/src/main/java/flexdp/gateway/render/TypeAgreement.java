package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.util.List;

/**
 * Where values meet they have one type: every conversion is written in the algebra, where the rules
 * see it. A database that had to convert by itself could merge values or lose them unseen
 * (guarantee §12), so such a question is a fault of ours and not rendered.
 */
final class TypeAgreement {
  private TypeAgreement() {}

  static void require(Type one, Type other) {
    if (!one.equals(other)) {
      throw new IllegalArgumentException("a conversion is missing: " + other + " meets " + one);
    }
  }

  static void require(Type type, List<Expr> exprs) {
    exprs.forEach(expr -> require(type, expr.type()));
  }
}
