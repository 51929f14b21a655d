package flexdp.gateway.sqlite;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.Connector.BackingStore;
import flexdp.gateway.catalog.DatabaseFile;
import flexdp.gateway.catalog.DatabaseFile.FileState;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.render.TargetDialect;
import flexdp.gateway.sqlite.SqliteTables.SqliteDefinitions;
import flexdp.policy.Type;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQLite. A column holds values of any storage class whatever its type says, so a column is read as
 * its declared type where the value is one, and as NULL elsewhere.
 */
public final class SqliteConnector implements Connector {
  private static final Pattern DECIMAL =
      Pattern.compile("(?:DECIMAL|NUMERIC) *\\( *(\\d+) *(?:, *(\\d+) *)?\\)");

  private final Sqlite dialect = new Sqlite();

  @Override
  public String word() {
    return "sqlite";
  }

  @Override
  public String title() {
    return "SQLite";
  }

  @Override
  public Connection connect(String url, Properties credentials, boolean streaming)
      throws SQLException {
    DatabaseFile.require(url.substring("jdbc:sqlite:".length()));
    credentials.setProperty("open_mode", "1");
    Connection connection = DriverManager.getConnection(url, credentials);
    // The file itself is looked at only when something is read.
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA schema_version");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public TargetDialect dialect() {
    return dialect;
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of("PRAGMA query_only = true", "PRAGMA trusted_schema = false");
  }

  @Override
  public boolean isServer() {
    return false;
  }

  @Override
  public void prepare(Connection connection, Duration timeout) throws SQLException {
    Connector.super.prepare(connection, timeout);
    SqliteExtras.register(connection);
  }

  @Override
  public Object value(ResultSet row, int index, Type type) throws SQLException {
    return SqliteValues.value(row, index, type);
  }

  @Override
  public BigDecimal number(ResultSet row, int index) throws SQLException {
    return SqliteValues.number(row, index);
  }

  @Override
  public boolean groupsTogether() {
    return false;
  }

  @Override
  public String read(PhysicalColumn column, Type declared) {
    String name = quote(column.name());
    return switch (declared.kind()) {
      case SMALLINT -> whole(name, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> whole(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> "CASE typeof(" + name + ") WHEN 'integer' THEN " + name + " END";
      case BOOLEAN -> whole(name, 0, 1);
      case DOUBLE -> real(name);
      case VARCHAR ->
          "CASE WHEN typeof("
              + name
              + ") = 'text' AND "
              + Sqlite.isText(name)
              + " THEN "
              + name
              + " END";
      case OPAQUE -> opaque(name);
      case DECIMAL -> decimal(name, declared);
      case DATE -> text(name, SqliteDates.dateOfText(name));
      case TIMESTAMP -> text(name, SqliteDates.timestampOfText(name));
      case TIME, UUID, INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
          throw ConfigurationError.of(
              ConfigurationError.Code.BAD_POLICY,
              "SQLite has no values of type "
                  + declared
                  + ", as '"
                  + column.name()
                  + "' is declared",
              "Declare it bigint, decimal, double, varchar, boolean, date, timestamp or opaque.");
    };
  }

  /** Text is looked at one by one only where a column is not known to hold nothing but UTF-8. */
  @Override
  public String read(PhysicalTable table, PhysicalColumn column, Type declared) {
    return declared.kind() == Type.Kind.VARCHAR
        ? Sqlite.text(table.name(), column.name(), quote(column.name()))
        : read(column, declared);
  }

  /** A text that is compared with constants alone may be any bytes. */
  @Override
  public Optional<String> stored(PhysicalColumn column, Type declared) {
    String name = quote(column.name());
    return declared.kind() == Type.Kind.VARCHAR ? Optional.of(text(name, name)) : Optional.empty();
  }

  @Override
  public boolean readsApart(PhysicalColumn column, Type declared) {
    return isApart(column, declared);
  }

  /**
   * Large whole numbers of a column without REAL affinity meet when they are read as doubles, as do
   * digits beyond those of a decimal and ways to write a moment.
   */
  static boolean isApart(PhysicalColumn column, Type declared) {
    return switch (declared.kind()) {
      case DOUBLE -> isReal(column.typeName());
      case DECIMAL, TIMESTAMP -> false;
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          VARCHAR,
          DATE,
          TIME,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          true;
    };
  }

  /** Neither infinite nor a text, which would be above all numbers; and zero has no sign. */
  private static String real(String name) {
    // The sign before the name takes the column's affinity away, which would turn numbers into
    // text.
    return "CASE WHEN +" + name + " > -9e999 AND +" + name + " < 9e999 THEN " + name + " + 0.0 END";
  }

  /**
   * One text for each value, since 1 and 1.0 are equal as they are stored, and written otherwise.
   */
  private static String opaque(String name) {
    return "CASE typeof("
        + name
        + ") WHEN 'integer' THEN 'i' || "
        + name
        + " WHEN 'real' THEN 'r' || quote("
        + name
        + " + 0.0) WHEN 'text' THEN 't' || hex("
        + name
        + ") WHEN 'blob' THEN 'b' || hex("
        + name
        + ") END";
  }

  private static String text(String name, String value) {
    return "CASE typeof(" + name + ") WHEN 'text' THEN " + value + " END";
  }

  /** Decimals are stored as whole numbers or floats; they are read as numbers of the last digit. */
  private static String decimal(String name, Type type) {
    if (type.scale() > 15) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "SQLite holds at most 15 digits after the point exactly",
          "Declare fewer, or double.");
    }
    String most = BigInteger.TEN.pow(Math.min(type.precision(), 18)).toString();
    String steps = "round(" + name + " * 1e" + type.scale() + ")";
    return "CASE WHEN typeof("
        + name
        + ") IN ('integer', 'real') AND abs("
        + steps
        + ") < "
        + most
        + " THEN CASE typeof("
        + name
        + ") WHEN 'integer' THEN "
        + name
        + " * "
        + BigInteger.TEN.pow(type.scale())
        + " ELSE CAST("
        + steps
        + " AS INTEGER) END END";
  }

