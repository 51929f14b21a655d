package flexdp.gateway.sql;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Vertica. The coercion {@code ::!} gives NULL where a cast would raise; whole numbers are computed
 * in NUMERIC, which is wide enough, since sums of INTEGER raise when they overflow.
 */
public final class Vertica extends RenderedDialect {
  public Vertica() {
    super(new ExactClamp("NUMERIC", "DOUBLE PRECISION"));
  }

  @Override
  String title() {
    return "Vertica";
  }

  @Override
  public String qualified(String name) {
    return super.qualified(name.contains(".") ? name : "public." + name);
  }

  /** All whole numbers have 64 bits; a VARCHAR without a length would have 80 bytes. */
  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, DATE, TIME, TIMESTAMP, UUID -> type.kind().name();
      case SMALLINT, INTEGER, BIGINT, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> "INTEGER";
      case DOUBLE -> "DOUBLE PRECISION";
      case DECIMAL -> "NUMERIC(" + type.precision() + ", " + type.scale() + ")";
      case VARCHAR, OPAQUE -> "VARCHAR(65000)";
    };
  }

  @Override
  public String literal(Expr.Literal literal) {
    Type type = literal.type();
    if (literal.isNull()) {
      return type.kind() == Type.Kind.NULL ? "NULL" : "CAST(NULL AS " + typeName(type) + ")";
    }
    Object value = literal.value();
    return switch (type.kind()) {
      case BOOLEAN -> ((Boolean) value) ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT, DECIMAL ->
          "CAST('" + ((BigDecimal) value).toPlainString() + "' AS " + typeName(type) + ")";
      case DOUBLE, INTERVAL_MONTHS, INTERVAL_MICROS, UUID ->
          "CAST('" + value + "' AS " + typeName(type) + ")";
      case VARCHAR, OPAQUE, NULL -> SqlText.quoted(value.toString(), "CHR(0)");
      case DATE -> "DATE '" + day((LocalDate) value) + "'";
      case TIME -> "TIME '" + SqlText.time((LocalTime) value) + "'";
      case TIMESTAMP -> {
        day(((LocalDateTime) value).toLocalDate());
        yield "TIMESTAMP '" + SqlText.timestamp((LocalDateTime) value) + "'";
      }
    };
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    if (from.equals(to) || from.isInteger() && to.kind() == Type.Kind.BIGINT) {
      return sql;
    }
    if (from.kind() == Type.Kind.NULL) {
      return "CAST(" + sql + " AS " + typeName(to) + ")";
    }
    boolean known =
        switch (to.kind()) {
          case DECIMAL, DOUBLE -> from.isNumeric() || from.kind() == Type.Kind.VARCHAR;
          case SMALLINT, INTEGER, BIGINT -> from.isExact();
          case VARCHAR -> from.isExact() || from.kind() == Type.Kind.DATE;
          case DATE -> from.kind() == Type.Kind.TIMESTAMP || from.kind() == Type.Kind.VARCHAR;
          case TIMESTAMP -> from.kind() == Type.Kind.DATE;
          case BOOLEAN, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL -> false;
        };
    if (!known) {
      throw unsupported("A conversion of " + from + " to " + to);
    }
    String coerced = "(" + sql + ")::!" + typeName(to);
    return switch (to.kind()) {
      case SMALLINT -> within(coerced, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> within(coerced, Integer.MIN_VALUE, Integer.MAX_VALUE);
      default -> coerced;
    };
  }

  /** The types of 16 and 32 bits exist in policies only. */
  private static String within(String sql, long low, long high) {
    return "(CASE WHEN " + sql + " BETWEEN " + low + " AND " + high + " THEN " + sql + " END)";
  }

  @Override
  public String call(Spelled function, List<Operand> arguments, Type type) {
    return new VerticaFunctions(this).call(function, arguments, type);
  }

  /** Vertica has VALUES for INSERT only. */
  @Override
  public String values(List<String> names, List<List<String>> rows) {
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, names.size())
                    .mapToObj(i -> row.get(i) + " AS " + names.get(i))
                    .collect(Collectors.joining(", ", "SELECT ", "")))
        .collect(Collectors.joining(" UNION ALL "));
  }

  /** Outside of windows ORDER BY has no word for where NULL stands. */
  @Override
  public String sortKey(String sql, boolean descending, boolean nullsFirst) {
    return "CASE WHEN "
        + sql
        + " IS NULL THEN "
        + (nullsFirst ? 0 : 2)
        + " ELSE 1 END, "
        + sql
        + (descending ? " DESC" : " ASC");
  }

  @Override
  public String setOperation(
      String kind, boolean all, List<String> names, String left, String right) {
    if (all && !kind.equals("UNION")) {
      throw unsupported(kind + " ALL");
    }
    return super.setOperation(kind, all, names, left, right);
  }
}
