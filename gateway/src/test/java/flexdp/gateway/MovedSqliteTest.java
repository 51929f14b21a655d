package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.policy.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A SQLite file that is replaced, or redefined behind its counter, while a gateway has it open. */
class MovedSqliteTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.id = u.k";
  private static final Policy POLICY =
      OpenGateway.policy(
          """
          privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 10000, delta: 1e-6}}
          tables:
            t: {columns: {id: {type: bigint, unique: true}, g: {type: bigint}}}
            u: {columns: {k: {type: bigint, unique: true}}}
          """);

  @TempDir Path folder;

  private Path made(String name, String key) throws SQLException {
    Path file = folder.resolve(name);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      OpenGateway.write(
          connection,
          "CREATE TABLE t(id INTEGER NOT NULL " + key + ", g INTEGER)",
          "CREATE TABLE u(k INTEGER NOT NULL UNIQUE)",
          "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)",
          "INSERT INTO u VALUES (1), (2), (3)");
    }
    return file;
  }

  private String url() {
    return "jdbc:sqlite:" + folder.resolve("d.db");
  }

  /** The counter of both files is the same. */
  @Test
  void aFileWithoutTheKeyPutInItsPlaceIsNotRead() throws Exception {
    made("d.db", "UNIQUE");
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      open.ask(JOIN);
      Files.move(made("new.db", ""), folder.resolve("d.db"), StandardCopyOption.REPLACE_EXISTING);
      String before = open.spent();
      DatabaseError error = assertThrows(DatabaseError.class, () -> open.ask(JOIN));
      assertTrue(error.message().contains("replaced"), error.message());
      assertEquals(before, open.spent());
      assertFalse(open.database.stands());
    }
    // Nor when it is opened again: the metrics say that the key was enforced.
    try (JdbcDatabase again =
        JdbcDatabase.open(url(), POLICY, Duration.ofMinutes(10), ErrorLog.NONE)) {
      MetricsFile.Content then = MetricsFile.read(folder.resolve("x.metrics.json"), POLICY);
      assertThrows(
          ConfigurationError.class,
          () -> LiveMetrics.of(POLICY, then, again.vendor(), again.catalog(), again.version()));
    }
  }

  @Test
  void aKeyThatIsTakenFromTheTextAloneIsMissed() throws Exception {
    made("d.db", "UNIQUE");
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      open.ask(JOIN);
      try (Connection writer = DriverManager.getConnection(url())) {
        OpenGateway.write(
            writer,
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = replace(sql, ' UNIQUE', '') WHERE name = 't'",
            "DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = 't'");
      }
      assertTrue(open.refused(JOIN).contains("behind its back"), open.refused(JOIN));
    }
  }

  /** New tables and indexes do no harm, and writers go on. */
  @Test
  void whatDoesNoHarmIsAnswered() throws Exception {
    made("d.db", "UNIQUE");
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder);
        Connection writer = DriverManager.getConnection(url())) {
      open.ask(JOIN);
      OpenGateway.write(
          writer,
          "CREATE INDEX i ON t(g)",
          "CREATE TABLE other(x)",
          "INSERT INTO t VALUES (4, 4)",
          "ALTER TABLE t ADD COLUMN more TEXT",
          "ANALYZE",
          "VACUUM");
      open.ask(JOIN);
      OpenGateway.write(writer, "DROP INDEX i");
      open.ask(JOIN);
    }
  }

  /** Nothing here opens the file beside SQLite, which would end the locks of its transactions. */
  @Test
  void anotherProcessCannotCommitWhileAQuestionReads() throws Exception {
    made("d.db", "UNIQUE");
    String insert = "INSERT INTO t VALUES (4, 4)";
    String[] impatient = {"PRAGMA busy_timeout = 0", insert};
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      open.ask(JOIN);
      try (Session session = open.database.session()) {
        session.run("SELECT COUNT(*) FROM main.t", row -> {});
        assertEquals(2, MovedFileTest.writer(url(), impatient).waitFor());
        session.run("SELECT COUNT(*) FROM main.t", row -> assertEquals(3, row.getInt(1)));
      }
      assertEquals(0, MovedFileTest.writer(url(), impatient).waitFor());
    }
  }

  /** Tables with the names of the functions through which the catalog could be read. */
  @Test
  void tablesNamedLikeTheCatalogSayNothing() throws Exception {
    made("d.db", "");
    try (Connection writer = DriverManager.getConnection(url())) {
      OpenGateway.write(
          writer,
          "CREATE TABLE pragma_table_list(schema, name, type, ncol, wr, strict)",
          "INSERT INTO pragma_table_list VALUES ('main', 't', 'table', 2, 0, 1)",
          "CREATE TABLE pragma_index_list(seq, name, \"unique\", origin, partial)",
          "INSERT INTO pragma_index_list VALUES (0, 'sqlite_autoindex_u_1', 1, 'u', 0)",
          "CREATE VIEW pragma_query_only AS SELECT 1 AS query_only",
          "CREATE VIEW pragma_data_version AS SELECT 1 AS data_version",
          "CREATE VIEW pragma_schema_version AS SELECT 1 AS schema_version");
    }
    try (Connection connection = Databases.readOnly(url())) {
      List<PhysicalTable> tables = Connectors.of(connection).tables(connection);
      PhysicalTable t = tables.stream().filter(x -> x.name().equals("t")).findFirst().orElseThrow();
      assertEquals(List.of(), t.keys());
      assertFalse(t.column("id").orElseThrow().total(), "it is not STRICT");
      assertEquals(7, tables.size());
    }
  }

  /** Whether all texts are UTF-8 is looked at again when rows came, whatever a table is called. */
  @Test
  void textsAreLookedAtAgainThoughATableIsNamedLikeTheCounter() throws Exception {
    try (Connection writer = DriverManager.getConnection(url())) {
      OpenGateway.write(
          writer,
          "CREATE VIEW pragma_query_only AS SELECT 1 AS query_only",
          "CREATE VIEW pragma_data_version AS SELECT 1 AS data_version",
          "CREATE VIEW pragma_schema_version AS SELECT 1 AS schema_version",
          "CREATE TABLE t(s TEXT)",
          "INSERT INTO t VALUES ('a')");
      Policy policy =
          OpenGateway.policy(
              """
              privacy: {epsilon: 10, delta: 1e-9, budget: {epsilon: 10000, delta: 1e-6}}
              tables: {t: {columns: {s: {type: varchar}}}}
              """);
      try (OpenGateway open = new OpenGateway(url(), policy, folder)) {
        assertEquals(1, open.number("SELECT COUNT(s) FROM t"), 8);
        OpenGateway.write(
            writer,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT"
                + " INTO t SELECT CAST(x'ff' AS TEXT) FROM n");
        assertEquals(1, open.number("SELECT COUNT(s) FROM t"), 50, "texts that are none are NULL");
      }
    }
  }

  /**
   * A limit that docs/limits.md names (a name that moves): tables have no number here, and nothing
   * else tells two of the same columns apart.
   */
  @Test
  void aProtectedTableUnderThePublicNameOfOneLikeItIsNotNoticed() throws Exception {
    Policy policy =
        OpenGateway.policy(
            """
            privacy: {epsilon: 1, budget: {epsilon: 100}}
            tables:
              open: {public: true, columns: {name: {type: varchar}}}
              hidden: {columns: {name: {type: varchar}}}
            """);
    try (Connection writer = DriverManager.getConnection(url())) {
      OpenGateway.write(
          writer,
          "CREATE TABLE open(name TEXT)",
          "CREATE TABLE hidden(name TEXT)",
          "INSERT INTO open VALUES ('Rome')",
          "INSERT INTO hidden VALUES ('alice')");
      try (OpenGateway open = new OpenGateway(url(), policy, folder)) {
        OpenGateway.write(
            writer,
            "ALTER TABLE open RENAME TO x",
            "ALTER TABLE hidden RENAME TO open",
            "ALTER TABLE x RENAME TO hidden");
        assertEquals(List.of(List.of("alice")), open.ask("SELECT name FROM open").rows());
        OpenGateway.write(writer, "ALTER TABLE open RENAME COLUMN name TO other");
        open.refused("SELECT name FROM open"); // whatever differs is noticed
      }
    }
  }
}
