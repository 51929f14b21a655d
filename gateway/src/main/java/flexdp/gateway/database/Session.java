package flexdp.gateway.database;

import java.sql.ResultSet;
import java.sql.SQLException;

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
   * @throws flexdp.DatabaseError when the database fails
   */
  void run(String sql, RowReader reader);

  @Override
  void close();
}
