package flexdp.gateway.trino;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.JdbcDrivers;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.render.SqlConstants;
import flexdp.gateway.render.TargetDialect;
import flexdp.gateway.trino.TrinoTables.TrinoDefinitions;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Trino, and through it whatever its catalogs hold. It has no keys and, for most of its catalogs,
 * no state of the data that two statements share.
 */
public final class TrinoConnector implements Connector {
  private static final Pattern DECIMAL = Pattern.compile("decimal\\((\\d+),\\s*(\\d+)\\)");

  /** Limits of the server for one statement: time, memory, processors, what it reads. */
  private static final Set<Integer> LIMITS =
      Set.of(131_073, 131_075, 131_076, 131_077, 131_078, 131_079, 131_081);

  /**
   * Another machine is gone, is starting or stopping, or cannot be reached; or there is no place in
   * the queue. What a statement itself brings about, such as too large pages, tasks that fail or
   * answers that take too long, is not among them.
   */
  private static final Set<Integer> AWAY =
      Set.of(65_537, 65_539, 65_541, 65_544, 65_545, 65_548, 65_558, 131_074);

  private static final int NO_CATALOG = 44;

  /** A catalog, schema, table or column that is not there, or may not be read. */
  private static final Set<Integer> REDEFINED = Set.of(4, NO_CATALOG, 45, 46, 47);

  /** The driver tries again for so long; it would for 999 days. */
  private static final int REACHED_WITHIN_MILLIS = 10_000;

  private static final String VALIDATE = "validateConnection";

  private final Trino dialect = new Trino();

  @Override
  public String word() {
    return "trino";
  }

  @Override
  public String title() {
    return "Trino";
  }

