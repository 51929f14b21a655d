package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.answer.Gateway;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Opening;
import flexdp.gateway.live.LiveMetrics;
import flexdp.gateway.text.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and NOT NULL that somebody drops between two questions of one open gateway. */
class EnforcedTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
              tables:
                t: {columns: {id: {type: bigint}, a: {type: bigint, nullable: false, references: u.a}}}
                u: {columns: {a: {type: bigint, references: still.a}}}
                still: {static: true, columns: {a: {type: bigint, unique: true}}}
              """,
              ConfigurationError.Code.BAD_POLICY));

  @TempDir Path folder;
  private final List<String> log = new ArrayList<>();

  /** One gateway that stays open, and somebody who writes. */
  private final class Open implements AutoCloseable {
    private final Connection writer;
    private final JdbcDatabase database;
    private final Ledger ledger;
    private final Gateway gateway;

    Open(String url, Connection writer) throws Exception {
      this.writer = writer;
      Path file = folder.resolve("x.metrics.json");
      try (Connection connection = Databases.readOnly(url)) {
        Collected collected =
            new Collector(POLICY, Wanted.of(POLICY), Progress.NONE, Clock.systemUTC())
                .collect(connection);
        MetricsFile.write(file, POLICY, collected, Map.of());
      }
      OwnerLog owner = (what, cause) -> log.add(what + ": " + cause);
      database = JdbcDatabase.open(url, POLICY, Duration.ofSeconds(60), owner);
      ledger = Opening.file(folder.resolve("x.ledger"), Allowances.of(POLICY), false);
      gateway =
          new Gateway(
              POLICY,
              LiveMetrics.of(
                  POLICY,
                  MetricsFile.read(file, POLICY),
                  database.vendor(),
                  database.catalog(),
                  database.version()),
              "test",
              database,
              ledger,
              owner,
              Clock.systemUTC());
    }

    void write(String... statements) throws SQLException {
      EnforcedTest.write(writer, statements);
    }

    void ask(String sql) {
      gateway.ask(new Ask(sql, AskOptions.DEFAULT, "ann", Set.of(), true));
    }

    /** What a question is refused with; nothing is charged for it. */
    String refused(String sql) {
      String before = spent();
      ConfigurationError error = assertThrows(ConfigurationError.class, () -> ask(sql));
      assertEquals(before, spent());
      assertTrue(error.hint().contains("collect"), error.hint());
      return error.message();
    }

    private String spent() {
      return ledger.standing(new Account.Table("t")).spent().epsilon().toPlainString();
    }

    @Override
    public void close() throws SQLException {
      ledger.close();
      database.close();
      writer.close();
    }
  }

  private static void write(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static final String[] TABLES = {
    "CREATE TABLE t(id BIGINT NOT NULL, a BIGINT NOT NULL, CONSTRAINT t_key UNIQUE (id))",
    "CREATE TABLE u(a BIGINT NOT NULL, CONSTRAINT u_key UNIQUE (a))",
    "CREATE TABLE still(a BIGINT NOT NULL, CONSTRAINT still_key UNIQUE (a))",
    "INSERT INTO t VALUES (1, 1), (2, 1), (3, 2)",
    "INSERT INTO u VALUES (1), (2)",
    "INSERT INTO still VALUES (1), (2)"
  };

  @Test
  void postgresql() throws Exception {
    try (FreshPostgres server = FreshPostgres.create()) {
      Connection writer = server.connect();
      write(writer, TABLES);
      String url = server.url();
      try (Open open = new Open(url, writer)) {
        expectNoticed(
            open,
            "ALTER TABLE u DROP CONSTRAINT u_key",
            "ALTER TABLE u ADD CONSTRAINT u_key UNIQUE (a)",
            "ALTER TABLE t ALTER a DROP NOT NULL",
            "ALTER TABLE t ALTER a SET NOT NULL");
        open.write("CREATE TABLE part() INHERITS (u)");
        assertTrue(open.refused(JOIN).contains("others inherit from"), open.refused(JOIN));
        open.write("DROP TABLE part");
        open.ask(JOIN);
        open.write(
            "CREATE FUNCTION h(int) RETURNS text LANGUAGE sql AS 'SELECT (1 / ($1 - 42))::text'",
            "CREATE CAST (integer AS text) WITH FUNCTION h(int)");
        assertThrows(DatabaseError.class, () -> open.ask(JOIN));
        open.write("DROP CAST (integer AS text)");
        open.ask(JOIN);
        open.write("ALTER TABLE u ALTER a TYPE NUMERIC");
        assertTrue(open.refused(JOIN).contains("'a' is not what it was"), open.refused(JOIN));
      }
    }
  }

  @Test
  void mariadb() throws Exception {
    MariaDbServer.create("enforced");
    Connection writer = MariaDbServer.writer("enforced");
    write(writer, TABLES);
    String url = MariaDbServer.url("enforced") + "?user=root";
    try (Open open = new Open(url, writer)) {
      expectNoticed(
          open,
          "ALTER TABLE u DROP INDEX u_key",
          "ALTER TABLE u ADD CONSTRAINT u_key UNIQUE (a)",
          "ALTER TABLE t MODIFY a BIGINT NULL",
          "ALTER TABLE t MODIFY a BIGINT NOT NULL");
    }
  }

  /** Nothing can be dropped here, but a table can be made anew. */
  @Test
  void sqlite() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("enforced.db");
    Connection writer = DriverManager.getConnection(url);
    for (String sql : TABLES) {
      write(writer, sql.startsWith("CREATE") ? sql.replace("BIGINT", "INTEGER") + " STRICT" : sql);
    }
    try (Open open = new Open(url, writer)) {
      expectNoticed(
          open,
          made("u", "a INTEGER NOT NULL"),
          made("u", "a INTEGER NOT NULL, UNIQUE (a)"),
          made("t", "id INTEGER NOT NULL, a INTEGER, UNIQUE (id)"),
          made("t", "id INTEGER NOT NULL, a INTEGER NOT NULL, UNIQUE (id)"));
    }
  }

  /** Statements that give a table another definition and keep its rows. */
  private static String made(String table, String columns) {
    return "CREATE TABLE x(%2$s) STRICT; INSERT INTO x SELECT * FROM %1$s; DROP TABLE %1$s; ALTER TABLE x RENAME TO %1$s"
        .formatted(table, columns);
  }

  private static void expectNoticed(
      Open open, String dropKey, String addKey, String allowNull, String forbidNull)
      throws SQLException {
    open.ask(JOIN);
    open.write(dropKey.split("; "));
    open.write("INSERT INTO u VALUES (1), (1), (1)");
    assertTrue(open.refused(JOIN).contains("'u'"), open.refused(JOIN));
    assertTrue(open.refused(JOIN).contains("no key (a) any more"), open.refused(JOIN));
    open.ask("SELECT COUNT(*) FROM t"); // does not read it
    open.ask("SELECT COUNT(*) FROM still");
    open.write("DELETE FROM u", "INSERT INTO u VALUES (1), (2)");
    open.write(addKey.split("; "));
    open.ask(JOIN);
    open.write(allowNull.split("; "));
    assertTrue(open.refused(JOIN).contains("'a' may be NULL now"), open.refused(JOIN));
    open.write(forbidNull.split("; "));
    open.ask(JOIN);
    open.write("CREATE TABLE other(x INTEGER)", "CREATE INDEX more ON u(a)");
    open.ask(JOIN);
    open.write("ALTER TABLE still RENAME TO moved");
    open.ask(JOIN);
  }
}
