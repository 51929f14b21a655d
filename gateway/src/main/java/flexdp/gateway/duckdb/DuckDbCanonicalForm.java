package flexdp.gateway.duckdb;

import flexdp.policy.Type;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The one form of values in DuckDB (guarantee §12): NaN, infinities, days outside of the years 1 to
 * 9999 and 24:00 are NULL. −0.0 stays, since it equals 0.0 for every operator, hash and order, and
 * only text tells them apart; so the conversion to text takes the sign away.
 *
 * <p>A comparison within CASE also takes DuckDB's statistics away: it computes functions of a
 * column's least and greatest value while a statement is prepared, where no TRY catches anything.
 */
final class DuckDbCanonicalForm {
  /** A longer text is not repeated: nested ones would double with every level. */
  private static final int SHORT = 160;

  private static final String FIRST_REAL = "CAST('-1.7976931348623157e308' AS DOUBLE)";
  private static final String LAST_REAL = "CAST('1.7976931348623157e308' AS DOUBLE)";
  private static final String REAL = " BETWEEN " + FIRST_REAL + " AND " + LAST_REAL;

  private DuckDbCanonicalForm() {}

  /** NULL where a value of the type has no form. */
  static String of(String sql, Type type) {
    return switch (type.kind()) {
      case DOUBLE, DATE, TIMESTAMP, TIME ->
          once(sql, v -> "CASE WHEN " + condition(v, type).orElseThrow() + " THEN " + v + " END");
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          VARCHAR,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          sql;
    };
  }

  /**
   * The condition that a value has a canonical form; empty for types of which every value has one.
   */
  static Optional<String> condition(String sql, Type type) {
    return switch (type.kind()) {
      case DOUBLE -> Optional.of(sql + REAL);
      case DATE, TIMESTAMP -> Optional.of(sql + calendar(type.kind().name()));
      case TIME -> Optional.of(sql + " < TIME '24:00:00'");
      default -> Optional.empty();
    };
  }

  /** The condition, after a value of one of DuckDB's calendar types, that it has a form. */
  static String calendar(String typeName) {
    boolean zoned = typeName.endsWith("WITH TIME ZONE");
    String first = typeName.equals("DATE") ? "0001-01-01" : "0001-01-01 00:00:00";
    String last =
        switch (typeName) {
          case "DATE" -> "9999-12-31";
          case "TIMESTAMP_S" -> "9999-12-31 23:59:59";
          case "TIMESTAMP_MS" -> "9999-12-31 23:59:59.999";
          default -> "9999-12-31 23:59:59.999999";
        };
    String zone = zoned ? "+00" : "";
    return (" BETWEEN CAST('" + first + zone + "' AS " + typeName + ")")
        + (" AND CAST('" + last + zone + "' AS " + typeName + ")");
  }

  /** The condition that a float, a day or a time is not after the last, or not before the first. */
  static Optional<String> edge(String sql, Type type, boolean above) {
    if (type.kind() == Type.Kind.DOUBLE) {
      return Optional.of(sql + (above ? " <= " + LAST_REAL : " >= " + FIRST_REAL));
    }
    if (!type.isDateTime()) {
      return Optional.empty();
    }
    String name = type.kind().name();
    String last = type.kind() == Type.Kind.DATE ? "9999-12-31" : "9999-12-31 23:59:59.999999";
    String end = above ? " <= " + name + " '" + last : " >= " + name + " '0001-01-01";
    return Optional.of(sql + end + "'");
  }

  /** Without a sign at zero. */
  static String unsignedZero(String sql) {
    return "(" + sql + " + CAST(0 AS DOUBLE))";
  }

  /** A value that is used several times, computed once. */
  private static String once(String sql, UnaryOperator<String> body) {
    return sql.length() <= SHORT
        ? body.apply(sql)
        : "list_transform([" + sql + "], lambda v: " + body.apply("v") + ")[1]";
  }
}
