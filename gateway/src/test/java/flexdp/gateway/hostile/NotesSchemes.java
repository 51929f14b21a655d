package flexdp.gateway.hostile;

import flexdp.gateway.MariaDbServer;
import flexdp.gateway.livedata.NotesAttack;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What was done to the notes of live data, undone, and never noticed. */
final class NotesSchemes {
  private static final String ROWS = "INSERT INTO t SELECT 3 FROM u";

  static final List<Scheme> ALL =
      List.of(
          new Scheme(
              "PostgreSQL: a trigger on the notes for a while",
              p ->
                  postgres(
                      p,
                      "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN"
                          + " NULL; END'",
                      "CREATE TRIGGER a BEFORE INSERT ON {log} FOR EACH ROW EXECUTE FUNCTION"
                          + " nothing()",
                      ROWS,
                      "DROP TRIGGER a ON {log}")),
          new Scheme(
              "PostgreSQL: a rule on the notes for a while",
              p ->
                  postgres(
                      p,
                      "CREATE RULE r AS ON INSERT TO {log} DO INSTEAD NOTHING",
                      ROWS,
                      "DROP RULE r ON {log}")),
          new Scheme("MariaDB: notes that are cut off", p -> mariadb(ROWS, "TRUNCATE {log}")),
          new Scheme(
              "MariaDB: a temporary table for the notes",
              p ->
                  mariadb(
                      "CREATE TEMPORARY TABLE {log} (flexdp_id BIGINT UNSIGNED NOT NULL"
                          + " AUTO_INCREMENT PRIMARY KEY, flexdp_sum BINARY(16), a INTEGER)",
                      ROWS)));

  private NotesSchemes() {}

  private static List<String> postgres(EmbeddedPostgres server, String... steps) throws Exception {
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      execute(
          connection,
          "DROP SCHEMA IF EXISTS flexdp CASCADE",
          "DROP SCHEMA public CASCADE",
          "CREATE SCHEMA public",
          "CREATE TABLE t AS SELECT i AS a FROM generate_series(1, 30) i",
          "CREATE TABLE u AS SELECT i AS a FROM generate_series(1, 30) i");
    }
    return gains(() -> server.getPostgresDatabase().getConnection(), "public", steps);
  }

  private static List<String> mariadb(String... steps) throws Exception {
    MariaDbServer.create("notes");
    try (Connection connection = MariaDbServer.writer("notes")) {
      execute(
          connection,
          "DROP DATABASE IF EXISTS flexdp",
          "CREATE TABLE t AS SELECT CAST(seq AS INTEGER) AS a FROM seq_1_to_30",
          "CREATE TABLE u AS SELECT CAST(seq AS INTEGER) AS a FROM seq_1_to_30",
          "ALTER TABLE t MODIFY a INTEGER",
          "ALTER TABLE u MODIFY a INTEGER");
    }
    return gains(() -> MariaDbServer.writer("notes"), "notes", steps);
  }

  /** A step that the database refuses has failed as well. */
  private static List<String> gains(NotesAttack.Access access, String schema, String... steps)
      throws Exception {
    try {
      return new NotesAttack(access, schema).leak(List.of(steps)).stream().toList();
    } catch (SQLException e) {
      return List.of();
    }
  }

  private static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
