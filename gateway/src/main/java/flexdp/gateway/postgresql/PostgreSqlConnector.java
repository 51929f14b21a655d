package flexdp.gateway.postgresql;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.ChangeLog;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.postgresql.PostgreSqlDefinitions.PostgreSqlOwnCasts;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** PostgreSQL. */
public final class PostgreSqlConnector implements Connector {
  private static final Pattern NUMERIC = Pattern.compile("numeric\\((\\d+),(-?\\d+)\\)");
  private static final Type ANY_NUMERIC = Type.decimal(38, 10);

  /**
   * Stands after the name of a text type whose collation is neither the database's nor that of
   * bytes. It is read by its bytes: PostgreSQL cannot compare two columns of different collations,
   * and of texts that a collation holds equal a group bears the name of any, so that one row could
   * rename it, and all its rows would leave a bin.
   */
  static final String COLLATED = " COLLATE";

  /** Types without a counterpart whose values differ as text, too. */
  private static final Set<String> WRITTEN_APART =
      Set.of(
          "bytea",
          "bit",
          "bit varying",
          "inet",
          "cidr",
          "macaddr",
          "macaddr8",
          "interval",
          "time with time zone",
          "jsonb");

  private final PostgreSql dialect = new PostgreSql();
  private final PostgreSqlTransaction transaction = new PostgreSqlTransaction(dialect);

  @Override
  public String word() {
    return "postgresql";
  }

  @Override
  public String title() {
    return "PostgreSQL";
  }

  @Override
  public TargetDialect dialect() {
    return dialect;
  }

  /** Nothing is set for the session: each transaction brings what it needs. */
  @Override
  public List<String> settings(Duration timeout) {
    return List.of();
  }

  /**
   * What the driver wants to have set comes with the startup, and it keeps no statement by a name:
   * behind a pooler both would be left to somebody else.
   */
  @Override
  public Connection connect(String url, Properties credentials, boolean streaming)
      throws SQLException {
    credentials.setProperty("assumeMinServerVersion", "12");
    credentials.setProperty("prepareThreshold", "0");
    return Connector.super.connect(url, credentials, streaming);
  }

  /** Parallel plans are for statements that are run to their end. */
  @Override
  public boolean streamsAlone() {
    return true;
  }

  @Override
  public boolean isTimeout(SQLException e) {
    return Connector.super.isTimeout(e) || "57014".equals(e.getSQLState()); // query_canceled
  }

  /** The server was told to stop, or it is starting. */
  @Override
  public boolean isLost(SQLException e) {
    return Connector.super.isLost(e)
        || List.of("57P01", "57P02", "57P03").contains(String.valueOf(e.getSQLState()));
  }

  /** A table, column or schema that is not there, or that may not be read. */
  @Override
  public boolean isRedefined(SQLException e) {
    return List.of("42P01", "42703", "3F000", "42501").contains(String.valueOf(e.getSQLState()));
  }

  /** Workers help with one set of columns only. */
  @Override
  public boolean groupsTogether() {
    return false;
  }

  @Override
  public String read(PhysicalColumn column, Type declared) {
    Type type = type(column.typeName());
    boolean numbers = type.kind() == Type.Kind.DECIMAL && declared.kind() == Type.Kind.DECIMAL;
    return numbers && !type.equals(declared)
        ? dialect.rounded(quote(column.name()), declared)
        : dialect.cast(canonicalize(quote(column.name()), column.typeName()), type, declared);
  }

  @Override
  public boolean isStoredAs(PhysicalColumn column, Type declared) {
    return switch (declared.kind()) {
      case DOUBLE -> column.typeName().equals("double precision");
      case DATE -> column.typeName().equals("date");
      case TIMESTAMP -> column.typeName().startsWith("timestamp") && !isZoned(column.typeName());
      case DECIMAL -> column.type().equals(declared) && !isRounded(column.typeName());
      default -> false;
    };
  }

  private static boolean isZoned(String typeName) {
    return typeName.endsWith("with time zone");
  }

  /** In its own type, and in the one form of it. */
  private String canonicalize(String name, String typeName) {
    Type type = type(typeName);
    return switch (type.kind()) {
      case VARCHAR ->
          typeName.endsWith(COLLATED)
              ? dialect.byBytes(name)
              : isText(typeName) ? name : "CAST(" + name + " AS pg_catalog.text)";
      // The output of any type is text; json and others have no equality of their own.
      case OPAQUE ->
          typeName.endsWith(COLLATED)
              ? dialect.byBytes(name)
              : "CAST(" + name + " AS pg_catalog.text)";
      case TIMESTAMP -> isZoned(typeName) ? dialect.inUtc(name) : dialect.canonicalize(name, type);
      case DOUBLE ->
          typeName.equals("real") ? dialect.fromReal(name) : dialect.canonicalize(name, type);
      case DECIMAL ->
          isRounded(typeName) ? dialect.rounded(name, type) : dialect.canonicalize(name, type);
      case DATE, TIME -> dialect.canonicalize(name, type);
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, NULL -> name;
    };
  }

