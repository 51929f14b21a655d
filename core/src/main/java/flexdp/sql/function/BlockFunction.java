package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.hash.PortableHash;
import java.math.BigDecimal;
import java.util.List;

/**
 * DP_BLOCK(key, n): which of n blocks, from 0 to n − 1, the rows of a key belong to, by the hash
 * that is the same on every database. It reads one row, so a row of a table moves no block but its
 * own; by the number of a row (ROW_NUMBER() % n) it would move all that come after it.
 */
final class BlockFunction {
  private static final int MOST = 10_000;

  private BlockFunction() {}

  static Expr of(Arguments a) {
    Expr key = a.any(0);
    if (!(a.number(1) instanceof Expr.Literal literal)
        || !(literal.value() instanceof BigDecimal count)
        || count.stripTrailingZeros().scale() > 0
        || count.signum() <= 0
        || count.compareTo(BigDecimal.valueOf(MOST)) > 0) {
      throw Rejections.types(
          "DP_BLOCK makes 1 to " + MOST + " blocks, a number that does not follow the data.",
          "Write a whole constant, as in DP_BLOCK(id, 400).",
          Rejections.at(a.node(1)));
    }
    return PortableHash.block(List.of(key), count.intValueExact());
  }
}
