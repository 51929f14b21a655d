package flexdp.server.pgcatalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.gateway.database.MemoryGuard;
import flexdp.server.session.ServerFacts.Found;
import flexdp.server.session.SqlError;
import flexdp.server.session.WireColumn;
import flexdp.server.sql.Token;
import flexdp.server.types.PgType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The catalogue as one user has it: a database of their own over a file that only can be read, cut
 * off from other files, extensions and databases, its settings locked, memory, time and rows
 * limited.
 */
final class UserCatalog implements AutoCloseable {
  /** Of a clock: a machine that is busy otherwise is no fault of the statement. */
  static final int SECONDS = 60;

  private static final int MOST_ROWS = 200_000;
  static final long MOST_BYTES = 32L << 20;
  private static final int LOGGED = 2_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Pattern NO_COLUMN =
      Pattern.compile(
          "(?:Referenced column|does not have a column named) \"([^\"]+)\"(?: not found)?");

  private static final List<String> LOCKS =
      List.of(
          "SET temp_directory = ''",
          "SET autoinstall_known_extensions = false",
          "SET autoload_known_extensions = false",
          "SET enable_external_access = false",
          "SET lock_configuration = true");

  /** What there is in the file that was opened last: it is the same for every user. */
  private record Seen(String file, StatementAllowList.Known known) {}

  private static volatile Seen seen =
      new Seen("", new StatementAllowList.Known(Set.of(), Set.of()));

  private final String file;
  private final String user;
  private final Connection connection;
  private final StatementAllowList.Known known;
  private Map<Long, String> functions = Map.of();
  private Optional<Statement> running = Optional.empty();

  private UserCatalog(
      String file, String user, Connection connection, StatementAllowList.Known known) {
    this.file = file;
    this.user = user;
    this.connection = connection;
    this.known = known;
  }

