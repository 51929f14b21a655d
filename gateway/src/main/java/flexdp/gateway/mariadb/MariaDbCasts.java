package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.gateway.render.Sql;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Conversions. MariaDB itself cuts what does not fit and reads text as far as it goes. */
final class MariaDbCasts {
  /** The end of the text: a dollar sign would admit a line end after it. */
  private static final String END = " *(?s)(?!.)";

  private static final String NUMBER_TEXT =
      "^ *[+-]?([0-9]{1,30}([.][0-9]{0,30})?|[.][0-9]{1,30})" + END;
  private static final String REAL_TEXT =
      "^ *[+-]?([0-9]{1,40}([.][0-9]{0,40})?|[.][0-9]{1,40})([eE][+-]?[0-9]{1,2})?" + END;
  private static final String DAY = "(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
  private static final String CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?";
  private static final String UUID_TEXT =
      "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?s)(?!.)";

  /** Wide enough for every number that the forms above admit. */
  private static final String WIDE = "DECIMAL(65, 30)";

  private final MariaDb dialect;

  MariaDbCasts(MariaDb dialect) {
    this.dialect = dialect;
  }

  String cast(String sql, Type from, Type to) {
    if (from.equals(to)) {
      return sql;
    }
    if (from.kind() == Type.Kind.NULL) {
      return dialect.nothing(to);
    }
    return switch (to.kind()) {
      case SMALLINT, INTEGER, BIGINT -> toInteger(sql, from, to);
      case DECIMAL -> toDecimal(sql, from, to);
      case DOUBLE -> toDouble(sql, from);
      case VARCHAR, OPAQUE -> toText(sql, from);
      case BOOLEAN -> toBoolean(sql, from);
      case DATE ->
          from.kind() == Type.Kind.TIMESTAMP
              ? "CAST(" + sql + " AS DATE)"
              : parsed(sql, from, "^ *" + DAY + END, to);
      case TIMESTAMP ->
          from.kind() == Type.Kind.DATE
              ? "CAST(" + sql + " AS DATETIME(6))"
              : parsed(sql, from, "^ *" + DAY + "([ T]" + CLOCK + ")?" + END, to);
      case TIME ->
          from.kind() == Type.Kind.TIMESTAMP
              ? "CAST(" + sql + " AS TIME(6))"
              : parsed(sql, from, "^ *" + CLOCK + END, to);
      case UUID -> parsed(sql, from, UUID_TEXT, to);
      case INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> dialect.nothing(to);
    };
  }

  /** Text that has the form; days that no calendar has are NULL to the database too. */
  private String parsed(String sql, Type from, String form, Type to) {
    if (from.kind() != Type.Kind.VARCHAR) {
      return dialect.nothing(to);
    }
    String body = to.kind() == Type.Kind.UUID ? sql : "TRIM(" + sql + ")";
    return canonicalize(sql, form, "CAST(" + body + " AS " + dialect.typeName(to) + ")");
  }

  private static String canonicalize(String sql, String form, String body) {
    return once(sql, v -> "(CASE WHEN " + v + " REGEXP '" + form + "' THEN " + body + " END)");
  }

  private String toInteger(String sql, Type from, Type to) {
    return switch (from.kind()) {
      case BOOLEAN -> sql;
      case SMALLINT, INTEGER, BIGINT -> narrower(to, from) ? within(sql, to) : sql;
      case DECIMAL ->
          MariaDbExact.whole(from) < MariaDbExact.whole(to)
              ? "ROUND(" + sql + ")"
              : within("ROUND(" + sql + ")", to);
      case DOUBLE ->
          once(
              sql,
              v ->
                  Sql.of(
                      "(CASE WHEN ROUND({v}) BETWEEN {low} AND {high} THEN CAST(ROUND({v}) AS"
                          + " SIGNED) END)",
                      v,
                      lowReal(to),
                      highReal(to)));
      case VARCHAR ->
          canonicalize(sql, NUMBER_TEXT, within("ROUND(CAST(" + sql + " AS " + WIDE + "))", to));
      default -> dialect.nothing(to);
    };
  }

  private static boolean narrower(Type one, Type two) {
    return MariaDbExact.whole(one) < MariaDbExact.whole(two);
  }

