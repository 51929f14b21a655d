package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedSnapshot;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two tables on a real PostgreSQL, and triggers that note what changes in one of them. */
abstract class TriggeredTables {
  static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  static final String TRUTH =
      "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM public.t WHERE a IS NOT NULL GROUP BY a) x";
  static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
              tables:
                t:
                  columns:
                    id: {type: bigint, unique: true}
                    a: {type: integer, references: u.a}
                    b: {type: varchar}
                u:
                  static: true
                  columns: {a: {type: integer, unique: true}}
              """,
              Code.BAD_POLICY));

  static EmbeddedPostgres server;
  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.own().start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void create() throws SQLException {
    write(
        "DROP SCHEMA IF EXISTS flexdp CASCADE",
        "DROP SCHEMA public CASCADE",
        "CREATE SCHEMA public",
        "CREATE TABLE t(id bigserial PRIMARY KEY, a integer, b text)",
        "CREATE TABLE u(a integer PRIMARY KEY)",
        "INSERT INTO t(a, b) SELECT i % 20, 'x' FROM generate_series(1, 60) i",
        "INSERT INTO u SELECT i FROM generate_series(0, 30) i");
  }

  void expectMeasuredAgain(Asker asker) {
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertFalse(asked.usedNotes(), asked.statements().toString());
    assertEquals(BigInteger.valueOf(asked.truth()), asked.bound());
  }

  void install() throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      Map<String, String> without =
          watched(connection).install(POLICY, RequiredFrequencies.of(POLICY), connection);
      assertEquals(Map.of("u", "the policy vouches for it"), without);
    }
  }

  static TrackedTables watched(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog = PhysicalCatalog.of(POLICY, connector, connector.tables(connection));
    return new TrackedTables(connector, catalog, connector.changeLog().orElseThrow());
  }

  /** The most notes of one key since the tables were measured. */
  long noted() throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      Connector connector = Connectors.of(connection);
      ChangeLog log = connector.changeLog().orElseThrow();
      PhysicalCatalog catalog = PhysicalCatalog.of(POLICY, connector, connector.tables(connection));
      TrackedSnapshot tracked =
          TrackedSnapshot.of(MetricsFile.read(file(), POLICY).snapshots().get("t")).orElseThrow();
      String from =
          log.added(catalog.physical(POLICY.table("t").orElseThrow()), tracked.snapshot());
      return number("SELECT COUNT(*) FROM " + from + " WHERE a = 3");
    }
  }

  Path file() {
    return folder.resolve("t.metrics.json");
  }

  Asker measured() throws Exception {
    collect(server.getPostgresDatabase());
    return asker(server.getPostgresDatabase());
  }

  /** Measures as the owner does, wherever that is. */
  void collect(DataSource where) throws Exception {
    try (Connection connection = where.getConnection()) {
      MetricsFile.write(
          file(),
          POLICY,
          new Collector(POLICY, RequiredFrequencies.of(POLICY), Progress.NONE, Clock.systemUTC())
              .collect(connection),
          Map.of());
    }
  }

  /** Asks with what was measured last. */
  Asker asker(DataSource where) throws SQLException {
    return new Asker(
        POLICY,
        MetricsFile.read(file(), POLICY),
        JdbcDatabase.over(where.getConnection(), POLICY, Duration.ofMinutes(10), ErrorLog.NONE));
  }

  static void write(String... statements) throws SQLException {
    write(server.getPostgresDatabase(), statements);
  }

  static void write(DataSource where, String... statements) throws SQLException {
    try (Connection connection = where.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  static long number(String sql) throws SQLException {
    return number(server.getPostgresDatabase(), sql);
  }

  static long number(DataSource where, String sql) throws SQLException {
    try (Connection connection = where.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
