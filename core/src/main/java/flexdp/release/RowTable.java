package flexdp.release;

import flexdp.algebra.Column;
import java.util.Collections;
import java.util.List;

/**
 * Rows in memory. Values are those of {@link flexdp.algebra.Expr.Literal}, NULL is null; exact
 * numbers carry the scale of their column's type.
 */
public record RowTable(List<Column> columns, List<List<Object>> rows) {
  public RowTable {
    columns = List.copyOf(columns);
    rows = Collections.unmodifiableList(rows);
  }

  /** The place of a column, by id. */
  public int index(int id) {
    return index(columns, id);
  }

  static int index(List<Column> columns, int id) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).id() == id) {
        return i;
      }
    }
    throw new IllegalArgumentException("no column with id " + id);
  }
}
