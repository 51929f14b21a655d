package flexdp.bench;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.Databases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** One database, asked as an owner's program does, with its ledger on disk, and plainly. */
final class Asking implements AutoCloseable {
  private final FlexDp flexdp;
  private final Connection plain;

  /**
   * @param policy with its metrics, and the ledger to come, beside it
   */
  Asking(String url, Path policy) throws SQLException {
    plain = Databases.streaming(url);
    flexdp = Setup.of(policy).database(url).timeout(Duration.ofMinutes(5)).open();
  }

  /** From text to noisy answer, with its charge on disk; every answer is paid for anew. */
  void ask(String sql) {
    flexdp.ask(QueryRequest.of(sql, "bench"));
  }

  FlexDp flexdp() {
    return flexdp;
  }

  /** To ask the same database plainly; two ways of opening it would not go together on DuckDB. */
  Connection plain() {
    return plain;
  }

  void plainly(String sql) throws SQLException {
    read(plain, sql);
  }

  static void read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    plain.close();
    flexdp.close();
  }
}
