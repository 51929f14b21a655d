package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.policy.Type;
import java.util.Optional;

/**
 * The one form of values in PostgreSQL (guarantee §12): NaN, also that of NUMERIC, infinities, days
 * outside of the years 1 to 9999 and 24:00 are NULL. −0.0 stays, since it equals 0.0 for every
 * operator, hash and order, and only text tells them apart; so the conversion to text takes the
 * sign away.
 */
final class PostgreSqlCanonicalForm {
  static final String REAL =
      " BETWEEN '-1.7976931348623157e308'::pg_catalog.float8 AND"
          + " '1.7976931348623157e308'::pg_catalog.float8";
  static final String DAYS = " BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'";
  static final String TIMES =
      " BETWEEN TIMESTAMP '0001-01-01 00:00:00' AND TIMESTAMP '9999-12-31 23:59:59.999999'";
  static final String ZONED =
      " BETWEEN TIMESTAMPTZ '0001-01-01 00:00:00+00'"
          + " AND TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'";

  private PostgreSqlCanonicalForm() {}

  /** NULL where a value of the type has no form. */
  static String of(String sql, Type type) {
    return switch (type.kind()) {
      case DECIMAL -> "NULLIF(" + sql + ", 'NaN'::pg_catalog.numeric)";
      case DOUBLE, DATE, TIMESTAMP, TIME ->
          once(sql, v -> "CASE WHEN " + condition(v, type).orElseThrow() + " THEN " + v + " END");
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
          sql;
    };
  }

  /**
   * The condition that a value has a canonical form; empty for types of which every value has one.
   */
  static Optional<String> condition(String sql, Type type) {
    return switch (type.kind()) {
      case DOUBLE -> Optional.of(sql + REAL);
      case DECIMAL -> Optional.of(sql + " < 'NaN'::pg_catalog.numeric");
      case DATE -> Optional.of(sql + DAYS);
      case TIMESTAMP -> Optional.of(sql + TIMES);
      case TIME -> Optional.of(sql + " < TIME '24:00:00'");
      default -> Optional.empty();
    };
  }

  /**
   * The condition that a value is none of those without a canonical form above all others, or
   * below.
   */
  static Optional<String> edge(String sql, Type type, boolean above) {
    return switch (type.kind()) {
      case DOUBLE ->
          Optional.of(
              sql
                  + (above
                      ? " < 'Infinity'::pg_catalog.float8"
                      : " > '-Infinity'::pg_catalog.float8"));
      case DECIMAL -> above ? Optional.of(sql + " < 'NaN'::pg_catalog.numeric") : Optional.empty();
      case DATE -> Optional.of(sql + (above ? " <= DATE '9999-12-31'" : " >= DATE '0001-01-01'"));
      case TIMESTAMP ->
          Optional.of(
              sql
                  + (above
                      ? " <= TIMESTAMP '9999-12-31 23:59:59.999999'"
                      : " >= TIMESTAMP '0001-01-01 00:00:00'"));
      default -> Optional.empty();
    };
  }

  /** Without a sign at zero. */
  static String unsignedZero(String sql) {
    return "(" + sql + " + '0'::pg_catalog.float8)";
  }
}
