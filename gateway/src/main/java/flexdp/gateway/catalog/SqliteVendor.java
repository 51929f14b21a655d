package flexdp.gateway.catalog;

import flexdp.ConfigurationError;
import flexdp.DatabaseError;
import flexdp.gateway.sql.Dialect;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * SQLite. A column holds values of any storage class whatever its type says, so a column is read as
 * its declared type where the value is one, and as NULL elsewhere.
 */
public final class SqliteVendor implements Vendor {
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
    Databases.requireFile(url.substring("jdbc:sqlite:".length()));
    credentials.setProperty("open_mode", "1");
    return DriverManager.getConnection(url, credentials);
  }

  @Override
  public Dialect dialect() {
    throw DatabaseError.of("SQLite cannot be asked yet.", "Use DuckDB or PostgreSQL.");
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of("PRAGMA query_only = true", "PRAGMA trusted_schema = false");
  }

  @Override
  public String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public boolean hasGroupingSets() {
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
      case DOUBLE ->
          "CASE WHEN typeof("
              + name
              + ") IN ('integer', 'real') THEN CAST("
              + name
              + " AS REAL) END";
      case VARCHAR -> "CASE typeof(" + name + ") WHEN 'text' THEN " + name + " END";
      case OPAQUE -> name;
      case DECIMAL, DATE, TIME, TIMESTAMP, UUID, INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
          throw ConfigurationError.of(
              ConfigurationError.Code.BAD_POLICY,
              "SQLite has no values of type "
                  + declared
                  + ", as '"
                  + column.name()
                  + "' is declared",
              "Declare it bigint, double, varchar, boolean or opaque.");
    };
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
    return new SqliteTables(connection).read();
  }

  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
  }

  @Override
  public boolean readsOneState() {
    return true;
  }

  @Override
  public String snapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT COUNT(*) FROM sqlite_schema"); // the first read pins the state
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
    if (name.startsWith("DECIMAL") || name.startsWith("NUMERIC")) {
      return Type.DOUBLE;
    }
    return name.startsWith("BOOL") ? Type.BOOLEAN : Type.OPAQUE;
  }

  static boolean isReal(String typeName) {
    String name = typeName.toUpperCase(Locale.ROOT);
    return name.contains("REAL") || name.contains("FLOA") || name.contains("DOUB");
  }
}
