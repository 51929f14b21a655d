package flexdp.gateway.postgresql;

import static flexdp.gateway.postgresql.PostgreSql.once;

import flexdp.gateway.render.Sql;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Conversions that give NULL where PostgreSQL would raise. Digits are spelt out in patterns: under
 * some collations a class of digits holds those of other scripts, which no number is made of.
 */
final class PostgreSqlCasts {
  private static final String DATE_TEXT = "'^ *[0-9]{4}-[0-9]{2}-[0-9]{2} *$'";
  private static final String TIME_TEXT =
      "'^ *[0-9]{4}-[0-9]{2}-[0-9]{2}["
          + " T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)? *$'";

  private PostgreSqlCasts() {}

  static String cast(PostgreSql dialect, String sql, Type from, Type to) {
    if (from.equals(to)) {
      return sql;
    }
    String plain = "CAST(" + sql + " AS " + dialect.typeName(to) + ")";
    return switch (to.kind()) {
      case SMALLINT, INTEGER, BIGINT -> toInteger(dialect, sql, from, to);
      case DECIMAL -> toDecimal(dialect, sql, from, to);
      case DOUBLE -> toDouble(dialect, sql, from);
      case VARCHAR, OPAQUE ->
          from.kind() == Type.Kind.DECIMAL
              ? "CAST(" + rounded(sql, from.scale()) + " AS pg_catalog.text)"
              : from.kind() == Type.Kind.DOUBLE
                  ? "CAST(" + PostgreSqlCanonicalForm.unsignedZero(sql) + " AS pg_catalog.text)"
                  : plain;
      case BOOLEAN -> toBoolean(sql, from);
      case DATE -> toDate(sql, from);
      case TIMESTAMP -> toTimestamp(sql, from);
      case UUID ->
          from.kind() == Type.Kind.VARCHAR
              ? checked(
                  sql,
                  "{v} ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'",
                  "pg_catalog.uuid")
              : nothing(dialect, to);
      case TIME ->
          from.kind() == Type.Kind.TIMESTAMP
              ? checked(sql, "pg_catalog.isfinite({v})", "TIME")
              : from.kind() == Type.Kind.VARCHAR
                  ? checked(
                      sql,
                      "{v} ~ '^ *([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)? *$'",
                      "TIME")
                  : nothing(dialect, to);
      case INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
          from.kind() == Type.Kind.NULL ? plain : nothing(dialect, to);
    };
  }

  /** Converted where a condition on {@code v} holds. */
  private static String checked(String sql, String condition, String type) {
    String template = "CASE WHEN " + condition + " THEN CAST({v} AS {type}) END";
    return once(sql, v -> Sql.filled(template, name -> name.equals("v") ? v : type));
  }

  /** A number that text of this form, or a float in this range, becomes. */
  private static String read(String sql, String condition, String number, String converted) {
    return once(
        sql,
        v ->
            Sql.of(
                "CASE WHEN {v} {condition} THEN (SELECT {converted} FROM (SELECT {number} AS n) AS"
                    + " number) END",
                v,
                condition,
                converted,
                Sql.of(number, v)));
  }

  private static String rounded(String sql, int scale) {
    return "pg_catalog.round(CAST(" + sql + " AS NUMERIC), " + scale + ")";
  }

  /** A conversion that no value survives. */
  private static String nothing(PostgreSql dialect, Type to) {
    return "CAST(NULL AS " + dialect.typeName(to) + ")";
  }

  private static String toInteger(PostgreSql dialect, String sql, Type from, Type to) {
    String name = dialect.typeName(to);
    int bits = to.kind() == Type.Kind.SMALLINT ? 15 : to.kind() == Type.Kind.INTEGER ? 31 : 63;
    BigInteger high = BigInteger.TWO.pow(bits).subtract(BigInteger.ONE);
    BigInteger low = BigInteger.TWO.pow(bits).negate();
    return switch (from.kind()) {
      case NULL -> nothing(dialect, to);
      case BOOLEAN ->
          once(
              sql,
              v ->
                  "CAST(CASE WHEN " + v + " THEN 1 WHEN NOT " + v + " THEN 0 END AS " + name + ")");
      case SMALLINT, INTEGER, BIGINT ->
          // Exact arithmetic runs in NUMERIC, so even a narrower type is checked.
          once(sql, v -> within(v, low.toString(), high.toString(), name));
      case DECIMAL -> once(sql, v -> within(v, low + ".4", high + ".4", name));
      case DOUBLE ->
          once(
              "pg_catalog.round(" + sql + ")",
              v ->
                  bits == 63
                      ? within(
                          v,
                          "'-9223372036854774784'::pg_catalog.float8",
                          "'9223372036854774784'::pg_catalog.float8",
                          name)
                      : within(v, low.toString(), high.toString(), name));
      case VARCHAR ->
          read(
              sql,
              "~ '^ *[+-]?([0-9]{1,30}(\\.[0-9]{0,30})?|\\.[0-9]{1,30}) *$'",
              "CAST({v} AS NUMERIC)",
              within("n", low + ".4", high + ".4", name));
      default -> nothing(dialect, to);
    };
  }

