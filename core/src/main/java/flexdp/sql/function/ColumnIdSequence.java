package flexdp.sql.function;

import flexdp.algebra.Column;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Hands out column ids and remembers which columns may be NULL. Names are resolved after the joins
 * below them are bound, so at that moment a padded column is already marked.
 */
public final class ColumnIdSequence {
  /** Far beyond any query people write; stops common table expressions that double themselves. */
  private static final int MOST = 100_000;

  private final BitSet nullable = new BitSet();
  private final BitSet real = new BitSet();
  private final List<Column> columns = new ArrayList<>();

  public Column column(String name, Type type, boolean mayBeNull) {
    if (columns.size() == MOST) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The query reads more than " + MOST + " columns in all.",
          "Ask for fewer tables, or refer to common table expressions less often.");
    }
    Column column = new Column(columns.size(), name, type, mayBeNull);
    nullable.set(column.id(), mayBeNull);
    columns.add(column);
    return column;
  }

  /** The column as it is seen now, perhaps under another name. */
  public Column seen(int id, String name) {
    Column column = columns.get(id);
    return column.name().equals(name) && column.nullable() == nullable.get(id)
        ? column
        : new Column(id, name, column.type(), nullable.get(id));
  }

  /** The name that a column was made with. */
  public String name(int id) {
    return columns.get(id).name();
  }

  public void pad(int column) {
    nullable.set(column);
  }

  public boolean isNullable(int column) {
    return nullable.get(column);
  }

  /** Marks whole numbers that are none in the dialect of the question. */
  public void real(int column) {
    real.set(column);
  }

  public boolean isReal(int column) {
    return real.get(column);
  }

  public boolean hasReal() {
    return !real.isEmpty();
  }

  /** One more than the largest id in use. */
  public int count() {
    return columns.size();
  }
}