  static UserCatalog of(String file, String user) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("access_mode", "read_only");
    properties.setProperty("memory_limit", "256MB");
    properties.setProperty("threads", "1");
    Connection made = DriverManager.getConnection("jdbc:duckdb:" + file, properties);
    try (Statement statement = made.createStatement()) {
      for (String lock : LOCKS) {
        statement.execute(lock);
      }
      statement.execute("USE memory.pgc");
      if (!seen.file().equals(file)) {
        seen = new Seen(file, known(statement));
      }
      return new UserCatalog(file, user, made, seen.known());
    }
  }

  private static StatementAllowList.Known known(Statement statement) throws SQLException {
    return new StatementAllowList.Known(
        names(
            statement,
            "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'pgc' UNION ALL"
                + " SELECT view_name FROM duckdb_views() WHERE schema_name = 'pgc'"),
        names(statement, "SELECT view_name FROM duckdb_views() WHERE internal"));
  }

  private static Set<String> names(Statement statement, String sql) throws SQLException {
    Set<String> names = new HashSet<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        names.add(rows.getString(1).toLowerCase(java.util.Locale.ROOT));
      }
    }
    return names;
  }

  boolean isFor(WorkerMessage.Request request) {
    return file.equals(request.file()) && user.equals(request.user());
  }

  /** Interrupts what runs. */
  void cancel() {
    synchronized (this) {
      running.ifPresent(
          statement -> {
            try {
              statement.cancel();
            } catch (SQLException e) {
              return; // it has ended by itself
            }
          });
    }
  }

  WorkerMessage.Answer answer(WorkerMessage.Request request) {
    ConnectionSettings settings = new ConnectionSettings(request.settings(), request.describe());
    String sql = "";
    try {
      sql = new StatementRewriter(request.tokens(), request.values(), settings).sql();
      requireAllowed(sql, request.tokens());
      SessionVariables.set(connection, request);
      try {
        Found found = request.describe() ? described(sql) : found(sql);
        return new WorkerMessage.Rows(
            named(request.tokens(), found), request.describe() ? List.of() : settings.set());
      } finally {
        SessionVariables.clear(connection, request.tables().keySet());
      }
    } catch (SqlError e) {
      return new WorkerMessage.Refused(e, "");
    } catch (SQLException e) {
      return new WorkerMessage.Refused(unanswered(e), shortened(e.getMessage() + ": " + sql));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      // The translation lost its way in something that is no SQL.
      return new WorkerMessage.Refused(
          SqlError.of("42601", "This is not SQL that the catalogue can read."), e.toString());
    } catch (StackOverflowError e) {
      return new WorkerMessage.Refused(
          SqlError.of("54001", "The statement is nested too deeply."), "");
    }
  }

  /** The owner's log does not grow by what analysts write. */
  private static String shortened(String text) {
    return text.length() > LOGGED ? text.substring(0, LOGGED) + "…" : text;
  }

  private void requireAllowed(String sql, List<Token> tokens) throws SQLException {
    try (PreparedStatement read =
        connection.prepareStatement(
            "SELECT system.main.json_serialize_sql(CAST(? AS VARCHAR), skip_null := true,"
                + " skip_empty := true, skip_default := true)")) {
      read.setString(1, sql);
      JsonNode tree;
      try (ResultSet row = read.executeQuery()) {
        row.next();
        tree = JSON.readTree(row.getString(1));
      }
      StatementAllowList.require(tree, known, tokens);
    } catch (JsonProcessingException e) {
      throw SqlError.of("54001", "The statement is nested too deeply.");
    }
  }

  private static Found named(List<Token> tokens, Found found) {
    List<String> names =
        CatalogSelects.names(tokens, found.columns().stream().map(WireColumn::name).toList());
    List<WireColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(found.columns().get(i).named(names.get(i)));
    }
    return new Found(columns, found.rows());
  }

  private Found described(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return new Found(DuckValues.columns(statement.getMetaData()), List.of());
    }
  }

  private Found found(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(SECONDS);
      synchronized (this) {
        running = Optional.of(statement);
      }
      try (ResultSet rows = statement.executeQuery(sql)) {
        return read(rows);
      } finally {
        synchronized (this) {
          running = Optional.empty();
        }
      }
    }
  }

  private Found read(ResultSet rows) throws SQLException {
    List<WireColumn> columns = DuckValues.columns(rows.getMetaData());
    List<Boolean> byName = new ArrayList<>();
    for (int i = 1; i <= columns.size(); i++) {
      byName.add(DuckValues.isFunction(rows.getMetaData(), i));
    }
    Map<Long, String> names = byName.contains(true) ? functions() : Map.of();
    List<List<Object>> all = new ArrayList<>();
    long bytes = 0;
    while (rows.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        row.add(DuckValues.value(rows, i + 1, byName.get(i), names));
      }
      all.add(row);
      bytes += MemoryGuard.of(row);
      if (all.size() > MOST_ROWS || bytes > MOST_BYTES) {
        throw SqlError.of("54000", "The catalogue's answer has too many rows.");
      }
    }
    return new Found(columns, all);
  }

  private Map<Long, String> functions() throws SQLException {
    if (functions.isEmpty()) {
      Map<Long, String> read = new HashMap<>(Map.of(0L, "-"));
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT oid, proname FROM pgc.pg_proc")) {
        while (rows.next()) {
          read.put(rows.getLong(1), rows.getString(2));
        }
      }
      functions = Map.copyOf(read);
    }
    return functions;
  }

  /** There are no data here, but the words are not ours and would confuse. */
  private static SqlError unanswered(SQLException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("INTERRUPT")) {
      return SqlError.of("57014", "The catalogue took too long.");
    }
    if (message.contains("Parser Error")) {
      return SqlError.of("42601", "This is not SQL that the catalogue can read.");
    }
    if (message.contains("does not exist") && message.contains("Function")) {
      return SqlError.of("42883", "A function of this statement does not exist.");
    }
    if (message.contains("does not exist") && message.contains("Table")) {
      return SqlError.of(
          "42P01",
          "A relation of this statement does not exist in the catalogue.",
          "A question names tables of the policy only; \\d lists them.");
    }
    Matcher column = NO_COLUMN.matcher(message);
    if (column.find()) {
      return SqlError.of(
          "42703", "The column '" + column.group(1) + "' does not exist in the catalogue.");
    }
    return SqlError.of("0A000", "The catalogue does not answer this.");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /**
   * DuckDB's types and values as PostgreSQL's. Types that PostgreSQL has and DuckDB has not are
   * told by types that nothing else uses: UINTEGER is an oid, UBIGINT a regproc, HUGEINT[] an
   * int2vector.
   */
  static final class DuckValues {
    private DuckValues() {}

    static List<WireColumn> columns(ResultSetMetaData data) throws SQLException {
      List<WireColumn> columns = new ArrayList<>();
      for (int i = 1; i <= data.getColumnCount(); i++) {
        String type = data.getColumnTypeName(i).toUpperCase(Locale.ROOT);
        boolean vector = type.equals("HUGEINT[]") || type.equals("UHUGEINT[]");
        boolean array = type.endsWith("[]") && !vector;
        String element = array ? type.substring(0, type.length() - 2) : type;
        columns.add(new WireColumn(data.getColumnLabel(i), type(element), array, -1));
      }
      return columns;
    }

    private static PgType type(String name) {
      if (name.startsWith("DECIMAL")) {
        return PgType.NUMERIC;
      }
      return switch (name) {
        case "BOOLEAN" -> PgType.BOOL;
        case "TINYINT", "UTINYINT", "SMALLINT" -> PgType.INT2;
        case "INTEGER", "USMALLINT" -> PgType.INT4;
        case "BIGINT" -> PgType.INT8;
        case "UINTEGER" -> PgType.OID;
        case "HUGEINT", "UHUGEINT" -> PgType.NUMERIC;
        case "HUGEINT[]" -> PgType.INT2VECTOR;
        case "UHUGEINT[]" -> PgType.OIDVECTOR;
        case "FLOAT" -> PgType.FLOAT4;
        case "DOUBLE" -> PgType.FLOAT8;
        case "DATE" -> PgType.DATE;
        case "TIME" -> PgType.TIME;
        case "TIMESTAMP" -> PgType.TIMESTAMP;
        case "TIMESTAMP WITH TIME ZONE" -> PgType.TIMESTAMPTZ;
        case "UUID" -> PgType.UUID;
        case "JSON" -> PgType.JSON;
        default -> PgType.TEXT;
      };
    }

    /**
     * @param functions names by number, for those that are shown by name
     */
    static Object value(ResultSet row, int i, boolean function, Map<Long, String> functions)
        throws SQLException {
      Object value = row.getObject(i);
      if (function && value instanceof Number number) {
        return functions.getOrDefault(number.longValue(), number.toString());
      }
      return plain(value);
    }

    static boolean isFunction(ResultSetMetaData data, int i) throws SQLException {
      return data.getColumnTypeName(i).equalsIgnoreCase("UBIGINT");
    }

    private static Object plain(Object value) throws SQLException {
      return switch (value) {
        case null -> null;
        case Boolean b -> b;
        case BigInteger n -> new BigDecimal(n);
        case Array array -> list(array);
        case Date d -> d.toLocalDate();
        case Time t -> t.toLocalTime();
        case Timestamp t -> t.toLocalDateTime();
        case OffsetDateTime t -> t.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
        case Number n -> n instanceof Double || n instanceof BigDecimal ? n : widened(n);
        case java.time.LocalDate d -> d;
        case java.time.LocalTime t -> t;
        case java.time.LocalDateTime t -> t;
        case java.util.UUID u -> u;
        default -> value.toString();
      };
    }

    private static Object widened(Number n) {
      return n instanceof Float f ? (Object) f.doubleValue() : (Object) n.longValue();
    }

    /** Vectors are written with blanks between their numbers. */
    private static Object list(Array array) throws SQLException {
      Object[] elements = (Object[]) array.getArray();
      if (Arrays.stream(elements).anyMatch(BigInteger.class::isInstance)
          || array.getBaseTypeName().contains("HUGEINT")) {
        return Arrays.stream(elements).map(String::valueOf).collect(Collectors.joining(" "));
      }
      List<Object> list = new ArrayList<>();
      for (Object element : elements) {
        list.add(plain(element));
      }
      return list;
    }
  }
}
