package flexdp.gateway.mariadb;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.render.SqlConstants;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Notes of changes in MariaDB, in the database flexdp. There are row triggers only, they cannot be
 * switched off, and InnoDB's cascades do not fire them. Notes are numbered; a state is named by the
 * largest number that it sees and by the smaller ones that it does not see, whose writers may still
 * be at work.
 *
 * <p>Notes go to a partition by its name, which no temporary table has: one that stands in the way
 * makes its own session fail. Each bears a sum of what the row held, so that a trigger put on the
 * notes for a while cannot change them unseen.
 */
final class MariaDbChangeLog implements ChangeLog {
  private static final int MOST_GAPS = 200;

  /** The error number of what needs a right that one does not have. */
  private static final int NO_RIGHT = 1227;

  private final Connector connector;

  MariaDbChangeLog(Connector connector) {
    this.connector = connector;
  }

  @Override
  public Optional<String> obstacle(
      StatementRunner statements, PhysicalTable table, List<String> columns) throws SQLException {
    List<String> reasons = new ArrayList<>();
    String same =
        "table_schema = "
            + SqlConstants.escaped(table.schema())
            + " AND table_name = "
            + SqlConstants.escaped(table.name());
    statements.run(
        """
        SELECT CASE
          WHEN @@gtid_slave_pos <> ''
            THEN 'this server is a replica, where copied rows fire no triggers'
          WHEN EXISTS (SELECT 1 FROM information_schema.global_variables
            WHERE variable_name = 'WSREP_ON' AND variable_value = 'ON')
            THEN 'this server is one of a cluster, where copied rows fire no triggers'
          WHEN EXISTS (SELECT 1 FROM information_schema.tables
            WHERE %1$s AND table_type <> 'BASE TABLE') THEN 'it keeps its history'
          WHEN EXISTS (SELECT 1 FROM information_schema.partitions
            WHERE %1$s AND partition_name IS NOT NULL) THEN 'it is partitioned'
          WHEN EXISTS (SELECT 1 FROM information_schema.columns
            WHERE %1$s AND column_name IN (%2$s) AND is_generated <> 'NEVER')
            THEN 'a key is generated'
          WHEN EXISTS (SELECT 1 FROM information_schema.referential_constraints
            WHERE constraint_schema = %3$s AND table_name = %4$s
            AND (update_rule NOT IN ('RESTRICT', 'NO ACTION')
              OR delete_rule NOT IN ('RESTRICT', 'NO ACTION')))
            THEN 'a foreign key changes its rows in a cascade, which fires no triggers'
          END\
        """
            .formatted(
                same,
                names(columns),
                SqlConstants.escaped(table.schema()),
                SqlConstants.escaped(table.name())),
        row -> Optional.ofNullable(row.getString(1)).ifPresent(reasons::add));
    return reasons.stream().findFirst();
  }

  @Override
  public void install(Connection connection, PhysicalTable table, List<String> columns)
      throws SQLException {
    String list = columns.stream().map(connector::quote).collect(Collectors.joining(", "));
    String fresh =
        columns.stream().map(c -> "NEW." + connector.quote(c)).collect(Collectors.joining(", "));
    String note =
        "INSERT INTO %s PARTITION (notes) (%sflexdp_sum) VALUES (%s%s)"
            .formatted(
                log(table),
                columns.isEmpty() ? "" : list + ", ",
                columns.isEmpty() ? "" : fresh + ", ",
                sum("NEW.", columns));
    List<String> all = new ArrayList<>();
    all.add("CREATE DATABASE IF NOT EXISTS flexdp");
    all.addAll(MariaDbMarks.CREATION);
    all.addAll(removal(table));
    all.add(
        "CREATE TABLE "
            + log(table)
            + " (flexdp_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, flexdp_sum"
            + " BINARY(16)) ENGINE = InnoDB PARTITION BY RANGE (flexdp_id) (PARTITION notes VALUES"
            + " LESS THAN MAXVALUE)"
            + (columns.isEmpty() ? "" : " AS SELECT " + list + " FROM " + name(table))
            + (columns.isEmpty() ? "" : " WHERE FALSE"));
    all.add(
        "CREATE TRIGGER "
            + trigger("inserted", table)
            + " AFTER INSERT ON "
            + name(table)
            + " FOR EACH ROW "
            + note);
    all.add(
        "CREATE TRIGGER "
            + trigger("updated", table)
            + " AFTER UPDATE ON "
            + name(table)
            + " FOR EACH ROW IF "
            + otherKey(columns)
            + " THEN "
            + note
            + "; END IF");
    all.add(guard("UPDATE", table));
    all.add(guard("DELETE", table));
    all.add(identity(table).creation());
    MariaDbMarks.requireOwn(StatementRunner.over(connection));
    execute(connection, all);
    requireIdentity(connection, table);
  }

