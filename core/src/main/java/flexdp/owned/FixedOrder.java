package flexdp.owned;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.SortKey;
import flexdp.hash.PortableHash;
import java.util.ArrayList;
import java.util.List;

/**
 * An order of rows that follows from their values alone, is the same on every database and prefers
 * no value to another: by the hash of all columns, then by the columns, so that rows which tie are
 * equal.
 */
public final class FixedOrder {
  private FixedOrder() {}

  public static List<SortKey> of(List<Column> columns) {
    List<Expr> values = columns.stream().<Expr>map(Column::ref).toList();
    List<SortKey> order = new ArrayList<>();
    order.add(new SortKey(PortableHash.of(values), false, false));
    values.forEach(value -> order.add(new SortKey(value, false, false)));
    return order;
  }
}