  /**
   * Whether it is a NUMERIC that may hold more digits than its type, which are rounded when it is
   * read.
   */
  static boolean isRounded(String typeName) {
    Type type = type(typeName);
    return type.kind() == Type.Kind.DECIMAL
        && !typeName.equals("numeric(" + type.precision() + "," + type.scale() + ")");
  }

  /**
   * Whether two stored values that differ are read as two values, or as NULL. Of the types without
   * a counterpart only those listed are known to write no two values alike; a NUMERIC without
   * digits is rounded when it is read.
   */
  static boolean isInjective(String typeName) {
    return switch (type(typeName).kind()) {
      case OPAQUE -> WRITTEN_APART.contains(typeName.replaceFirst("\\(\\d+\\)", ""));
      case VARCHAR -> !typeName.startsWith("\"char\"");
      case DECIMAL -> !isRounded(typeName);
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DOUBLE,
          DATE,
          TIME,
          TIMESTAMP,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          NULL ->
          true;
    };
  }

  /** Whether every stored value is read as one: NUMERIC holds NaN, and days and times infinity. */
  static boolean isTotal(String typeName) {
    return switch (type(typeName).kind()) {
      case DOUBLE, DECIMAL, DATE, TIME, TIMESTAMP -> false;
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          VARCHAR,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          true;
    };
  }

  static boolean isText(String typeName) {
    return typeName.equals("text") || typeName.startsWith("character varying");
  }

  @Override
  public String isFinite(String sql, Type type) {
    return type.kind() == Type.Kind.DOUBLE
        ? "("
            + sql
            + " > '-Infinity'::pg_catalog.float8 AND "
            + sql
            + " < 'Infinity'::pg_catalog.float8)"
        : "pg_catalog.isfinite(" + sql + ")";
  }

  /** Rows of tables that inherit from it, from now on or for a moment, are not among its own. */
  @Override
  public String rows(PhysicalTable table) {
    return (table.parted() ? "" : "ONLY ") + Connector.super.rows(table);
  }

  @Override
  public List<PhysicalTable> tables(Connection connection) throws SQLException {
    return transaction.within(
        connection,
        statements -> {
          requireEncoding(statements);
          PostgreSqlOwnCasts.requireNone(statements);
          return new PostgreSqlTables(statements).read();
        });
  }

  /** A renamed table keeps its number within its database, and that within its cluster. */
  @Override
  public List<TableIdentity> identities(Connection connection, List<PhysicalTable> tables)
      throws SQLException {
    return transaction.within(
        connection, statements -> PostgreSqlIdentities.of(statements, tables));
  }

  @Override
  public Optional<List<TableIdentity>> identities(
      StatementRunner statements,
      List<PhysicalTable> tables,
      Map<TableDefinitions.Name, List<String>> marks)
      throws SQLException {
    Map<TableDefinitions.Name, List<Long>> numbers = new HashMap<>();
    marks.forEach((name, of) -> numbers.put(name, PostgreSqlDefinitions.numbers(of)));
    return Optional.of(PostgreSqlIdentities.of(statements, tables, numbers));
  }