  private void requireIdentity(Connection connection, PhysicalTable table) throws SQLException {
    Optional<String> found = Optional.empty();
    try {
      found = identity(table).read(StatementRunner.over(connection));
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_RIGHT) {
        throw e;
      }
    }
    if (found.isEmpty()) {
      remove(connection, table);
      throw DatabaseError.of(
          "The triggers cannot be installed: the tables' own numbers are not seen.",
          "On MariaDB the user who installs them needs the right PROCESS: GRANT PROCESS ON *.* TO …");
    }
  }

  /** What a row held, in sixteen bytes. */
  private String sum(String of, List<String> columns) {
    return "UNHEX(MD5(CONCAT_WS(','"
        + columns.stream()
            .map(c -> ", IFNULL(HEX(BINARY " + of + connector.quote(c) + "), '-')")
            .collect(Collectors.joining())
        + (columns.isEmpty() ? ", ''" : "")
        + ")))";
  }

  /** Keeps notes from being changed or taken away by hand; who drops it is noticed. */
  private String guard(String event, PhysicalTable table) {
    return "CREATE TRIGGER flexdp.%s BEFORE %s ON %s FOR EACH ROW SIGNAL SQLSTATE '45000' SET"
            .formatted(guardName(event, table), event, log(table))
        + " MESSAGE_TEXT = 'what flexdp notes is only ever added to; to start anew, run:"
        + " flexdp collect --triggers'";
  }

  private static String guardName(String event, PhysicalTable table) {
    return "flexdp_kept_" + event.toLowerCase(Locale.ROOT) + "_" + id(table);
  }

  /** Other as values or other as text: some numbers have the same text, some texts one value. */
  private String otherKey(List<String> columns) {
    return columns.isEmpty()
        ? "FALSE"
        : columns.stream()
            .map(connector::quote)
            .map(
                c ->
                    "NOT (OLD.%1$s <=> NEW.%1$s AND BINARY OLD.%1$s <=> BINARY NEW.%1$s)"
                        .formatted(c))
            .collect(Collectors.joining(" OR "));
  }

  @Override
  public void remove(Connection connection, PhysicalTable table) throws SQLException {
    boolean[] some = {false};
    StatementRunner.over(connection)
        .run(
            "SELECT 1 FROM information_schema.schemata WHERE schema_name = 'flexdp'",
            row -> some[0] = true);
    if (!some[0]) {
      return;
    }
    execute(connection, removal(table));
    boolean[] empty = {true};
    StatementRunner.over(connection)
        .run(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = 'flexdp' AND table_name"
                + " NOT IN ('marks', 'life')",
            row -> empty[0] = false);
    if (empty[0]) {
      execute(connection, List.of("DROP DATABASE flexdp"));
    }
  }

  private List<String> removal(PhysicalTable table) {
    return List.of(
        "DROP TRIGGER IF EXISTS " + trigger("inserted", table),
        "DROP TRIGGER IF EXISTS " + trigger("updated", table),
        "DROP TABLE IF EXISTS " + log(table),
        identity(table).removal());
  }

  private static void execute(Connection connection, List<String> all) throws SQLException {
    connection.setAutoCommit(true); // definitions have no transactions here
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION lock_wait_timeout = 5");
      for (String sql : all) {
        statement.execute(sql);
      }
    }
  }

  /**
   * What the catalog tells is of now, which is not before the state that is read. Both tables are
   * touched first, so that neither can be replaced any more.
   */
  @Override
  public Optional<String> stamp(
      StatementRunner statements, PhysicalTable table, List<String> columns) throws SQLException {
    if (!hasLog(statements, table) || !MariaDbMarks.areThere(statements)) {
      return Optional.empty();
    }
    statements.run("SELECT 1 FROM " + name(table) + " WHERE FALSE", row -> {});
    statements.run("SELECT 1 FROM " + log(table) + " WHERE FALSE", row -> {});
    Optional<String> identity = identity(table).read(statements);
    if (identity.isEmpty()) {
      return Optional.empty();
    }
    List<String> stamps = new ArrayList<>();
    statements.run(
        """
        SELECT MD5(CONCAT_WS(' ', @@hostname, @@port, @@server_id, @@datadir, t.create_time,
          l.create_time, k.columns, g.triggers, h.triggers, %8$s))
        FROM information_schema.tables t JOIN information_schema.tables l
          ON l.table_schema = 'flexdp' AND l.table_name = %1$s
        CROSS JOIN (
          SELECT COUNT(*) AS number, GROUP_CONCAT(CONCAT_WS(':', a.ordinal_position,
            a.column_name, a.column_type, a.collation_name) ORDER BY a.column_name) AS columns
          FROM information_schema.columns a JOIN information_schema.columns b
            ON b.table_schema = 'flexdp' AND b.table_name = %1$s AND b.column_name = a.column_name
            AND b.column_type = a.column_type AND b.collation_name <=> a.collation_name
          WHERE a.table_schema = %2$s AND a.table_name = %3$s AND a.column_name IN (%4$s)
            AND a.is_generated = 'NEVER') k
        CROSS JOIN (
          SELECT COUNT(*) AS number, GROUP_CONCAT(CONCAT_WS(':', trigger_name, created,
            MD5(action_statement)) ORDER BY trigger_name) AS triggers
          FROM information_schema.triggers
          WHERE event_object_schema = %2$s AND event_object_table = %3$s
            AND trigger_name IN (%5$s) AND action_timing = 'AFTER') g
        CROSS JOIN (
          SELECT COUNT(*) AS every, SUM(trigger_name IN (%7$s) AND action_timing = 'BEFORE')
            AS number, GROUP_CONCAT(CONCAT_WS(':', trigger_name, created,
            MD5(action_statement)) ORDER BY trigger_name) AS triggers
          FROM information_schema.triggers
          WHERE event_object_schema = 'flexdp' AND event_object_table = %1$s) h
        WHERE t.table_schema = %2$s AND t.table_name = %3$s AND t.table_type = 'BASE TABLE'
          AND l.table_type = 'BASE TABLE' AND l.engine = 'InnoDB'
          AND (SELECT GROUP_CONCAT(p.partition_name) FROM information_schema.partitions p
            WHERE p.table_schema = 'flexdp' AND p.table_name = %1$s) = 'notes'
          AND k.number = %6$s AND g.number = 2 AND h.number = 2 AND h.every = 2\
        """
            .formatted(
                SqlConstants.escaped("log_" + id(table)),
                SqlConstants.escaped(table.schema()),
                SqlConstants.escaped(table.name()),
                names(columns),
                names(List.of("flexdp_inserted_" + id(table), "flexdp_updated_" + id(table))),
                columns.size(),
                names(List.of(guardName("UPDATE", table), guardName("DELETE", table))),
                SqlConstants.escaped(identity.get())),
        row -> stamps.add(row.getString(1)));
    return obstacle(statements, table, columns).isPresent()
        ? Optional.empty()
        : stamps.stream().findFirst();
  }

  private boolean hasLog(StatementRunner statements, PhysicalTable table) throws SQLException {
    boolean[] there = {false};
    statements.run(
        "SELECT 1 FROM information_schema.tables WHERE table_schema = 'flexdp' AND table_name = "
            + SqlConstants.escaped("log_" + id(table)),
        row -> there[0] = true);
    return there[0];
  }

  @Override
  public Optional<String> position(StatementRunner statements, PhysicalTable table)
      throws SQLException {
    List<String> gaps = new ArrayList<>();
    String[] most = {"0"};
    statements.run(
        "SELECT COALESCE(MAX(flexdp_id), 0) FROM " + log(table), row -> most[0] = row.getString(1));
    statements.run(
        """
        SELECT before_id + 1, flexdp_id - 1 FROM (
          SELECT flexdp_id, COALESCE(LAG(flexdp_id) OVER (ORDER BY flexdp_id), 0) AS before_id
          FROM %s) x
        WHERE flexdp_id > before_id + 1 LIMIT %s\
        """
            .formatted(log(table), MOST_GAPS + 1),
        row -> gaps.add(row.getString(1) + "-" + row.getString(2)));
    return gaps.size() > MOST_GAPS
        ? Optional.empty()
        : Optional.of(most[0] + ":" + String.join(",", gaps));
  }

  @Override
  public Optional<String> life(Connection connection) throws SQLException {
    return MariaDbMarks.life(connection);
  }

  @Override
  public void mark(Connection connection, String mark) throws SQLException {
    MariaDbMarks.leave(connection, mark);
  }

  @Override
  public boolean isAfter(
      StatementRunner statements, PhysicalTable table, List<String> columns, Mark mark)
      throws SQLException {
    boolean[] changed = {false};
    statements.run(
        "SELECT 1 FROM %s WHERE NOT (flexdp_sum <=> %s) LIMIT 1"
            .formatted(added(table, mark.position()), sum("", columns)),
        row -> changed[0] = true);
    return !changed[0] && MariaDbMarks.isAfter(statements, mark);
  }

  @Override
  public String added(PhysicalTable table, String position) {
    int colon = position.indexOf(':');
    StringBuilder where = new StringBuilder("flexdp_id > " + position.substring(0, colon));
    for (String gap : position.substring(colon + 1).split(",")) {
      if (!gap.isEmpty()) {
        where.append(" OR flexdp_id BETWEEN ").append(gap.replace("-", " AND "));
      }
    }
    return "(SELECT * FROM " + log(table) + " WHERE " + where + ") AS noted";
  }

  private static MariaDbIdentity identity(PhysicalTable table) {
    return new MariaDbIdentity(
        id(table), SqlConstants.escaped(table.schema()), SqlConstants.escaped(table.name()));
  }

  private String log(PhysicalTable table) {
    return "flexdp.log_" + id(table);
  }

  private String trigger(String what, PhysicalTable table) {
    return connector.quote(table.schema()) + ".flexdp_" + what + "_" + id(table);
  }

  private static String id(PhysicalTable table) {
    String name = table.schema().length() + table.schema() + table.name();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }

  private String name(PhysicalTable table) {
    return connector.quote(table.schema()) + "." + connector.quote(table.name());
  }

  private static String names(List<String> names) {
    return names.isEmpty()
        ? "NULL"
        : names.stream().map(SqlConstants::escaped).collect(Collectors.joining(", "));
  }

  /**
   * The numbers that InnoDB gives to a table and to the table of its notes. A table that is emptied
   * with TRUNCATE, made anew, or given another table's rows (EXCHANGE PARTITION, IMPORT TABLESPACE)
   * has another number and looks the same otherwise. They are seen with the right PROCESS only, so
   * a function tells them that runs with the rights of whoever made it.
   */
  private static final class MariaDbIdentity {
    private final String id;
    private final String schema;
    private final String table;

    /**
     * @param id names what belongs to the table
     * @param schema of the table, as a literal
     * @param table its name, as a literal
     */
    MariaDbIdentity(String id, String schema, String table) {
      this.id = id;
      this.schema = schema;
      this.table = table;
    }

    private String function() {
      return "flexdp.identity_" + id;
    }

    /** A partition of the notes counts as a table of its own. */
    String creation() {
      return """
      CREATE FUNCTION %s() RETURNS TEXT CHARACTER SET utf8mb4 NOT DETERMINISTIC READS SQL DATA
      SQL SECURITY DEFINER RETURN (
        SELECT CASE WHEN COUNT(*) = 2
          THEN GROUP_CONCAT(CONCAT_WS(':', name, table_id, space) ORDER BY name) END
        FROM information_schema.innodb_sys_tables
        WHERE BINARY name = CONCAT(%s, '/', %s) OR name LIKE 'flexdp/log\\_%s#P#%%')\
      """
          .formatted(function(), file(schema), file(table), id);
    }

    /** Names as InnoDB writes them. */
    private static String file(String name) {
      return "CAST(CONVERT(_utf8mb4" + name + " USING filename) AS BINARY)";
    }

    String removal() {
      return "DROP FUNCTION IF EXISTS " + function();
    }

    /** What the function says and when it was made; empty where it is not there or not granted. */
    Optional<String> read(StatementRunner statements) throws SQLException {
      List<String> made = new ArrayList<>();
      statements.run(
          """
          SELECT CONCAT_WS(' ', created, last_altered) FROM information_schema.routines
          WHERE routine_schema = 'flexdp' AND routine_name = 'identity_%s'
            AND routine_type = 'FUNCTION' AND security_type = 'DEFINER'\
          """
              .formatted(id),
          row -> made.add(row.getString(1)));
      if (made.isEmpty()) {
        return Optional.empty();
      }
      List<String> numbers = new ArrayList<>();
      statements.run(
          "SELECT " + function() + "()",
          row -> Optional.ofNullable(row.getString(1)).ifPresent(numbers::add));
      return numbers.stream().findFirst().map(n -> made.getFirst() + " " + n);
    }
  }

  /**
   * What tells that a state of a MariaDB comes after the one that was measured, and that nothing
   * wrote rows past the triggers in between.
   *
   * <p>A mark in an InnoDB table is written after the measured snapshot. Rows that arrive by a
   * replayed binary log fire no triggers; the server counts such statements until it stops. So a
   * table in memory, which a stop empties, holds a word for the time since the last start, and the
   * word and the count have to be what they were before the snapshot.
   */
  private static final class MariaDbMarks {
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
    static boolean areThere(StatementRunner statements) throws SQLException {
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
      StatementRunner statements = StatementRunner.over(connection);
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

    private static Optional<String> read(StatementRunner statements) throws SQLException {
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
    static boolean isAfter(StatementRunner statements, ChangeLog.Mark mark) throws SQLException {
      boolean[] seen = {false};
      statements.run(
          "SELECT 1 FROM flexdp.marks WHERE mark = '" + mark.mark() + "'", row -> seen[0] = true);
      return seen[0] && read(statements).equals(Optional.of(mark.life()));
    }

    /**
     * Refuses a database flexdp that others made or may change: what they put in it would be
     * believed, and what is noted is as private as the data.
     */
    static void requireOwn(StatementRunner statements) throws SQLException {
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
}