  private static String whole(String name, long low, long high) {
    return "CASE WHEN typeof("
        + name
        + ") = 'integer' AND "
        + name
        + " BETWEEN "
        + low
        + " AND "
        + high
        + " THEN "
        + name
        + " END";
  }

  @Override
  public String isFinite(String sql, Type type) {
    return "(" + sql + ") > -9e999 AND (" + sql + ") < 9e999";
  }

  @Override
  public List<PhysicalTable> tables(Connection connection) throws SQLException {
    SqliteTables tables = new SqliteTables(StatementRunner.over(connection));
    if (!connection.getAutoCommit()) {
      return tables.read();
    }
    connection.setAutoCommit(false); // others may redefine tables while they are described
    try {
      return tables.read();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /** Names of tables have no case. */
  @Override
  public List<TableIdentity> identities(Connection connection, List<PhysicalTable> tables) {
    return tables.stream().map(TableIdentity::folded).toList();
  }

  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    SqliteExtras.require(connection);
    connection.setAutoCommit(false);
  }

  @Override
  public boolean readsOneState() {
    return true;
  }

  /**
   * A file in whose place another was put is read no more: some connections would read the old and
   * some the new one. What is written to it is seen by its transactions.
   */
  @Override
  public BackingStore ground(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA database_list")) {
      while (row.next()) {
        String file = row.getString("file");
        if (row.getString("name").equals("main") && file != null && !file.isEmpty()) {
          return new SqliteFile(Path.of(file), SqliteFile.key(Path.of(file)));
        }
      }
      return BackingStore.FIRM; // in memory
    }
  }

  /** The file that was opened. */
  private record SqliteFile(Path path, Optional<Object> key) implements BackingStore {
    static Optional<Object> key(Path path) {
      try {
        return FileState.of(path).map(FileState::key);
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    @Override
    public boolean stands() {
      return key.isPresent() && key.equals(key(path));
    }
  }

  @Override
  public Optional<TableDefinitions> definitions() {
    return Optional.of(new SqliteDefinitions());
  }

  @Override
  public String snapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT COUNT(*) FROM main.sqlite_schema"); // the first read pins the state
    }
    return "";
  }

