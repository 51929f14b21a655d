package flexdp.gateway.postgresql;

import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A read-only transaction that brings its settings with it. Everything is said in the message that
 * begins it, and ends with it: behind a pooler the next transaction may be on another connection,
 * and this one may be somebody else's. The driver's own calls would set it for the session.
 */
final class PostgreSqlTransaction {
  /** Only the system's own functions, operators and types are found without a schema. */
  static final String PATH = "SET LOCAL search_path = pg_catalog, pg_temp";

  private static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

  /** What values, names and functions mean. */
  private static final List<String> MEANING =
      List.of(
          PATH,
          "SET LOCAL TimeZone = 'UTC'",
          "SET LOCAL DateStyle = 'ISO, YMD'",
          "SET LOCAL IntervalStyle = 'postgres'",
          "SET LOCAL extra_float_digits = 1",
          "SET LOCAL bytea_output = 'hex'",
          "SET LOCAL standard_conforming_strings = on",
          "SET LOCAL transform_null_equals = off",
          "SET LOCAL row_security = off");

  /**
   * A statement about people has hundreds of expressions over few rows: compiling them takes
   * seconds, and running them hardly gets faster.
   */
  private static final String UNCOMPILED = "SET LOCAL jit = off";

  /** Checks the settings, and so pins the state that is read, after the locks were waited for. */
  private static final String CHECK =
      "SELECT pg_catalog.current_setting('transaction_isolation'),"
          + " pg_catalog.current_setting('transaction_read_only'),"
          + " pg_catalog.current_setting('search_path')";

  private static final List<String> EXPECTED =
      List.of("repeatable read", "on", "pg_catalog, pg_temp");

  /** Longer than any statement that looks; DDL that waits behind us blocks every writer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final PostgreSql dialect;

  PostgreSqlTransaction(PostgreSql dialect) {
    this.dialect = dialect;
  }

  /**
   * Begins one.
   *
   * @param held tables that nobody redefines until it ends; waited for before there is a snapshot
   * @param timeout of each statement, if it has one
   */
  void begin(Connection connection, Collection<PhysicalTable> held, Optional<Duration> timeout)
      throws SQLException {
    connection.setAutoCommit(true); // the driver would say BEGIN by itself
    List<String> all = new ArrayList<>();
    all.add(BEGIN);
    all.addAll(MEANING);
    all.add(UNCOMPILED);
    timeout.ifPresent(t -> all.add("SET LOCAL statement_timeout = " + t.toMillis()));
    if (!held.isEmpty()) {
      long wait =
          timeout.filter(t -> t.compareTo(LONGEST_WAIT) < 0).orElse(LONGEST_WAIT).toMillis();
      all.add("SET LOCAL lock_timeout = " + wait);
      all.add(
          held.stream()
              .map(this::name)
              .sorted() // everybody in the same order
              .collect(Collectors.joining(", ", "LOCK TABLE ", " IN ACCESS SHARE MODE")));
    }
    all.add(CHECK);
    try (Statement statement = connection.createStatement()) {
      try {
        statement.execute(String.join(";\n", all));
      } finally {
        connection.setAutoCommit(false); // from here on results come piece by piece
      }
      requireExpected(statement);
    } catch (SQLException e) {
      end(connection);
      throw e;
    }
  }

  private String name(PhysicalTable table) {
    return dialect.quote(table.schema()) + "." + dialect.quote(table.name());
  }

  private static void requireExpected(Statement statement) throws SQLException {
    while (statement.getResultSet() == null) {
      if (!statement.getMoreResults() && statement.getUpdateCount() == -1) {
        throw new SQLException("the transaction was not begun as it should be");
      }
    }
    try (ResultSet row = statement.getResultSet()) {
      row.next();
      List<String> said = List.of(row.getString(1), row.getString(2), row.getString(3));
      if (!said.equals(EXPECTED)) {
        throw new SQLException("the transaction is " + said + " and not " + EXPECTED);
      }
    }
  }

  static void end(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /** What is done with statements that need a transaction of ours. */
  @FunctionalInterface
  interface Work<T> {
    T over(StatementRunner statements) throws SQLException;
  }

  /** In the transaction that there is, which must be one of ours, or in one of its own. */
  <T> T within(Connection connection, Work<T> work) throws SQLException {
    StatementRunner statements = StatementRunner.over(connection);
    if (!connection.getAutoCommit()) {
      return work.over(statements);
    }
    begin(connection, List.of(), Optional.empty());
    try {
      return work.over(statements);
    } finally {
      end(connection);
    }
  }
}
