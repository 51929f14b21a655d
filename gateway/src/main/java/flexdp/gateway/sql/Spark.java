package flexdp.gateway.sql;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Spark SQL from 3.4, on its own tables or Hive's, with {@code spark.sql.session.timeZone} UTC.
 * What could raise under ANSI rules, or wrap around without them, is written with the try_
 * functions.
 */
public final class Spark extends RenderedDialect {
  public Spark() {
    super(new ExactClamp("DECIMAL", "DOUBLE"));
  }

  @Override
  String title() {
    return "Spark";
  }

  @Override
  public String quote(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  public String typeName(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, BIGINT, DOUBLE, DATE, TIMESTAMP -> type.kind().name();
      case INTEGER, NULL -> "INT";
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case VARCHAR, OPAQUE -> "STRING";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "BIGINT";
      case TIME, UUID -> throw unsupported("The type " + type);
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
      case DOUBLE, INTERVAL_MONTHS, INTERVAL_MICROS ->
          "CAST('" + value + "' AS " + typeName(type) + ")";
      case VARCHAR, OPAQUE, NULL -> text(value.toString());
      case DATE -> "DATE '" + day((LocalDate) value) + "'";
      case TIMESTAMP -> {
        day(((LocalDateTime) value).toLocalDate());
        yield "TIMESTAMP '" + SqlText.timestamp((LocalDateTime) value) + "'";
      }
      case TIME, UUID -> throw unsupported("The type " + type);
    };
  }

  /** Backslashes escape in Spark's texts. */
  static String text(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\0", "\\u0000") + "'";
  }

  @Override
  public String cast(String sql, Type from, Type to) {
    if (from.equals(to)) {
      return sql;
    }
    if (from.kind() == Type.Kind.NULL) {
      return "CAST(" + sql + " AS " + typeName(to) + ")";
    }
    boolean known =
        switch (to.kind()) {
          case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE ->
              from.isNumeric() || from.kind() == Type.Kind.VARCHAR;
          case VARCHAR -> from.isExact() || from.kind() == Type.Kind.DATE;
          case DATE -> from.kind() == Type.Kind.TIMESTAMP || from.kind() == Type.Kind.VARCHAR;
          case TIMESTAMP -> from.kind() == Type.Kind.DATE;
          case BOOLEAN, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL -> false;
        };
    if (!known) {
      throw unsupported("A conversion of " + from + " to " + to);
    }
    String number = to.isInteger() ? rounded(sql, from) : sql;
    return "try_cast(" + number + " AS " + typeName(to) + ")";
  }

  /** A cast to whole numbers would cut: exact halves go away from zero, floats to even. */
  private static String rounded(String sql, Type from) {
    return switch (from.kind()) {
      case DECIMAL -> from.scale() == 0 ? sql : "round(" + sql + ", 0)";
      case DOUBLE -> "bround(" + sql + ", 0)";
      case VARCHAR -> "round(try_cast(" + sql + " AS DECIMAL(38, 10)), 0)";
      default -> sql;
    };
  }

  /** A value that is used several times, computed once: the argument of a lambda expression. */
  static String once(String sql, UnaryOperator<String> body) {
    boolean simple = sql.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
    return simple
        ? body.apply(sql)
        : "transform(array(" + sql + "), v -> " + body.apply("v") + ")[0]";
  }

  @Override
  public String call(Spelled function, List<Operand> arguments, Type type) {
    return new SparkFunctions(this).call(function, arguments, type);
  }
}
