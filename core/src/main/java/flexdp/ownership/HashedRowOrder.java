package flexdp.ownership;

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
public final class HashedRowOrder {
  private HashedRowOrder() {}

  public static List<SortKey> of(List<Column> columns) {
    return by(columns, columns);
  }

  /**
   * An order of what one owner has, with another for every owner: what comes first with one of them
   * comes first with no more of the others than chance has it.
   */
  public static List<SortKey> ofEach(Column owner, List<Column> columns) {
    List<Column> hashed = new ArrayList<>(List.of(owner));
    hashed.addAll(columns);
    return by(hashed, columns);
  }

  private static List<SortKey> by(List<Column> hashed, List<Column> columns) {
    List<SortKey> order = new ArrayList<>();
    order.add(new SortKey(PortableHash.of(refs(hashed)), false, false));
    refs(columns).forEach(value -> order.add(new SortKey(value, false, false)));
    return order;
  }

  private static List<Expr> refs(List<Column> columns) {
    return columns.stream().<Expr>map(Column::ref).toList();
  }
}
