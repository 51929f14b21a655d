package flexdp.gateway.postgresql;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.OwnSchema;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.render.SqlConstants;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Notes of changes in PostgreSQL, in the schema flexdp. Inserts are noted once per statement,
 * updates for each row whose key has other bytes than before. Replicated rows fire no statement
 * triggers: where the replication role is replica, rows are noted one by one and statements are
 * not, so that a row never leaves two notes. All triggers fire ALWAYS, whatever that role is.
 *
 * <p>A number of a transaction means nothing on another server, or on this one after it was set
 * back. So measuring leaves a mark, whose transaction ends after the measured snapshot: a state
 * that has the mark comes after that snapshot and not out of another past.
 */
final class PostgreSqlChangeLog implements ChangeLog {
  private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '5s'";
  private static final List<String> TRIGGERS =
      List.of("flexdp_inserted", "flexdp_copied", "flexdp_updated");

  /** What was called so left two notes of one row, and is not believed. */
  private static final List<String> FORMER = List.of("flexdp_replicated");

  /** Keeps notes from being changed or taken away by hand; who disables it is noticed. */
  private static final String GUARD = "flexdp_kept";

  /** What stand in functions for the numbers of the table of notes and of whole_…. */
  private static final String NOTES = "@notes@";

  private static final String WHOLE = "@whole@";

  private static final String REPLICATION_ROLE =
      "pg_catalog.current_setting('session_replication_role')";

  private final Connector connector;

  PostgreSqlChangeLog(Connector connector) {
    this.connector = connector;
  }

  @Override
  public Optional<String> obstacle(
      StatementRunner statements, PhysicalTable table, List<String> columns) throws SQLException {
    List<String> reasons = new ArrayList<>();
    statements.run(
        """
        SELECT CASE
          WHEN c.relkind <> 'r' THEN 'it is partitioned'
          WHEN c.relhassubclass THEN 'other tables inherit from it'
          WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid
            AND a.attgenerated <> '' AND a.attname = ANY (%s)) THEN 'a key is generated'
          END
        FROM pg_catalog.pg_class c WHERE c.oid = %s\
        """
            .formatted(names(columns), oid(table)),
        row -> Optional.ofNullable(row.getString(1)).ifPresent(reasons::add));
    return reasons.stream().findFirst();
  }

  @Override
  public void install(Connection connection, PhysicalTable table, List<String> columns)
      throws SQLException {
    String id = id(table);
    String list =
        columns.stream().map(c -> connector.quote(c) + ", ").collect(Collectors.joining());
    String fresh =
        columns.stream().map(c -> "NEW." + connector.quote(c) + ", ").collect(Collectors.joining());
    List<String> all = new ArrayList<>(removal(id, table));
    all.add(
        "CREATE TABLE %s AS SELECT %spg_catalog.pg_current_xact_id() AS flexdp_xid FROM %s"
                .formatted(log(id), list, name(table))
            + " WITH NO DATA");
    all.add("CREATE INDEX ON " + log(id) + " (flexdp_xid)");
    all.add(
        "CREATE FUNCTION flexdp.whole_"
            + id
            + "() RETURNS void LANGUAGE sql AS $flexdp$ SELECT $flexdp$");
    all.add(
        noting(
            "inserted_",
            id,
            "INSERT INTO %s SELECT %spg_catalog.pg_current_xact_id() FROM flexdp_added"
                .formatted(log(id), list),
            "SELECT pg_catalog.count(*) FROM flexdp_added"));
    all.add(
        noting(
            "changed_",
            id,
            "INSERT INTO %s VALUES (%spg_catalog.pg_current_xact_id())".formatted(log(id), fresh),
            "1"));
    all.add(
        trigger("flexdp_inserted", "INSERT", table)
            + " REFERENCING NEW TABLE AS flexdp_added FOR EACH STATEMENT WHEN ("
            + REPLICATION_ROLE
            + " <> 'replica') EXECUTE FUNCTION flexdp.inserted_"
            + id
            + "()");
    all.add(
        trigger("flexdp_copied", "INSERT", table)
            + " FOR EACH ROW WHEN ("
            + REPLICATION_ROLE
            + " = 'replica') EXECUTE FUNCTION flexdp.changed_"
            + id
            + "()");
    all.add(
        trigger("flexdp_updated", "UPDATE", table)
            + " FOR EACH ROW WHEN ("
            + otherKey(columns)
            + ") EXECUTE FUNCTION flexdp.changed_"
            + id
            + "()");
    TRIGGERS.forEach(t -> all.add("ALTER TABLE " + name(table) + " ENABLE ALWAYS TRIGGER " + t));
    all.add(
        function(
            "kept_" + id,
            "RAISE EXCEPTION 'what flexdp notes is only ever added to; to start anew, run:"
                + " flexdp collect --triggers'"));
    all.add(
        "CREATE TRIGGER %s BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION"
                .formatted(GUARD, log(id))
            + " flexdp.kept_%s()".formatted(id));
    all.add("ALTER TABLE " + log(id) + " ENABLE ALWAYS TRIGGER " + GUARD);
    all.addAll(0, PostgreSqlMarks.creation(connection));
    execute(connection, all);
  }