  /** Elsewhere a stored text may have no equivalent in UTF-8, and reading the row fails. */
  private static void requireEncoding(StatementRunner statements) throws SQLException {
    statements.run(
        "SHOW server_encoding",
        row -> {
          String encoding = row.getString(1);
          if (!encoding.equals("UTF8") && !encoding.equals("LATIN1")) {
            throw DatabaseError.of(
                "The database is encoded in " + encoding + ", which not every text survives.",
                "Use a database that was created with ENCODING 'UTF8'.");
          }
        });
  }

  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    transaction.begin(connection, List.of(), Optional.empty());
  }

  @Override
  public void beginSnapshot(Connection connection, Collection<PhysicalTable> held, Duration timeout)
      throws SQLException {
    transaction.begin(connection, held, Optional.of(timeout));
  }

  @Override
  public void endSnapshot(Connection connection) throws SQLException {
    PostgreSqlTransaction.end(connection);
  }

  /** lock_not_available. */
  @Override
  public boolean isBusy(SQLException e) {
    return "55P03".equals(e.getSQLState());
  }

  @Override
  public boolean readsOneState() {
    return true;
  }

  @Override
  public Optional<ChangeLog> changeLog() {
    return Optional.of(new PostgreSqlChangeLog(this));
  }

  @Override
  public Optional<TableDefinitions> definitions() {
    return Optional.of(new PostgreSqlDefinitions(this));
  }

  @Override
  public String snapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT pg_catalog.pg_current_snapshot()::pg_catalog.text")) {
      row.next();
      return row.getString(1);
    }
  }

  /** The type a policy gives to a column of a type of PostgreSQL's, in format_type's words. */
  static Type type(String typeName) {
    if (typeName.endsWith(COLLATED)) {
      return type(typeName.substring(0, typeName.length() - COLLATED.length()));
    }
    Matcher numeric = NUMERIC.matcher(typeName);
    if (numeric.matches()) {
      int precision = Integer.parseInt(numeric.group(1));
      int scale = Integer.parseInt(numeric.group(2));
      return precision <= 38 && scale >= 0 && scale <= precision
          ? Type.decimal(precision, scale)
          : ANY_NUMERIC;
    }
    if (isText(typeName) || typeName.startsWith("ENUM(") || typeName.startsWith("character(")) {
      return Type.VARCHAR;
    }
    String plain = typeName.replaceFirst("\\(\\d+\\)", "").replaceFirst("^.*\\.citext$", "citext");
    return switch (plain) {
      case "boolean" -> Type.BOOLEAN;
      case "smallint" -> Type.SMALLINT;
      case "integer" -> Type.INTEGER;
      case "bigint" -> Type.BIGINT;
      case "numeric" -> ANY_NUMERIC;
      case "real", "double precision" -> Type.DOUBLE;
      case "bpchar", "name", "citext", "\"char\"" -> Type.VARCHAR;
      case "date" -> Type.DATE;
      case "time without time zone" -> Type.TIME;
      case "timestamp without time zone", "timestamp with time zone" -> Type.TIMESTAMP;
      case "uuid" -> Type.UUID;
      default -> Type.OPAQUE;
    };
  }

  /**
   * PostgreSQL's numbers of tables, which stay when a table or its schema is renamed, and those of
   * their partitions: what is attached brings what was told of it, and what is detached takes it
   * along.
   */
  private static final class PostgreSqlIdentities {
    /**
     * The cluster, whose number a restored dump does not have, and the database in it. Who may not
     * know the cluster takes tables of several for one, which errs on the safe side.
     */
    private static final String WHERE =
        """
        SELECT CASE WHEN pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
          THEN (SELECT s.system_identifier::pg_catalog.text FROM pg_catalog.pg_control_system() s)
          ELSE '' END || '/' || d.oid::pg_catalog.text
        FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()\
        """;

    /** Of tables by their names. */
    private static final String NUMBERS =
        """
        SELECT n.nspname, c.relname, c.oid, p.relid::pg_catalog.oid
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN LATERAL pg_catalog.pg_partition_tree(
          CASE WHEN c.relkind = 'p' THEN c.oid::pg_catalog.regclass END) p
          ON p.relid::pg_catalog.oid <> c.oid
        WHERE c.relkind IN ('r', 'p') AND (n.nspname::pg_catalog.text, c.relname::pg_catalog.text)
          IN (%s)\
        """;

    private static final String NAMES =
        """
        SELECT c.oid, n.nspname, c.relname
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.oid IN (%s) ORDER BY c.oid\
        """;

    private PostgreSqlIdentities() {}

    /** Those that their names lead to when the catalogue is read. */
    static List<TableIdentity> of(StatementRunner statements, List<PhysicalTable> tables)
        throws SQLException {
      if (tables.isEmpty()) {
        return List.of();
      }
      Map<TableDefinitions.Name, List<Long>> numbers = new HashMap<>();
      statements.run(
          NUMBERS.formatted(
              tables.stream()
                  .map(
                      t ->
                          "("
                              + SqlConstants.text(t.schema())
                              + ", "
                              + SqlConstants.text(t.name())
                              + ")")
                  .collect(Collectors.joining(", "))),
          row -> {
            List<Long> some =
                numbers.computeIfAbsent(
                    new TableDefinitions.Name(row.getString(1), row.getString(2)),
                    n -> new ArrayList<>());
            if (some.isEmpty()) {
              some.add(row.getLong(3));
            }
            long part = row.getLong(4);
            if (!row.wasNull()) {
              some.add(part);
            }
          });
      return of(statements, tables, numbers);
    }

    /**
     * Those of these numbers, whatever the names lead to meanwhile.
     *
     * @param numbers of a table first, then of its parts
     */
    static List<TableIdentity> of(
        StatementRunner statements,
        List<PhysicalTable> tables,
        Map<TableDefinitions.Name, List<Long>> numbers)
        throws SQLException {
      String[] where = {""};
      statements.run(WHERE, row -> where[0] = "postgresql:" + row.getString(1) + "/");
      Map<Long, TableIdentity> parts = new TreeMap<>();
      String listed =
          numbers.values().stream()
              .flatMap(some -> some.stream().skip(1))
              .map(String::valueOf)
              .collect(Collectors.joining(", "));
      if (!listed.isEmpty()) {
        // A part that is younger than the state that is read has no rows in it.
        statements.run(
            NAMES.formatted(listed),
            row ->
                parts.put(
                    row.getLong(1),
                    TableIdentity.of(row.getString(2), row.getString(3))
                        .marked(where[0] + row.getLong(1))));
      }
      List<TableIdentity> found = new ArrayList<>();
      for (PhysicalTable table : tables) {
        List<Long> own = numbers.getOrDefault(TableDefinitions.Name.of(table), List.of());
        found.add(
            TableIdentity.of(table)
                .marked(own.isEmpty() ? "" : where[0] + own.getFirst())
                .reading(
                    own.stream()
                        .skip(1)
                        .sorted()
                        .flatMap(part -> Optional.ofNullable(parts.get(part)).stream())
                        .toList()));
      }
      return List.copyOf(found);
    }
  }
}