  private static String within(String v, String low, String high, String type) {
    return Sql.of(
        "CASE WHEN {v} BETWEEN {low} AND {high} THEN CAST({v} AS {type}) END", v, low, high, type);
  }

  /** Rounded to the digits of its type even if it claims to have them already. */
  static String toDecimal(PostgreSql dialect, String sql, Type from, Type to) {
    String name = dialect.typeName(to);
    BigDecimal limit = BigDecimal.TEN.pow(to.precision() - to.scale());
    return switch (from.kind()) {
      case NULL -> nothing(dialect, to);
      case BOOLEAN ->
          toDecimal(dialect, toInteger(dialect, sql, from, Type.INTEGER), Type.INTEGER, to);
      case SMALLINT, INTEGER, BIGINT, DECIMAL ->
          once(rounded(sql, to.scale()), v -> inside(v, limit, name));
      case DOUBLE ->
          read(
              sql,
              "BETWEEN '-1e300'::pg_catalog.float8 AND '1e300'::pg_catalog.float8",
              rounded("{v}", to.scale()),
              inside("n", limit, name));
      case VARCHAR ->
          read(
              sql,
              "~ '^ *[+-]?([0-9]{1,38}(\\.[0-9]{0,38})?|\\.[0-9]{1,38}) *$'",
              rounded("{v}", to.scale()),
              inside("n", limit, name));
      default -> nothing(dialect, to);
    };
  }

  private static String inside(String v, BigDecimal limit, String type) {
    return Sql.of(
        "CASE WHEN {v} > -{most} AND {v} < {most} THEN CAST({v} AS {type}) END",
        v,
        limit.toPlainString(),
        type);
  }

  private static String toDouble(PostgreSql dialect, String sql, Type from) {
    return switch (from.kind()) {
      case NULL -> nothing(dialect, Type.DOUBLE);
      case BOOLEAN ->
          "CAST(" + toInteger(dialect, sql, from, Type.INTEGER) + " AS DOUBLE PRECISION)";
      case SMALLINT, INTEGER, BIGINT -> "CAST(" + sql + " AS DOUBLE PRECISION)";
      case DECIMAL ->
          // Rounded, since a number too small for a double would raise as one too large does.
          once(
              sql,
              v ->
                  Sql.of(
                      "CASE WHEN {v} > -1e300 AND {v} < 1e300 THEN CAST(pg_catalog.round({v}, 60)"
                          + " AS DOUBLE PRECISION) END",
                      v));
      case VARCHAR ->
          checked(
              sql,
              "{v} ~ '^ *[+-]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})"
                  + "([eE][+-]?[0-9]{1,2})? *$'",
              "DOUBLE PRECISION");
      default -> nothing(dialect, Type.DOUBLE);
    };
  }

  private static String toBoolean(String sql, Type from) {
    if (from.isNumeric()) {
      return "(" + sql + " <> 0)";
    }
    if (from.kind() == Type.Kind.VARCHAR) {
      return "(CASE pg_catalog.lower(pg_catalog.btrim("
          + sql
          + ")) WHEN 'true' THEN TRUE WHEN 't' THEN TRUE WHEN '1' THEN TRUE WHEN 'false' THEN FALSE"
          + " WHEN 'f' THEN FALSE WHEN '0' THEN FALSE END)";
    }
    return "CAST(NULL AS BOOLEAN)";
  }

  private static String toDate(String sql, Type from) {
    return switch (from.kind()) {
      case TIMESTAMP -> checked(sql, "pg_catalog.isfinite({v})", "pg_catalog.date");
      case VARCHAR -> checked(sql, calendar("{v}", DATE_TEXT), "pg_catalog.date");
      default -> "CAST(NULL AS pg_catalog.date)";
    };
  }

  private static String toTimestamp(String sql, Type from) {
    return switch (from.kind()) {
      case DATE ->
          checked(sql, "{v} BETWEEN DATE '4000-01-01 BC' AND DATE '200000-01-01'", "TIMESTAMP");
      case VARCHAR ->
          checked(
              sql, calendar("{v}", DATE_TEXT) + " OR " + calendar("{v}", TIME_TEXT), "TIMESTAMP");
      default -> "CAST(NULL AS TIMESTAMP)";
    };
  }

  /** Whether text has the form and names a day that exists: CASE keeps the order of the checks. */
  private static String calendar(String v, String form) {
    String day = "pg_catalog.btrim(" + v + ")";
    String year = "CAST(pg_catalog.substr(" + day + ", 1, 4) AS INTEGER)";
    String month = "CAST(pg_catalog.substr(" + day + ", 6, 2) AS INTEGER)";
    String date = "CAST(pg_catalog.substr(" + day + ", 9, 2) AS INTEGER)";
    return Sql.of(
        "(CASE WHEN {v} ~ {form} THEN {year} >= 1 AND {month} BETWEEN 1 AND 12 AND {date} BETWEEN 1"
            + " AND CASE WHEN {month} IN (4, 6, 9, 11) THEN 30 WHEN {month} <> 2 THEN 31 WHEN"
            + " {year} % 4 = 0 AND ({year} % 100 <> 0 OR {year} % 400 = 0) THEN 29 ELSE 28 END ELSE"
            + " FALSE END)",
        v, form, year, month, date);
  }
}