  @Override
  public Optional<String> life(Connection connection) throws SQLException {
    return PostgreSqlMarks.life(connection);
  }

  @Override
  public void mark(Connection connection, String mark) throws SQLException {
    PostgreSqlMarks.leave(connection, mark);
  }

  /** Other bytes, which is finer than other values by any equality. */
  private String otherKey(List<String> columns) {
    if (columns.isEmpty()) {
      return "false";
    }
    String sides =
        columns.stream().map(c -> "%s." + connector.quote(c)).collect(Collectors.joining(", "));
    return "ROW("
        + sides.replace("%s", "OLD")
        + ")::pg_catalog.record OPERATOR(pg_catalog.*<>) ROW("
        + sides.replace("%s", "NEW")
        + ")::pg_catalog.record";
  }

  private static String function(String name, String body) {
    return "CREATE FUNCTION flexdp."
        + name
        + "() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog,"
        + " pg_temp AS $flexdp$ DECLARE written pg_catalog.int8;"
        + " whole pg_catalog.text; BEGIN "
        + body
        + "; RETURN NULL; END $flexdp$";
  }

  /**
   * Whoever notes something looks after writing, while nobody can change the table, whether that
   * was the very table of notes, and whether it has triggers or rules beside ours, which could have
   * taken the note away. If so it drops the function whole_…, in the writer's own transaction: what
   * was dropped never comes back with the same number, however clean the table looks later.
   *
   * @param rows how many must have been written
   */
  private static String noting(String name, String id, String insert, String rows) {
    String proof =
        """
        ; GET DIAGNOSTICS written = ROW_COUNT;
        IF pg_catalog.to_regclass('%1$s') IS DISTINCT FROM %3$s::pg_catalog.oid::pg_catalog.regclass
          OR (SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger WHERE tgrelid = %3$s) <> 1
          OR EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite WHERE ev_class = %3$s)
          OR written <> (%4$s) THEN
            whole := %2$s::pg_catalog.regprocedure::pg_catalog.text;
            IF whole LIKE '%%whole%%' THEN
              EXECUTE 'DROP FUNCTION IF EXISTS ' || whole;
            END IF;
        END IF\
        """
            .formatted(log(id), WHOLE, NOTES, rows);
    return "DO $install$ BEGIN EXECUTE pg_catalog.replace(pg_catalog.replace($body$"
        + function(name + id, insert + proof)
        + "$body$, '%s', '%s'::pg_catalog.regclass::pg_catalog.oid::pg_catalog.text)"
            .formatted(NOTES, log(id))
        + ", '%s', 'flexdp.whole_%s()'::pg_catalog.regprocedure::pg_catalog.oid::pg_catalog.text)"
            .formatted(WHOLE, id)
        + "; END $install$";
  }

  private String trigger(String trigger, String event, PhysicalTable table) {
    return "CREATE TRIGGER " + trigger + " AFTER " + event + " ON " + name(table);
  }

  @Override
  public void remove(Connection connection, PhysicalTable table) throws SQLException {
    execute(connection, removal(id(table), table));
    execute(
        connection,
        List.of(
            PostgreSqlMarks.REMOVAL,
            "DO $flexdp$ BEGIN DROP SCHEMA flexdp; EXCEPTION WHEN dependent_objects_still_exist"
                + " OR invalid_schema_name OR insufficient_privilege THEN NULL; END $flexdp$"));
  }