  /** The driver speaks to the server only when it is asked something, so it is asked. */
  @Override
  public Connection connect(String url, Properties credentials, boolean streaming)
      throws SQLException {
    credentials.putIfAbsent("user", "flexdp");
    credentials.setProperty("timezone", "UTC");
    credentials.setProperty("source", "flexdp");
    Connection connection = validating(reached(url, credentials), url, credentials);
    if (connection.getCatalog() == null) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "the address of the Trino server names no catalog",
          "Write it as jdbc:trino://HOST:PORT/CATALOG/SCHEMA.");
    }
    // Names have no case in Trino, but those of an address are looked for as they are written.
    connection.setCatalog(TrinoCatalogs.own(connection));
    if (connection.getSchema() != null) {
      connection.setSchema(TrinoCatalogs.folded(connection.getSchema()));
    }
    return connection;
  }

  private static Connection reached(String url, Properties credentials) throws SQLException {
    Connection connection = JdbcDrivers.readOnly(url, credentials);
    connection.setNetworkTimeout(Runnable::run, REACHED_WITHIN_MILLIS);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT 1")) {
      while (row.next()) {
        row.getInt(1);
      }
    }
    return connection;
  }

  /**
   * One that asks the server whether it is valid; the driver calls others so unasked. It would look
   * for a server that is away for 30 seconds and not say why, so it comes second.
   */
  private static Connection validating(Connection reached, String url, Properties credentials)
      throws SQLException {
    if (url.contains(VALIDATE)) {
      return reached; // the owner has decided
    }
    Properties asked = new Properties();
    asked.putAll(credentials);
    asked.setProperty(VALIDATE, "true");
    try {
      Connection connection = JdbcDrivers.readOnly(url, asked);
      connection.setNetworkTimeout(Runnable::run, REACHED_WITHIN_MILLIS);
      reached.close();
      return connection;
    } catch (SQLException e) {
      // An old server, or one without passwords, to which the driver does not say who asks: that
      // it answers us is known.
      return reached;
    }
  }

  /**
   * The tables of the catalog that the address names; with a schema in the address only those of
   * that schema, since some catalogs take minutes to list. An address whose catalog or schema is
   * not there is refused, and they are named.
   */
  @Override
  public List<PhysicalTable> tables(Connection connection) throws SQLException {
    String catalog = TrinoCatalogs.own(connection);
    Optional<String> schema = Optional.ofNullable(TrinoCatalogs.folded(connection.getSchema()));
    StatementRunner statements = StatementRunner.over(connection);
    TrinoTables.Place place = new TrinoTables.Place(catalog, "", schema, Optional.empty());
    TrinoTables found;
    try {
      found = TrinoTables.read(statements, List.of(place));
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_CATALOG) {
        throw noCatalog(catalog);
      }
      throw e;
    }
    if (found.connector("").isEmpty()) {
      throw noCatalog(catalog);
    }
    List<PhysicalTable> tables = found.tables(schema);
    if (tables.isEmpty() && schema.isPresent()) {
      requireSchema(statements, catalog, schema.get());
    }
    return tables;
  }

  private static ConfigurationError noCatalog(String catalog) {
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_USAGE,
        "the Trino server has no catalog '" + catalog + "'",
        "SHOW CATALOGS lists those that it has; the address names one as"
            + " jdbc:trino://HOST:PORT/CATALOG/SCHEMA.");
  }

  private static void requireSchema(StatementRunner statements, String catalog, String schema)
      throws SQLException {
    boolean[] found = {false};
    statements.run(
        "SELECT 1 FROM information_schema.schemata WHERE schema_name = "
            + SqlConstants.text(schema),
        row -> found[0] = true);
    if (!found[0]) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "the catalog '" + catalog + "' of the Trino server has no schema '" + schema + "'",
          "SHOW SCHEMAS FROM " + catalog + " lists those that it has.");
    }
  }

  @Override
  public TargetDialect dialect() {
    return dialect;
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of("SET TIME ZONE 'UTC'");
  }

  @Override
  public boolean isTimeout(SQLException e) {
    return Connector.super.isTimeout(e) || LIMITS.contains(e.getErrorCode());
  }

  /**
   * The server could not be reached, knows nothing of the statement after it was started again, or
   * says that a machine of its cluster is gone.
   */
  @Override
  public boolean isLost(SQLException e) {
    if (Connector.super.isLost(e) || AWAY.contains(e.getErrorCode())) {
      return true;
    }
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException || isUnanswered(cause)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isRedefined(SQLException e) {
    return REDEFINED.contains(e.getErrorCode());
  }

  /** Errors of statements come in answers; these are of the driver, which had none. */
  private static boolean isUnanswered(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.startsWith("Error fetching next ")
        || message.startsWith("Error starting query ");
  }

  /** The driver has no java.time for all of these, and counts years before 1 otherwise. */
  @Override
  public Object value(ResultSet row, int index, Type type) throws SQLException {
    return switch (type.kind()) {
      case DATE, TIME, TIMESTAMP, UUID -> {
        String text = row.getString(index);
        yield text == null ? null : parsed(text, type);
      }
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          DOUBLE,
          VARCHAR,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          OPAQUE,
          NULL ->
          Connector.super.value(row, index, type);
    };
  }

  private static Object parsed(String text, Type type) {
    return switch (type.kind()) {
      case DATE -> LocalDate.parse(text);
      case TIME -> LocalTime.parse(text);
      case TIMESTAMP -> LocalDateTime.parse(text.replace(' ', 'T'));
      default -> UUID.fromString(text);
    };
  }

  @Override
  public boolean groupsTogether() {
    return true;
  }

  @Override
  public String read(PhysicalColumn column, Type declared) {
    String name = quote(column.name());
    Type type = column.type();
    if (type.kind() == Type.Kind.OPAQUE) {
      return declared.kind() == Type.Kind.VARCHAR
          ? "TRY_CAST(" + name + " AS VARCHAR)"
          : dialect.cast(name, type, declared);
    }
    String stored = stored(name, column.typeName(), type);
    return dialect.cast(
        column.total() ? stored : dialect.canonicalizeOf(stored, type), type, declared);
  }

  /** Its words for other types' values, which a policy's types have not. */
  @Override
  public Optional<String> readAs(PhysicalColumn column) {
    String typeName = column.typeName();
    if (typeName.equals("real")) {
      return Optional.of("is compared as the double that it is");
    }
    if (typeName.startsWith("char(")) {
      return Optional.of("is read without the blanks that fill it");
    }
    return typeName.endsWith("with time zone") ? Optional.of("is read in UTC") : Optional.empty();
  }

  @Override
  public boolean isStoredAs(PhysicalColumn column, Type declared) {
    return switch (declared.kind()) {
      case DOUBLE -> column.typeName().equals("double");
      case DATE -> column.typeName().equals("date");
      case TIMESTAMP -> column.typeName().equals("timestamp(6)");
      default -> false;
    };
  }

  /** A value in the type that a policy has for it. */
  private String stored(String name, String typeName, Type type) {
    String wanted = dialect.typeName(type);
    return switch (type.kind()) {
      // By CHAR's equality.
      case VARCHAR ->
          typeName.startsWith("char(")
              ? "trim(TRAILING ' ' FROM CAST(" + name + " AS VARCHAR))"
              : name;
      case TIMESTAMP ->
          typeName.endsWith("with time zone")
              ? "TRY_CAST(" + name + " AT TIME ZONE 'UTC' AS " + wanted + ")"
              : typeName.equals("timestamp(6)") ? name : "TRY_CAST(" + name + " AS " + wanted + ")";
      case TIME -> typeName.equals("time(6)") ? name : "TRY_CAST(" + name + " AS " + wanted + ")";
      case SMALLINT, DOUBLE ->
          typeName.equals("tinyint") || typeName.equals("real")
              ? "CAST(" + name + " AS " + wanted + ")"
              : name;
      case BOOLEAN,
          INTEGER,
          BIGINT,
          DECIMAL,
          DATE,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          name;
    };
  }

  @Override
  public String isFinite(String sql, Type type) {
    return type.kind() == Type.Kind.DOUBLE ? "is_finite(" + sql + ")" : "TRUE";
  }

  @Override
  public List<PhysicalTable> tables(Connection connection, Policy policy) throws SQLException {
    List<PhysicalTable> all = new ArrayList<>(tables(connection));
    all.addAll(new TrinoCatalogs(connection).others(policy));
    return all;
  }

  /**
   * Names of tables have no case. Catalogs are left out: a table that is reached through another
   * one goes on with the account that it has.
   */
  @Override
  public List<TableIdentity> identities(Connection connection, List<PhysicalTable> tables) {
    return tables.stream().map(TableIdentity::folded).toList();
  }

  /** Trino's transactions hold no state of most catalogs, and end when a result is left unread. */
  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
  }

  @Override
  public void endSnapshot(Connection connection) {
    // There was none: the owner declares the tables static.
  }

  @Override
  public Optional<TableDefinitions> definitions() {
    return Optional.of(new TrinoDefinitions());
  }

  @Override
  public String snapshot(Connection connection) {
    return "";
  }

  /** NaN and infinities, days outside of the years 1 to 9999 and finer times may be NULL. */
  static boolean isTotal(String typeName) {
    return !typeName.matches("double|real|date|timestamp.*|time\\(([7-9]|1[0-2])\\).*");
  }

  /** The type a policy gives to a column of a type of Trino's. */
  static Type type(String typeName) {
    Matcher decimal = DECIMAL.matcher(typeName);
    if (decimal.matches()) {
      return Type.decimal(Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
    }
    return switch (typeName.replaceFirst("\\(\\d+\\)", "")) {
      case "boolean" -> Type.BOOLEAN;
      case "tinyint", "smallint" -> Type.SMALLINT;
      case "integer" -> Type.INTEGER;
      case "bigint" -> Type.BIGINT;
      case "real", "double" -> Type.DOUBLE;
      case "varchar", "char" -> Type.VARCHAR;
      case "date" -> Type.DATE;
      case "time" -> Type.TIME;
      case "timestamp", "timestamp with time zone" -> Type.TIMESTAMP;
      case "uuid" -> Type.UUID;
      default -> Type.OPAQUE;
    };
  }
}
