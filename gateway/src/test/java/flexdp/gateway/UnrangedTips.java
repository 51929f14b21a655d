package flexdp.gateway;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A table whose numbers have no declared range, with a gateway in front of it. */
final class UnrangedTips implements AutoCloseable {
  static final String CREATE =
      "CREATE TABLE tips (id BIGINT PRIMARY KEY, tip %s, kind VARCHAR(20), n INTEGER, fee"
          + " DECIMAL(9,2))";

  private static final String POLICY =
      """
      privacy: {%s}
      tables:
        tips:
          columns:
            id: {type: bigint, unique: true, nullable: false}
            tip: {type: double}
            kind: {type: varchar}
            n: {type: integer}
            fee: {type: "decimal(9,2)"}
      """;

  private static final String METRICS =
      """
      {"tips": {"rows": 20000, "columns": {"n": {"maxFrequency": 3000}}}}
      """;

  private static final String USUAL = "epsilon: 1, budget: {epsilon: 1000000, delta: 0}";

  final QueryEngine gateway;
  final Ledger ledger;
  final Policy policy;
  final List<String> log = new ArrayList<>();
  private final JdbcDatabase database;
  private final Connection writer;

  /**
   * @param privacy what the policy says of it
   * @param writer creates and changes the table
   * @param changes that are made before the gateway is opened
   */
  UnrangedTips(
      Optional<Connection> over,
      String url,
      Connection writer,
      String type,
      Path folder,
      String privacy,
      long seed,
      List<String> changes)
      throws SQLException {
    this.writer = writer;
    policy =
        PolicyReader.read(
            YamlText.tree(
                POLICY.formatted(privacy.isEmpty() ? USUAL : privacy),
                ConfigurationError.Code.BAD_POLICY));
    execute(CREATE.formatted(type));
    for (String change : changes) {
      execute(change);
    }
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    Duration timeout = Duration.ofMinutes(10);
    database =
        over.map(c -> JdbcDatabase.over(c, policy, timeout, owner))
            .orElseGet(() -> JdbcDatabase.open(url, policy, timeout, owner));
    ledger = LedgerOpening.file(folder.resolve("tips.ledger"), Allowances.of(policy), false);
    gateway =
        SeededGateways.gateway(
            policy,
            LiveMetrics.vouched(
                policy,
                MetricsReader.read(
                    JsonText.tree(METRICS, ConfigurationError.Code.BAD_METRICS), policy)),
            "test",
            database,
            ledger,
            owner,
            Clock.systemUTC(),
            SmallRides.noise(seed));
  }

  static UnrangedTips onDuckDb(Path folder, String privacy, long seed)
      throws SQLException, IOException {
    Files.createDirectories(folder);
    String url = "jdbc:duckdb:";
    Connection first = DriverManager.getConnection(url);
    Connection writer = ((org.duckdb.DuckDBConnection) first).duplicate();
    return new UnrangedTips(
        Optional.of(first), url, writer, "DOUBLE", folder, privacy, seed, List.of());
  }

  Connection writer() {
    return writer;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute(sql);
    }
  }

  BigDecimal spent() {
    return ledger.standing(new Account.Table("tips")).spent().epsilon();
  }

  @Override
  public void close() throws SQLException {
    ledger.close();
    database.close();
    writer.close();
  }
}