  /** By the rules of affinity, as far as policies have such types. */
  static Type type(String typeName) {
    String name = typeName.toUpperCase(Locale.ROOT);
    if (name.contains("INT")) {
      return Type.BIGINT;
    }
    if (name.contains("CHAR") || name.contains("CLOB") || name.contains("TEXT")) {
      return Type.VARCHAR;
    }
    if (name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB")) {
      return Type.DOUBLE;
    }
    Matcher decimal = DECIMAL.matcher(name);
    if (decimal.matches()) {
      int scale = decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2));
      int precision = Math.min(18, Integer.parseInt(decimal.group(1)));
      return scale <= 15 && scale <= precision && precision > 0
          ? Type.decimal(precision, scale)
          : Type.DOUBLE;
    }
    if (name.startsWith("DECIMAL") || name.startsWith("NUMERIC")) {
      return Type.DOUBLE;
    }
    return switch (name) {
      case "DATE" -> Type.DATE;
      case "DATETIME", "TIMESTAMP" -> Type.TIMESTAMP;
      default -> name.startsWith("BOOL") ? Type.BOOLEAN : Type.OPAQUE;
    };
  }

  /**
   * Whether a column has REAL affinity. SQLite looks for INT first ("FLOATING POINT" is an
   * integer's), then for texts, then for BLOB, which leaves values as they come.
   */
  private static boolean isReal(String typeName) {
    String name = typeName.toUpperCase(Locale.ROOT);
    boolean named = name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB");
    return named && type(typeName).kind() == Type.Kind.DOUBLE && !name.contains("BLOB");
  }

  /**
   * How the numbers and texts that stand for values on SQLite are read back. A value there has the
   * class that it happens to have, whatever its column says, so each is looked at: what is not of
   * its column's kind is not taken for something that it is not.
   */
  private static final class SqliteValues {
    private static final char REPLACEMENT = '\uFFFD';

    private SqliteValues() {}

    static Object value(ResultSet row, int index, Type type) throws SQLException {
      Object found = row.getObject(index);
      if (found == null) {
        return null;
      }
      return switch (type.kind()) {
        case DOUBLE -> real(found);
        case BOOLEAN -> whole(found) != 0;
        case SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(whole(found));
        case DECIMAL -> BigDecimal.valueOf(whole(found), type.scale());
        case DATE -> LocalDate.ofEpochDay(whole(found));
        case TIME -> LocalTime.ofNanoOfDay(Math.multiplyExact(whole(found), 1000L));
        case TIMESTAMP -> moment(whole(found));
        case VARCHAR, OPAQUE, NULL -> text(row, index, found);
        case UUID -> UUID.fromString(text(row, index, found));
        case INTERVAL_MONTHS, INTERVAL_MICROS ->
            throw new SQLException("an interval cannot be read");
      };
    }

    /** A count, or a sum in two halves; null for NULL. */
    static BigDecimal number(ResultSet row, int index) throws SQLException {
      return switch (row.getObject(index)) {
        case null -> null;
        case String halves when halves.indexOf(':') >= 0 -> {
          int colon = halves.indexOf(':');
          yield new BigDecimal(
              new BigInteger(halves.substring(0, colon))
                  .shiftLeft(32)
                  .add(new BigInteger(halves.substring(colon + 1))));
        }
        case Double real -> new BigDecimal(real);
        case Object other -> new BigDecimal(other.toString());
      };
    }

    private static double real(Object found) throws SQLException {
      if (found instanceof Number number) {
        return number.doubleValue();
      }
      throw new SQLException("not a number");
    }

    private static long whole(Object found) throws SQLException {
      return switch (found) {
        case Integer number -> number;
        case Long number -> number;
        case Double number -> new BigDecimal(number).longValueExact();
        default -> throw new SQLException("not a whole number");
      };
    }

    /**
     * Bytes that are no UTF-8 come out with a character in their place that other texts have too.
     */
    private static String text(ResultSet row, int index, Object found) throws SQLException {
      if (found instanceof byte[]) {
        throw new SQLException("not a text");
      }
      String text = found.toString();
      if (text.indexOf(REPLACEMENT) < 0) {
        return text;
      }
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(row.getBytes(index)))
            .toString();
      } catch (CharacterCodingException e) {
        throw new SQLException("not a text", e);
      }
    }

    private static LocalDateTime moment(long micros) {
      return LocalDateTime.ofEpochSecond(
          Math.floorDiv(micros, 1_000_000L),
          (int) Math.floorMod(micros, 1_000_000L) * 1000,
          ZoneOffset.UTC);
    }
  }
}
