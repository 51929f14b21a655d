package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.duckdb.DuckDbConnector;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.mariadb.MariaDbConnector;
import flexdp.gateway.postgresql.PostgreSqlConnector;
import flexdp.gateway.sqlite.SqliteConnector;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Columns that are computed whenever they are read: on PostgreSQL 18 one row whose text is no
 * number made every question that reads {@code v INT GENERATED ALWAYS AS (s::int)} fail, and others
 * have another value each time. No policy names one.
 */
class ComputedColumnsTest {
  @TempDir Path folder;

  private static Policy policy(String column) {
    return PolicyReader.read(
        YamlText.tree(
            "tables: {t: {static: true, columns: {id: {type: bigint}, " + column + "}}}",
            Code.BAD_POLICY));
  }

  private void attack(Connector connector, String url, Connection writer, String... create)
      throws SQLException {
    try (Statement statement = writer.createStatement()) {
      for (String sql : create) {
        statement.execute(sql);
      }
    }
    PhysicalTable found =
        connector.tables(writer).stream()
            .filter(t -> t.name().equals("t"))
            .findFirst()
            .orElseThrow();
    List<String> computed =
        found.columns().stream()
            .filter(PhysicalColumn::computed)
            .map(PhysicalColumn::name)
            .toList();
    assertEquals(List.of("v"), computed);
    writer.close();
    ErrorLog log = ErrorLog.NONE;
    ConfigurationError refused =
        assertThrows(
            ConfigurationError.class,
            () ->
                JdbcDatabase.open(url, policy("v: {type: integer}"), Duration.ofMinutes(10), log));
    assertTrue(refused.message().contains("computed whenever it is read"), refused.message());
    JdbcDatabase.open(url, policy("w: {type: integer}"), Duration.ofMinutes(10), log).close();
  }

  @Test
  void onPostgresql() throws Exception {
    try (FreshPostgres postgres = FreshPostgres.create()) {
      attack(
          new PostgreSqlConnector(),
          postgres.url(),
          postgres.connect(),
          "CREATE TABLE t(id BIGINT, s TEXT, v INT GENERATED ALWAYS AS (s::int) VIRTUAL,"
              + " w INT GENERATED ALWAYS AS (length(s)) STORED)",
          "INSERT INTO t VALUES (1, '1'), (2, 'victim')");
    }
  }

  @Test
  void onDuckDb() throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("t.duckdb");
    attack(
        new DuckDbConnector(),
        url,
        DriverManager.getConnection(url),
        "CREATE TABLE t(id BIGINT, s VARCHAR DEFAULT 'GENERATED ALWAYS AS (1)',"
            + " v INT AS (random() * 100), w INT DEFAULT 5)");
  }

  @Test
  void onSqlite() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("t.sqlite");
    attack(
        new SqliteConnector(),
        url,
        DriverManager.getConnection(url),
        "CREATE TABLE t(id BIGINT, s TEXT, w INT GENERATED ALWAYS AS (length(s)) STORED)",
        "INSERT INTO t(id, s) VALUES (1, '{}'), (2, 'victim')",
        "ALTER TABLE t ADD COLUMN v INT AS (json_extract(s, '$.a'))");
  }

  @Test
  void onMariaDb() throws Exception {
    MariaDbServer.create("computed");
    attack(
        new MariaDbConnector(),
        MariaDbServer.url("computed") + "?user=root",
        MariaDbServer.writer("computed"),
        "CREATE TABLE t(id BIGINT, s TEXT, v INT AS (RAND() * 100) VIRTUAL,"
            + " w INT AS (LENGTH(s)) STORED)");
  }
}