  private List<String> removal(String id, PhysicalTable table) {
    List<String> all = new ArrayList<>();
    Stream.concat(TRIGGERS.stream(), FORMER.stream())
        .forEach(t -> all.add("DROP TRIGGER IF EXISTS " + t + " ON " + name(table)));
    all.add("DROP FUNCTION IF EXISTS flexdp.inserted_" + id);
    all.add("DROP FUNCTION IF EXISTS flexdp.changed_" + id);
    all.add("DROP TABLE IF EXISTS " + log(id));
    all.add("DROP FUNCTION IF EXISTS flexdp.kept_" + id);
    all.add("DROP FUNCTION IF EXISTS flexdp.whole_" + id);
    return all;
  }

  private static void execute(Connection connection, List<String> all) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(PostgreSqlTransaction.PATH);
      statement.execute(LOCK_TIMEOUT);
      for (String sql : all) {
        statement.execute(sql);
      }
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    }
  }

  /**
   * The table, its notes and the marks are touched first, so that their files cannot be replaced
   * any more, and then the files that they have now are compared, not those of the snapshot: a
   * rewrite or TRUNCATE between the two shows, and none comes between the look and the reading.
   */
  @Override
  public Optional<String> stamp(
      StatementRunner statements, PhysicalTable table, List<String> columns) throws SQLException {
    if (!mayRead(statements, id(table))) {
      return Optional.empty();
    }
    statements.run(
        Stream.of(name(table), log(id(table)), "flexdp.marks")
            .map(touched -> "SELECT 1 FROM " + touched + " WHERE false")
            .collect(Collectors.joining(" UNION ALL ")),
        row -> {});
    List<String> stamps = new ArrayList<>();
    statements.run(
        """
        SELECT pg_catalog.md5(pg_catalog.concat_ws(' ', c.oid,
            pg_catalog.pg_relation_filenode(c.oid), l.oid,
            pg_catalog.pg_relation_filenode(l.oid), k.columns, t.triggers, kept.triggers, whole.oid,
            whole.xmin))
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.nspname = 'flexdp'
        JOIN pg_catalog.pg_class l ON l.relnamespace = n.oid
          AND l.relname = 'log_%1$s'
        JOIN pg_catalog.pg_proc whole ON whole.pronamespace = n.oid
          AND whole.proname = 'whole_%1$s'
        JOIN pg_catalog.pg_class marks ON marks.relnamespace = n.oid
          AND marks.relname = 'marks' AND marks.relkind = 'r' AND NOT marks.relrowsecurity
        CROSS JOIN LATERAL (
          SELECT pg_catalog.count(*) AS number, pg_catalog.string_agg(pg_catalog.concat_ws(':',
            a.attnum, a.attname, a.atttypid, a.atttypmod, a.attcollation), ' ' ORDER BY a.attnum)
            AS columns
          FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_attribute b ON b.attrelid = l.oid
            AND b.attname = a.attname AND b.atttypid = a.atttypid
            AND b.attcollation = a.attcollation AND NOT b.attisdropped
          WHERE a.attrelid = c.oid AND a.attname = ANY (%2$s) AND a.attgenerated = '') k
        CROSS JOIN LATERAL (
          SELECT pg_catalog.count(*) AS number, pg_catalog.string_agg(pg_catalog.concat_ws(':',
            g.oid, g.xmin, f.oid, f.xmin), ' ' ORDER BY g.oid) AS triggers
          FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc f ON f.oid = g.tgfoid
          WHERE g.tgrelid = c.oid AND g.tgenabled = 'A' AND g.tgname = ANY (%3$s)) t
        JOIN LATERAL (
          SELECT pg_catalog.concat_ws(':', g.oid, g.xmin, f.oid, f.xmin) AS triggers
          FROM pg_catalog.pg_trigger g JOIN pg_catalog.pg_proc f ON f.oid = g.tgfoid
          WHERE g.tgrelid = l.oid AND g.tgenabled = 'A' AND g.tgname = '%4$s') kept ON true
        WHERE c.oid = %5$s AND c.relkind = 'r' AND NOT c.relhassubclass AND NOT c.relispartition
          AND k.number = %6$s AND t.number = %7$s
          AND l.relkind = 'r' AND l.relpersistence = 'p' AND NOT l.relrowsecurity
          AND NOT l.relispartition AND NOT l.relhassubclass
          AND (SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger g WHERE g.tgrelid = l.oid) = 1
          AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite r WHERE r.ev_class = l.oid)
          AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
          AND pg_catalog.has_table_privilege(l.oid, 'SELECT')
          AND pg_catalog.has_table_privilege(marks.oid, 'SELECT')\
        """
            .formatted(
                id(table),
                names(columns),
                names(TRIGGERS),
                GUARD,
                oid(table),
                columns.size(),
                TRIGGERS.size()),
        row -> stamps.add(row.getString(1)));
    return stamps.stream().findFirst();
  }

  /** What is not there or not ours to read would fail when it is touched. */
  private static boolean mayRead(StatementRunner statements, String id) throws SQLException {
    List<String> there = new ArrayList<>();
    statements.run(
        """
        SELECT c.relname FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'flexdp'
        WHERE c.relname IN ('log_%s', 'marks') AND c.relkind = 'r'
          AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
          AND pg_catalog.has_table_privilege(c.oid, 'SELECT')\
        """
            .formatted(id),
        row -> there.add(row.getString(1)));
    return there.size() == 2;
  }

  /** On a standby the running transactions are not listed, so that nothing tells what comes. */
  @Override
  public Optional<String> position(StatementRunner statements, PhysicalTable table)
      throws SQLException {
    List<String> snapshots = new ArrayList<>();
    statements.run(
        "SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text WHERE NOT"
            + " pg_catalog.pg_is_in_recovery()",
        row -> snapshots.add(row.getString(1)));
    return snapshots.stream().findFirst();
  }

  @Override
  public boolean isAfter(
      StatementRunner statements, PhysicalTable table, List<String> columns, Mark mark)
      throws SQLException {
    return PostgreSqlMarks.isSeen(statements, mark.mark());
  }

  @Override
  public String added(PhysicalTable table, String snapshot) {
    String least = snapshot.substring(0, snapshot.indexOf(':'));
    return "(SELECT * FROM "
        + log(id(table))
        + " WHERE flexdp_xid >= '"
        + least
        + "'::pg_catalog.xid8 AND NOT pg_catalog.pg_visible_in_snapshot(flexdp_xid, '"
        + snapshot
        + "'::pg_catalog.pg_snapshot)) AS noted";
  }

  private static String log(String id) {
    return "flexdp.log_" + id;
  }

  /** Names what belongs to a table; its own name may be too long for that. */
  private static String id(PhysicalTable table) {
    String name = table.schema().length() + table.schema() + table.name();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }

  private String name(PhysicalTable table) {
    return connector.quote(table.schema()) + "." + connector.quote(table.name());
  }

  private String oid(PhysicalTable table) {
    return SqlConstants.text(name(table)) + "::pg_catalog.regclass::pg_catalog.oid";
  }

  private static String names(List<String> names) {
    return names.stream().map(SqlConstants::text).collect(Collectors.joining(", ", "ARRAY[", "]"))
        + "::pg_catalog.text[]";
  }

  /**
   * Marks that measuring leaves in PostgreSQL, in a transaction that ends after the measured
   * snapshot. The row of a mark remembers the number of its transaction, which a copy that is made
   * row by row (a restored dump, logical replication) cannot repeat.
   */
  private static final class PostgreSqlMarks {
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
     * @throws DatabaseError when the schema is there and is not ours: what is in it may be
     *     exchanged by others, and runs with our rights
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
          return work.over(StatementRunner.over(connection));
        } finally {
          statement.execute("ROLLBACK");
        }
      }
    }

    private static Optional<String> life(StatementRunner statements) throws SQLException {
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
    static boolean isSeen(StatementRunner statements, String mark) throws SQLException {
      boolean[] seen = {false};
      statements.run(
          "SELECT 1 FROM flexdp.marks m WHERE m.mark = '%s' AND m.xmin = m.xid::pg_catalog.xid"
              .formatted(mark),
          row -> seen[0] = true);
      return seen[0];
    }
  }
}
