package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys and NOT NULL that somebody drops between two questions of one open gateway. */
class ConstraintCheckTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final Policy POLICY =
      OpenGateway.policy(
          """
          privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
          tables:
            t: {columns: {id: {type: bigint}, a: {type: bigint, nullable: false, references: u.a}}}
            u: {columns: {a: {type: bigint, references: still.a}}}
            still: {static: true, columns: {a: {type: bigint, unique: true}}}
          """);

  @TempDir Path folder;

  /** One gateway that stays open, and somebody who writes. */
  private record Open(OpenGateway gateway, Connection writer) implements AutoCloseable {
    void write(String... statements) throws SQLException {
      OpenGateway.write(writer, statements);
    }

    void ask(String sql) {
      gateway.ask(sql);
    }

    String refused(String sql) {
      return gateway.refused(sql);
    }

    @Override
    public void close() throws SQLException {
      gateway.close();
      writer.close();
    }
  }

  private Open open(String url, Connection writer) throws Exception {
    return new Open(new OpenGateway(url, POLICY, folder), writer);
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
      OpenGateway.write(writer, TABLES);
      String url = server.url();
      try (Open open = open(url, writer)) {
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
    OpenGateway.write(writer, TABLES);
    String url = MariaDbServer.url("enforced") + "?user=root";
    try (Open open = open(url, writer)) {
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
      OpenGateway.write(
          writer, sql.startsWith("CREATE") ? sql.replace("BIGINT", "INTEGER") + " STRICT" : sql);
    }
    try (Open open = open(url, writer)) {
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
    assertTrue(open.refused("SELECT COUNT(*) FROM still").contains("it is gone"));
  }
}
