package flexdp.gateway.trino;

import static flexdp.gateway.trino.Trino.once;

import flexdp.gateway.render.Sql;
import flexdp.policy.Type;

/** Conversions that give NULL where Trino would raise, or has none. */
final class TrinoCasts {
  private TrinoCasts() {}

  static String cast(Trino dialect, String sql, Type from, Type to) {
    boolean text = from.kind() == Type.Kind.VARCHAR;
    if (from.equals(to) || text && to.kind() == Type.Kind.OPAQUE) {
      return sql;
    }
    String name = dialect.typeName(to);
    if (from.kind() == Type.Kind.NULL) {
      return "CAST(" + sql + " AS " + name + ")";
    }
    String plain = tried(text ? "trim(" + sql + ")" : sql, name);
    return switch (to.kind()) {
      case SMALLINT, INTEGER, BIGINT -> whole(sql, from, name);
      case DECIMAL ->
          text || from.isNumeric() || from.kind() == Type.Kind.BOOLEAN ? plain : nothing(name);
      case DOUBLE ->
          text
              ? dialect.canonicalize(plain, to)
              : from.isNumeric() || from.kind() == Type.Kind.BOOLEAN ? plain : nothing(name);
      case VARCHAR -> text(sql, from);
      case BOOLEAN -> bool(sql, from);
      case DATE ->
          text
              ? dialect.canonicalize(plain, to)
              : from.kind() == Type.Kind.TIMESTAMP ? plain : nothing(name);
      case TIMESTAMP ->
          text
              ? dialect.canonicalize(plain, to)
              : from.kind() == Type.Kind.DATE ? plain : nothing(name);
      case TIME -> text || from.kind() == Type.Kind.TIMESTAMP ? plain : nothing(name);
      case UUID -> text ? plain : nothing(name);
      case INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> nothing(name);
    };
  }

  private static String tried(String sql, String type) {
    return "TRY_CAST(" + sql + " AS " + type + ")";
  }

  /** A conversion that no value survives. */
  private static String nothing(String type) {
    return "CAST(NULL AS " + type + ")";
  }

  /** Text may have decimals; floats round halves to even, as in the other databases. */
  private static String whole(String sql, Type from, String type) {
    return switch (from.kind()) {
      case VARCHAR -> tried(tried("trim(" + sql + ")", "DECIMAL(38, 10)"), type);
      case SMALLINT, INTEGER, BIGINT, DECIMAL, BOOLEAN -> tried(sql, type);
      case DOUBLE ->
          once(
              sql,
              v ->
                  tried(
                      Sql.of(
                          "CASE WHEN abs({v} - truncate({v})) = 0.5E0 THEN 2E0 * round({v} / 2E0)"
                              + " ELSE {v} END",
                          v),
                      type));
      case DATE, TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          nothing(type);
    };
  }

  /** Times without the zeros that fill their fraction up. */
  private static String text(String sql, Type from) {
    return switch (from.kind()) {
      case TIME, TIMESTAMP -> "regexp_replace(CAST(" + sql + " AS VARCHAR), '\\.?0+$')";
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          DOUBLE,
          VARCHAR,
          DATE,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          tried(sql, "VARCHAR");
    };
  }

  private static String bool(String sql, Type from) {
    if (from.isNumeric()) {
      return "(" + sql + " <> 0)";
    }
    return from.kind() == Type.Kind.VARCHAR
        ? "(CASE lower(trim("
            + sql
            + ")) WHEN 'true' THEN TRUE WHEN 't' THEN TRUE WHEN '1' THEN TRUE WHEN 'false' THEN"
            + " FALSE WHEN 'f' THEN FALSE WHEN '0' THEN FALSE END)"
        : nothing("BOOLEAN");
  }
}