  static String within(String sql, Type to) {
    return once(
        sql,
        v -> Sql.of("(CASE WHEN {v} BETWEEN {low} AND {high} THEN {v} END)", v, low(to), high(to)));
  }

  private static int bits(Type type) {
    return switch (type.kind()) {
      case SMALLINT -> 15;
      case INTEGER -> 31;
      default -> 63;
    };
  }

  static BigInteger low(Type type) {
    return BigInteger.TWO.pow(bits(type)).negate();
  }

  static BigInteger high(Type type) {
    return BigInteger.TWO.pow(bits(type)).subtract(BigInteger.ONE);
  }

  /** The last floating number before an integer of 64 bits would be left. */
  private static String highReal(Type type) {
    return bits(type) == 63 ? "9223372036854774784e0" : high(type) + "e0";
  }

  private static String lowReal(Type type) {
    return bits(type) == 63 ? "-9223372036854774784e0" : low(type) + "e0";
  }

  private String toDecimal(String sql, Type from, Type to) {
    return switch (from.kind()) {
      case BOOLEAN -> "CAST(" + sql + " AS " + dialect.typeName(to) + ")";
      case SMALLINT, INTEGER, BIGINT, DECIMAL ->
          MariaDbExact.whole(from) <= MariaDbExact.whole(to) && from.scale() <= to.scale()
              ? "CAST(" + sql + " AS " + dialect.typeName(to) + ")"
              : inside(sql, to);
      case DOUBLE -> inside(sql, to);
      case VARCHAR ->
          canonicalize(sql, NUMBER_TEXT, inside("CAST(" + sql + " AS " + WIDE + ")", to));
      default -> dialect.nothing(to);
    };
  }

  /** A decimal of 65 digits holds, or cuts, any number so that it still shows as too large. */
  private String inside(String sql, Type to) {
    String most = BigDecimal.TEN.pow(to.precision() - to.scale()).toPlainString();
    return once(
        sql,
        v ->
            Sql.of(
                "(CASE WHEN ABS(CAST({v} AS DECIMAL(65, {scale}))) < {most} THEN CAST({v} AS {type})"
                    + " END)",
                v,
                to.scale(),
                most,
                dialect.typeName(to)));
  }

  private String toDouble(String sql, Type from) {
    return switch (from.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL -> "CAST(" + sql + " AS DOUBLE)";
      case VARCHAR -> canonicalize(sql, REAL_TEXT, "(CAST(" + sql + " AS DOUBLE) + 0e0)");
      default -> dialect.nothing(Type.DOUBLE);
    };
  }

  private String toText(String sql, Type from) {
    return switch (from.kind()) {
      case VARCHAR, OPAQUE -> sql;
      case BOOLEAN ->
          Sql.of(
              "(CASE {x} WHEN TRUE THEN {yes} WHEN FALSE THEN {no} END)",
              sql,
              MariaDb.text("true"),
              MariaDb.text("false"));
      case TIMESTAMP, TIME ->
          MariaDb.exact(
              "TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM "
                  + spelled("CAST(" + sql + " AS " + dialect.typeName(from) + ")")
                  + "))");
      case DECIMAL -> MariaDb.exact(spelled("CAST(" + sql + " AS " + dialect.typeName(from) + ")"));
      case DOUBLE -> MariaDb.exact(spelled("(" + sql + " + 0e0)"));
      default -> MariaDb.exact(spelled(sql));
    };
  }

  /**
   * How many digits the database writes depends on where a value comes from: 1.5 and 1.50 are equal
   * and are one text only because their type is fixed before.
   */
  private static String spelled(String sql) {
    return "CAST(" + sql + " AS CHAR CHARACTER SET utf8mb4)";
  }

  private String toBoolean(String sql, Type from) {
    if (from.isNumeric()) {
      return "(" + sql + " <> 0)";
    }
    if (from.kind() == Type.Kind.VARCHAR) {
      return "(CASE LOWER(TRIM("
          + sql
          + ")) WHEN 'true' THEN TRUE WHEN 't' THEN TRUE WHEN '1' THEN TRUE WHEN 'false' THEN FALSE"
          + " WHEN 'f' THEN FALSE WHEN '0' THEN FALSE END)";
    }
    return dialect.nothing(Type.BOOLEAN);
  }
}
