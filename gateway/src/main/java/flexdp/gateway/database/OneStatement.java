package flexdp.gateway.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A statement about to be run. */
interface OneStatement extends AutoCloseable {
  Statement statement();

  /** Runs it. */
  ResultSet rows() throws SQLException;

  /** Says that all rows were read. */
  default void ranWell() {}

  @Override
  void close() throws SQLException;

  /** One that is gone when it was run. */
  static OneStatement fresh(Connection connection, String sql) throws SQLException {
    Statement statement = connection.createStatement();
    return new OneStatement() {
      @Override
      public Statement statement() {
        return statement;
      }

      @Override
      public ResultSet rows() throws SQLException {
        return statement.executeQuery(sql);
      }

      @Override
      public void close() throws SQLException {
        statement.close();
      }
    };
  }
}
