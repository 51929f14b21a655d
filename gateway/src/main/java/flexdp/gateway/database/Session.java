package flexdp.gateway.database;

import flexdp.gateway.database.CancellationToken.QueryCancelled;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** A view of one state of the data. Failures are opaque: their cause goes to the owner's log. */
public interface Session extends AutoCloseable {
  /** Takes the rows of a statement, one after the other. */
  @FunctionalInterface
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /**
   * Runs a statement and hands over its rows as they arrive.
   *
   * @throws DatabaseTimeout when it takes longer than allowed
   * @throws QueryCancelled when the caller wished so
   * @throws flexdp.failure.DatabaseError when the database fails
   */
  void run(String sql, RowReader reader);

  /**
   * Runs a statement whose rows are handed over all at once, where the database computes such
   * results with more hands than those it hands over piece by piece.
   *
   * @param most rows, so that they fit into memory
   * @return whether all rows were read; otherwise it has to be run the other way, from the start
   */
  default boolean runWhole(String sql, int most, RowReader reader) {
    return false;
  }

  /** From here on, statements stop when it is wished. */
  default void heed(CancellationToken cancellation) {}

  /** What a column of a row holds, counted from one. Never throws. */
  CellReader value(ResultSet row, int index, Type type);

  /** A count or an exact sum, counted from one; nothing for NULL and for what is no number. */
  Optional<BigDecimal> number(ResultSet row, int index);

  @Override
  void close();

  /** The statement took longer than the owner allows. */
  final class DatabaseTimeout extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DatabaseTimeout() {
      super("the statement took too long", null, false, false);
    }
  }

  /**
   * What is found in a cell of a result. Reading a cell never ends a question: that would tell that
   * there is a row with such a cell.
   */
  sealed interface CellReader {
    /**
     * A value in the one form of its type.
     *
     * @param value null for NULL
     */
    record Value(Object value) implements CellReader {}

    /** Something that is no value of the column's type. */
    record Unreadable() implements CellReader {}
  }
}
