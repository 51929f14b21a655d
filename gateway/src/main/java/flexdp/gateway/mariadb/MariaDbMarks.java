package flexdp.gateway.mariadb;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What tells that a state of a MariaDB comes after the one that was measured, and that nothing
 * wrote rows past the triggers in between.
 *
 * <p>A mark in an InnoDB table is written after the measured snapshot. Rows that arrive by a
 * replayed binary log fire no triggers; the server counts such statements until it stops. So a
 * table in memory, which a stop empties, holds a word for the time since the last start, and the
 * word and the count have to be what they were before the snapshot.
 */
final class MariaDbMarks {
  static final List<String> CREATION =
      List.of(
          "CREATE TABLE IF NOT EXISTS flexdp.marks (mark CHAR(32) CHARACTER SET ascii COLLATE"
              + " ascii_bin NOT NULL PRIMARY KEY) ENGINE = InnoDB",
          "CREATE TABLE IF NOT EXISTS flexdp.life (id INT NOT NULL PRIMARY KEY, life CHAR(32)"
              + " CHARACTER SET ascii COLLATE ascii_bin NOT NULL) ENGINE = MEMORY");

  private static final String LIFE =
      "SELECT CONCAT(l.life, '-', s.variable_value) FROM flexdp.life l JOIN"
          + " information_schema.global_status s ON s.variable_name = 'COM_BINLOG' WHERE l.id = 1";

  private MariaDbMarks() {}

  /** Whether both tables are there and seen. */
  static boolean areThere(Statements statements) throws SQLException {
    int[] found = {0};
    statements.run(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'flexdp' AND"
            + " (table_name = 'marks' AND engine = 'InnoDB' OR table_name = 'life' AND engine ="
            + " 'MEMORY')",
        row -> found[0]++);
    return found[0] == 2;
  }

  /** Begins a life where the server has none since it started. */
  static Optional<String> life(Connection connection) throws SQLException {
    Statements statements = Statements.over(connection);
    if (!areThere(statements)) {
      return Optional.empty();
    }
    String life = UUID.randomUUID().toString().replace("-", "");
    try {
      write(connection, "INSERT IGNORE INTO flexdp.life VALUES (1, '" + life + "')");
    } catch (SQLException e) {
      return Optional.empty(); // a server or a user that only reads
    }
    return read(statements);
  }

  private static Optional<String> read(Statements statements) throws SQLException {
    List<String> lives = new ArrayList<>();
    statements.run(LIFE, row -> lives.add(row.getString(1)));
    return lives.stream().findFirst();
  }

  static void leave(Connection connection, String mark) throws SQLException {
    write(connection, "INSERT INTO flexdp.marks VALUES ('" + mark + "')");
  }

  private static void write(Connection connection, String sql) throws SQLException {
    boolean before = connection.getAutoCommit();
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      // Said here, whatever the session was set to.
      statement.execute("START TRANSACTION READ WRITE");
      try {
        statement.execute(sql);
      } finally {
        statement.execute("COMMIT");
      }
    } finally {
      connection.setAutoCommit(before);
    }
  }

  /** The life is that of now, which is not before the state that is read. */
  static boolean isAfter(Statements statements, ChangeLog.Mark mark) throws SQLException {
    boolean[] seen = {false};
    statements.run(
        "SELECT 1 FROM flexdp.marks WHERE mark = '" + mark.mark() + "'", row -> seen[0] = true);
    return seen[0] && read(statements).equals(Optional.of(mark.life()));
  }

  /**
   * Refuses a database flexdp that others made or may change: what they put in it would be
   * believed, and what is noted is as private as the data.
   */
  static void requireOwn(Statements statements) throws SQLException {
    List<String> reasons = new ArrayList<>();
    statements.run(
        """
        SELECT 'others may change the database flexdp' FROM information_schema.schema_privileges
        WHERE 'flexdp' LIKE table_schema AND %1$s
        UNION ALL
        SELECT 'others may change tables of the database flexdp'
        FROM information_schema.table_privileges WHERE table_schema = 'flexdp' AND %1$s
        UNION ALL
        SELECT 'the database flexdp holds what FlexDP did not make'
        FROM information_schema.tables WHERE table_schema = 'flexdp'
          AND NOT (table_name IN ('marks', 'life') OR table_name REGEXP '^log_[0-9a-f]{32}$')
        UNION ALL
        SELECT 'the database flexdp holds what FlexDP did not make'
        FROM information_schema.routines WHERE routine_schema = 'flexdp'
          AND NOT routine_name REGEXP '^identity_[0-9a-f]{32}$'\
        """
            .formatted(
                "privilege_type NOT IN ('SELECT', 'EXECUTE', 'TRIGGER', 'SHOW VIEW', 'USAGE') AND"
                    + " grantee <> CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@',"
                    + " QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1)))"),
        row -> reasons.add(row.getString(1)));
    if (!reasons.isEmpty()) {
      throw DatabaseError.of(
          "The triggers are not installed: " + reasons.getFirst() + ".",
          "What is there would be believed. Look at it, drop it (DROP DATABASE flexdp) or REVOKE"
              + " the rights of others, and try again; who asks needs SELECT, EXECUTE and"
              + " TRIGGER.");
    }
  }
}
