package flexdp.gateway.catalog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Where statements that measure are run: a connection, or the session of a question. */
@FunctionalInterface
public interface StatementRunner {
  /** Takes the rows of a statement, one after the other. */
  @FunctionalInterface
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /** Runs one and hands over its rows. */
  void run(String sql, RowReader reader) throws SQLException;

  static StatementRunner over(Connection connection) {
    return (sql, reader) -> {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
    };
  }
}
