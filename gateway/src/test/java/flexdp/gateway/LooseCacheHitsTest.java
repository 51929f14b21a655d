package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Free answers agree with paid ones on SQLite, too, where a column takes any value: every column of
 * a trip is declared NOT NULL, and every one holds values that are read as NULL.
 */
class LooseCacheHitsTest {
  private static final String YAML =
      """
      flexdp: 1
      privacy: {epsilon: 0.1, delta: 1e-9, budget: {epsilon: 1000000000000, delta: 0.1}}
      tables:
        trips:
          columns:
            id: {type: bigint, unique: true, nullable: false}
            driver_id: {type: integer, nullable: false}
            city_id: {type: integer, nullable: false, references: cities.id}
            fare: {type: "decimal(9,2)", nullable: false, range: [0, 5]}
            distance: {type: double, nullable: false, range: [0, 100]}
            status: {type: varchar, nullable: false, domain: [requested, completed, cancelled]}
            day: {type: date, nullable: false, range: ["2024-01-01", "2024-12-31"]}
        cities:
          public: true
          columns:
            id: {type: integer, unique: true, nullable: false}
            name: {type: varchar}
      """;

  @TempDir Path folder;

  @Test
  void freeAnswersAgreeWithPaidOnes() throws Exception {
    agree(20261115, 120);
  }

  @Test
  @Tag("slow")
  void manyFreeAnswersAgreeWithPaidOnes() throws Exception {
    for (int round = 0; round < 10; round++) {
      agree(20270000 + round, 400);
    }
  }

  private void agree(long seed, int questions) throws Exception {
    Policy policy = PolicyReader.read(YamlText.tree(YAML, Code.BAD_POLICY));
    Random random = new Random(seed);
    Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    fill(connection, random);
    try (JdbcDatabase database =
            JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), ErrorLog.NONE);
        Ledger ledger =
            LedgerOpening.file(folder.resolve(seed + ".ledger"), Allowances.of(policy), false)) {
      QueryEngine engine =
          new QueryEngine(
              policy,
              LiveMetrics.vouched(policy, Metrics.NONE),
              "test",
              database,
              ledger,
              ErrorLog.NONE,
              Clock.systemUTC());
      AnswerCacheAgreementTest.agree(engine, seed, random, questions, questions / 10);
    }
  }

  private static void fill(Connection connection, Random random) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE cities(id INTEGER PRIMARY KEY, name TEXT)");
      statement.execute("INSERT INTO cities VALUES (1, 'SF'), (2, 'Oslo'), (3, 'Rome'), (4, NULL)");
      statement.execute(
          "CREATE TABLE trips(id INTEGER PRIMARY KEY, driver_id INT NOT NULL, city_id INT NOT NULL,"
              + " fare DECIMAL(9,2) NOT NULL, distance DOUBLE NOT NULL, status TEXT NOT NULL,"
              + " day DATE NOT NULL)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      for (int id = 0; id < 80; id++) {
        insert.setInt(1, id);
        insert.setObject(2, loose(random, random.nextInt(5)));
        insert.setObject(3, loose(random, 1 + random.nextInt(6)));
        insert.setObject(4, loose(random, random.nextInt(1000) / 100.0));
        insert.setObject(5, loose(random, random.nextInt(20)));
        insert.setObject(6, loose(random, STATUS[random.nextInt(STATUS.length)]));
        insert.setObject(
            7, loose(random, "2024-0" + (1 + random.nextInt(3)) + "-1" + random.nextInt(10)));
        insert.executeUpdate();
      }
    }
  }

  private static final String[] STATUS = {"requested", "completed", "lost"};

  /** Bytes fit into every column and are a value of no type. */
  private static Object loose(Random random, Object value) {
    return random.nextInt(6) == 0 ? new byte[] {(byte) random.nextInt(3)} : value;
  }
}
