package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * An expression beside its rendered text.
 *
 * @param end a number of this size, or larger, stands for NULL, whatever the text says
 */
public record RenderedExpression(Expr expr, String sql, Optional<BigDecimal> end) {
  public RenderedExpression(Expr expr, String sql) {
    this(expr, sql, Optional.empty());
  }

  /** A value that was computed below and has a name of its own; no column has this id. */
  public static RenderedExpression named(String sql, Type type) {
    return new RenderedExpression(new Expr.Ref(Integer.MAX_VALUE, type), sql);
  }

  public Type type() {
    return expr.type();
  }

  /** Whether the text may be repeated without repeating work. */
  public boolean isSimple() {
    return expr instanceof Expr.Ref || expr instanceof Expr.Literal;
  }
}
