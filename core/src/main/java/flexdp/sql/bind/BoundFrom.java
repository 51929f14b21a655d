package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.sql.join.FromTree;
import java.util.List;

/**
 * What FROM, or a part of it, gives: rows and names.
 *
 * @param lateral conditions of a LATERAL subquery on the items before it
 */
public record BoundFrom(FromTree tree, List<FromItem> sources, List<Expr> lateral) {
  BoundFrom(FromTree tree, List<FromItem> sources) {
    this(tree, sources, List.of());
  }
}
