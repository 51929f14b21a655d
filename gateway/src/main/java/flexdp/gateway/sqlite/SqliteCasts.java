package flexdp.gateway.sqlite;

import static flexdp.gateway.sqlite.Sqlite.MICROS_PER_DAY;
import static flexdp.gateway.sqlite.Sqlite.once;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.Sql;
import flexdp.policy.Type;
import java.math.BigInteger;

/** Conversions between the values that stand for our types; NULL where there is none. */
final class SqliteCasts {
  private static final int MOST_DIGITS = 18;

  private SqliteCasts() {}

  static String cast(String sql, Type from, Type to) {
    if (from.equals(to) || sql.equals("NULL")) {
      return sql;
    }
    if (from.kind() == Type.Kind.NULL) {
      return "NULL";
    }
    return switch (to.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> toExact(sql, from, to);
      case DOUBLE -> toDouble(sql, from);
      case VARCHAR, OPAQUE -> toText(sql, from);
      case BOOLEAN -> toBoolean(sql, from);
      case DATE ->
          switch (from.kind()) {
            case TIMESTAMP -> floor(sql, MICROS_PER_DAY);
            case VARCHAR -> once("trim(" + sql + ")", SqliteDates::dateOfText);
            default -> "NULL";
          };
      case TIMESTAMP ->
          switch (from.kind()) {
            case DATE -> "(" + sql + " * " + MICROS_PER_DAY + ")";
            case VARCHAR -> once("trim(" + sql + ")", SqliteDates::timestampOfText);
            default -> "NULL";
          };
      case TIME -> from.kind() == Type.Kind.TIMESTAMP ? modulo(sql, MICROS_PER_DAY) : no(from, to);
      case UUID ->
          from.kind() == Type.Kind.VARCHAR ? once("lower(" + sql + ")", SqliteCasts::uuid) : "NULL";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> no(from, to);
      case NULL -> sql;
    };
  }

  private static String no(Type from, Type to) {
    throw Rejection.of(
        RejectionCode.UNSUPPORTED,
        "On SQLite a value of type " + from + " cannot be converted to " + to + ".",
        "Compare values of one type.");
  }

  static String uuid(String v) {
    String hex = "[0-9a-f]";
    String four = "-" + hex.repeat(4);
    String form = hex.repeat(8) + four.repeat(3) + "-" + hex.repeat(12);
    return "CASE WHEN " + v + " GLOB '" + form + "' THEN " + v + " END";
  }

  /** Ten to a power that fits. */
  static String power(int digits) {
    if (digits > MOST_DIGITS) {
      throw Sqlite.tooLong();
    }
    return BigInteger.TEN.pow(digits).toString();
  }

  private static String toExact(String sql, Type from, Type to) {
    return switch (from.kind()) {
      case BOOLEAN ->
          to.scale() == 0 ? "(" + sql + " + 0)" : "(" + sql + " * " + power(to.scale()) + ")";
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> exact(rescaled(sql, from.scale(), to.scale()), to);
      case DOUBLE ->
          once(
              "round(" + sql + (to.scale() > 0 ? " * 1e" + to.scale() : "") + ")",
              v ->
                  inside(
                      Sql.of(
                          "CASE WHEN {v} BETWEEN -{most} AND {most} THEN CAST({v} AS INTEGER) END",
                          v,
                          Sqlite.MOST_AS_REAL),
                      to));
      case VARCHAR -> exact("flexdp_exact(" + sql + ", " + to.scale() + ")", to);
      default -> "NULL";
    };
  }

  /**
   * The number if it is one and its type holds it; a whole number that grew too large is a float.
   */
  static String exact(String sql, Type type) {
    return once(
        sql,
        v ->
            "CASE WHEN typeof(" + v + ") = 'integer' AND " + fits(v, type) + " THEN " + v + " END");
  }

  private static String inside(String sql, Type type) {
    return once("(" + sql + ")", v -> "CASE WHEN " + fits(v, type) + " THEN " + v + " END");
  }

  private static String fits(String v, Type type) {
    BigInteger most =
        switch (type.kind()) {
          case SMALLINT -> BigInteger.valueOf(Short.MAX_VALUE);
          case INTEGER -> BigInteger.valueOf(Integer.MAX_VALUE);
          case DECIMAL ->
              BigInteger.TEN.pow(Math.min(type.precision(), MOST_DIGITS)).subtract(BigInteger.ONE);
          default -> BigInteger.valueOf(Long.MAX_VALUE);
        };
    BigInteger least = type.isInteger() ? most.negate().subtract(BigInteger.ONE) : most.negate();
    return v + " BETWEEN (" + least + ") AND " + most;
  }

  /** From one number of digits after the point to another, halves away from zero. */
  static String rescaled(String sql, int from, int to) {
    if (from == to) {
      return sql;
    }
    if (from < to) {
      return "(" + sql + " * " + power(to - from) + ")";
    }
    String step = power(from - to);
    String half = BigInteger.TEN.pow(from - to).shiftRight(1).toString();
    return once(
        sql,
        v ->
            Sql.of(
                "({v} / {step} + CASE WHEN {v} % {step} >= {half} THEN 1 WHEN {v} % {step} <="
                    + " -{half} THEN -1 ELSE 0 END)",
                v, step, half));
  }

  private static String toDouble(String sql, Type from) {
    return switch (from.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT -> "CAST(" + sql + " AS REAL)";
      case DECIMAL ->
          from.scale() == 0
              ? "CAST(" + sql + " AS REAL)"
              : "(CAST(" + sql + " AS REAL) / 1e" + from.scale() + ")";
      case VARCHAR -> "flexdp_real(" + sql + ")";
      default -> "NULL";
    };
  }

  private static String toText(String sql, Type from) {
    return switch (from.kind()) {
      case VARCHAR, OPAQUE, UUID -> sql;
      case SMALLINT, INTEGER, BIGINT, DOUBLE -> "CAST(" + sql + " AS TEXT)";
      case BOOLEAN -> "(CASE " + sql + " WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)";
      case DECIMAL ->
          from.scale() == 0
              ? "CAST(" + sql + " AS TEXT)"
              : once(sql, v -> "(" + SqliteDates.digits(v, from.scale()) + ")");
      case DATE -> "(date(" + sql + " * 86400, 'unixepoch'))";
      case TIMESTAMP -> once(sql, SqliteDates::textOfTimestamp);
      case TIME, INTERVAL_MONTHS, INTERVAL_MICROS -> no(from, Type.VARCHAR);
      case NULL -> "NULL";
    };
  }

  private static String toBoolean(String sql, Type from) {
    if (from.isNumeric()) {
      return "(" + sql + " <> 0)";
    }
    return from.kind() == Type.Kind.VARCHAR
        ? "(CASE lower(trim("
            + sql
            + ")) WHEN 'true' THEN TRUE WHEN 't' THEN TRUE WHEN '1' THEN"
            + " TRUE WHEN 'false' THEN FALSE WHEN 'f' THEN FALSE WHEN '0' THEN FALSE END)"
        : "NULL";
  }

  /** Division that rounds down, which SQLite's own does not for negative numbers. */
  static String floor(String sql, long by) {
    return once(sql, v -> "((" + v + " - " + remainder(v, by) + ") / " + by + ")");
  }

  static String modulo(String sql, long by) {
    return once(sql, v -> remainder(v, by));
  }

  private static String remainder(String v, long by) {
    return "((" + v + " % " + by + " + " + by + ") % " + by + ")";
  }
}
