package flexdp.gateway.postgresql;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.OwnSchema;
import flexdp.gateway.catalog.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Marks that measuring leaves in PostgreSQL, in a transaction that ends after the measured
 * snapshot. The row of a mark remembers the number of its transaction, which a copy that is made
 * row by row (a restored dump, logical replication) cannot repeat.
 */
final class PostgreSqlMarks {
  /** When no table has notes any more. */
  static final String REMOVAL =
      """
      DO $flexdp$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class l JOIN pg_catalog.pg_namespace n
          ON n.oid = l.relnamespace WHERE n.nspname = 'flexdp' AND l.relname LIKE 'log\\_%')
        THEN DROP TABLE IF EXISTS flexdp.marks; END IF;
      EXCEPTION WHEN insufficient_privilege THEN NULL; END $flexdp$\
      """;

  private PostgreSqlMarks() {}

  /**
   * What makes the schema and the table of marks, where they are not there.
   *
   * @throws DatabaseError when the schema is there and is not ours: what is in it may be exchanged
   *     by others, and runs with our rights
   */
  static List<String> creation(Connection connection) throws SQLException {
    Optional<String> strange = looking(connection, OwnSchema::strange);
    if (strange.isPresent()) {
      throw DatabaseError.of(
          "The triggers are not installed: " + strange.get() + ".", OwnSchema.HINT);
    }
    String marks =
        "CREATE TABLE IF NOT EXISTS flexdp.marks (mark pg_catalog.text PRIMARY KEY, xid"
            + " pg_catalog.xid8 NOT NULL DEFAULT pg_catalog.pg_current_xact_id())";
    return looking(connection, OwnSchema::isThere)
        ? List.of(marks)
        : List.of("CREATE SCHEMA flexdp", marks);
  }

  /** A server has one life here: what comes after a mark follows from the mark alone. */
  static Optional<String> life(Connection connection) throws SQLException {
    return looking(connection, PostgreSqlMarks::life);
  }

  /** Under no names but the system's own. */
  private static <T> T looking(Connection connection, PostgreSqlTransaction.Work<T> work)
      throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("BEGIN READ ONLY; " + PostgreSqlTransaction.PATH);
      try {
        return work.over(Statements.over(connection));
      } finally {
        statement.execute("ROLLBACK");
      }
    }
  }

  private static Optional<String> life(Statements statements) throws SQLException {
    boolean[] may = {false};
    statements.run(
        """
        SELECT 1 FROM pg_catalog.pg_class m JOIN pg_catalog.pg_namespace n
          ON n.oid = m.relnamespace
        WHERE n.nspname = 'flexdp' AND m.relname = 'marks' AND m.relkind = 'r'
          AND NOT pg_catalog.pg_is_in_recovery()
          AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
          AND pg_catalog.has_table_privilege(m.oid, 'INSERT')\
        """,
        row -> may[0] = true);
    return may[0] && OwnSchema.strange(statements).isEmpty()
        ? Optional.of("one")
        : Optional.empty();
  }

  /** One message, so that nothing that the connection was set to lasts into it or after it. */
  static void leave(Connection connection, String mark) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "BEGIN READ WRITE; "
              + PostgreSqlTransaction.PATH
              + "; SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '5s';"
              + " INSERT INTO flexdp.marks (mark) VALUES ('%s'); COMMIT".formatted(mark));
    }
  }

  /**
   * Whoever sees the mark sees all that ended before it, on a standby too, which repeats the
   * endings in their order.
   */
  static boolean isSeen(Statements statements, String mark) throws SQLException {
    boolean[] seen = {false};
    statements.run(
        "SELECT 1 FROM flexdp.marks m WHERE m.mark = '%s' AND m.xmin = m.xid::pg_catalog.xid"
            .formatted(mark),
        row -> seen[0] = true);
    return seen[0];
  }
}
