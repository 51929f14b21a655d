package flexdp.algebra;

import java.util.function.UnaryOperator;

/** One term of an ORDER BY, with the place of NULLs always said. */
public record SortKey(Expr expr, boolean descending, boolean nullsFirst) {
  public SortKey map(UnaryOperator<Expr> rule) {
    return new SortKey(rule.apply(expr), descending, nullsFirst);
  }
}
