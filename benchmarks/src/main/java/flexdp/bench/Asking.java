package flexdp.bench;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.answer.Gateway;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.live.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** One database, asked through a gateway with its ledger on disk, and plainly. */
final class Asking implements AutoCloseable {
  private final JdbcDatabase database;
  private final Ledger ledger;
  private final Connection plain;
  private final Gateway gateway;

  /**
   * @param beside where the ledger lies
   */
  Asking(String url, Policy policy, Metrics metrics, Path beside) throws SQLException {
    // Of a single question that is asked again and again nobody runs out.
    Allowances plenty = Allowances.eachTable(Allowance.basic("1000000000", "0.5"));
    plain = Databases.streaming(url);
    database = JdbcDatabase.open(url, policy, Duration.ofMinutes(5), OwnerLog.NONE);
    ledger = LedgerPlace.of(beside, Optional.empty()).open(plenty, false);
    gateway =
        new Gateway(
            policy,
            LiveMetrics.vouched(policy, metrics),
            "bench",
            database,
            ledger,
            OwnerLog.NONE,
            Clock.systemUTC());
  }

  /** From text to noisy answer, with its charge on disk; every answer is paid for anew. */
  void ask(String sql) {
    gateway.ask(Ask.of(sql, "bench"));
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
    ledger.close();
    database.close();
  }
}
