package flexdp.gateway.catalog;

import flexdp.gateway.sql.Dialect;
import flexdp.gateway.sql.PostgreSql;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL. */
public final class PostgresVendor implements Vendor {
  private static final Pattern NUMERIC = Pattern.compile("numeric\\((\\d+),(-?\\d+)\\)");
  private static final Type ANY_NUMERIC = Type.decimal(38, 10);

  /**
   * Stands after the name of a text type whose collation holds different texts equal. It is read by
   * its bytes: a group of such texts bears the name of any of them, so that one row could rename
   * it, and all its rows would leave a bin.
   */
  static final String COLLATED = " COLLATE";

  private final PostgreSql dialect = new PostgreSql();

  @Override
  public String word() {
    return "postgresql";
  }

  @Override
  public String title() {
    return "PostgreSQL";
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of(
        // Only the system's own operators and types are found without a schema.
        "SET SESSION search_path = pg_catalog, pg_temp",
        "SET SESSION default_transaction_read_only = on",
        "SET SESSION TimeZone = 'UTC'",
        "SET SESSION DateStyle = 'ISO, YMD'",
        "SET SESSION IntervalStyle = 'postgres'",
        "SET SESSION extra_float_digits = 1",
        "SET SESSION bytea_output = 'hex'",
        "SET SESSION standard_conforming_strings = on",
        "SET SESSION transform_null_equals = off",
        "SET SESSION row_security = off",
        "SET SESSION statement_timeout = " + timeout.toMillis(),
        "SET SESSION lock_timeout = " + timeout.toMillis());
  }

  /** Parallel plans are for statements that are run to their end. */
  @Override
  public boolean streamsAlone() {
    return true;
  }

  @Override
  public boolean isTimeout(SQLException e) {
    return Vendor.super.isTimeout(e) || "57014".equals(e.getSQLState()); // query_canceled
  }

  @Override
  public boolean hasGroupingSets() {
    return true;
  }

  @Override
  public String read(PhysicalColumn column, Type declared) {
    String name = quote(column.name());
    String physical = column.typeName();
    if (physical.endsWith(COLLATED)
        && (declared.kind() == Type.Kind.VARCHAR || declared.kind() == Type.Kind.OPAQUE)) {
      return "(CAST(" + name + " AS TEXT) COLLATE pg_catalog.\"C\")";
    }
    return switch (declared.kind()) {
      // The output of any type is text; json and others have no equality of their own.
      case OPAQUE -> "CAST(" + name + " AS TEXT)";
      case VARCHAR -> isText(physical) ? name : "CAST(" + name + " AS TEXT)";
      case TIMESTAMP ->
          physical.endsWith("with time zone")
              ? "(" + name + " AT TIME ZONE 'UTC')" // a cast would follow the session's zone
              : convert(column, declared);
      case DOUBLE ->
          physical.equals("real")
              ? "CAST(" + name + " AS DOUBLE PRECISION)"
              : convert(column, declared);
      case DECIMAL ->
          physical.equals("numeric(" + declared.precision() + "," + declared.scale() + ")")
              ? name
              : dialect.cast(name, wider(column.type()), declared);
      default -> convert(column, declared);
    };
  }

  private String convert(PhysicalColumn column, Type declared) {
    return dialect.cast(quote(column.name()), column.type(), declared);
  }

  /** Never the declared type itself, since a NUMERIC without digits holds more than it says. */
  private static Type wider(Type type) {
    return type.kind() == Type.Kind.DECIMAL ? Type.decimal(38, 38) : type;
  }

  static boolean isText(String typeName) {
    return typeName.equals("text") || typeName.startsWith("character varying");
  }

  @Override
  public String isFinite(String sql, Type type) {
    return type.kind() == Type.Kind.DOUBLE
        ? "(" + sql + " > '-Infinity'::float8 AND " + sql + " < 'Infinity'::float8)"
        : "pg_catalog.isfinite(" + sql + ")";
  }

  @Override
  public List<PhysicalTable> tables(Connection connection) throws SQLException {
    return new PostgresTables(Statements.over(connection)).read();
  }

  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      connection.setReadOnly(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
    }
  }

  @Override
  public boolean readsOneState() {
    return true;
  }

  @Override
  public Optional<ChangeLog> changeLog() {
    return Optional.of(new PostgresChangeLog(this));
  }

  @Override
  public Optional<Definitions> definitions() {
    return Optional.of(new PostgresDefinitions(this));
  }

  @Override
  public String snapshot(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_catalog.pg_current_snapshot()::text")) {
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
    String plain = typeName.replaceFirst("\\(\\d+\\)", "");
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
}
