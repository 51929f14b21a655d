package flexdp.sql;

import flexdp.Position;
import flexdp.RejectionCode;
import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlTypeNameSpec;

/** Conversions, and the names of types in every dialect. */
final class Casts {
  private Casts() {}

  static Type type(SqlNode node) {
    if (node instanceof SqlIntervalQualifier qualifier) {
      return qualifier.isYearMonth() ? Type.INTERVAL_MONTHS : Type.INTERVAL_MICROS;
    }
    SqlTypeNameSpec spec = ((SqlDataTypeSpec) node).getTypeNameSpec();
    String name = spec.getTypeName().names.get(spec.getTypeName().names.size() - 1);
    int precision = -1;
    int scale = 0;
    if (spec instanceof SqlBasicTypeNameSpec basic) {
      precision = basic.getPrecision();
      scale = Math.max(0, basic.getScale());
    }
    Type type = named(name, precision, scale);
    if (type == null) {
      throw Reject.of(
          RejectionCode.TYPE_MISMATCH,
          "The type '" + Texts.shown(name) + "' is not known here.",
          "Use boolean, integer, bigint, decimal(p, s), double, varchar, date, time or timestamp.",
          node);
    }
    return type;
  }

  /** The type of that name, or null. */
  static Type named(String name, int precision, int scale) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "BOOLEAN", "BOOL", "LOGICAL" -> Type.BOOLEAN;
      case "TINYINT", "SMALLINT", "INT2", "INT1", "UTINYINT" -> Type.SMALLINT;
      case "INTEGER", "INT", "INT4", "MEDIUMINT", "USMALLINT" -> Type.INTEGER;
      case "BIGINT", "INT8", "LONG", "SIGNED", "UNSIGNED", "INT64", "UINTEGER" -> Type.BIGINT;
      case "DECIMAL", "NUMERIC", "DEC", "NUMBER" ->
          precision < 0
              ? Type.decimal(38, 10)
              : precision >= 1 && precision <= 38 && scale <= precision
                  ? Type.decimal(precision, scale)
                  : null;
      case "DOUBLE", "DOUBLE PRECISION", "FLOAT", "REAL", "FLOAT8", "FLOAT4", "FLOAT64" ->
          Type.DOUBLE;
      case "VARCHAR",
          "CHAR",
          "TEXT",
          "STRING",
          "CHARACTER",
          "BPCHAR",
          "NCHAR",
          "NVARCHAR",
          "NAME",
          "CITEXT",
          "CHARACTER VARYING",
          "CHAR VARYING" ->
          Type.VARCHAR;
      case "DATE" -> Type.DATE;
      case "TIME", "TIME_WITHOUT_TIME_ZONE" -> Type.TIME;
      case "TIMESTAMP",
          "DATETIME",
          "TIMESTAMPTZ",
          "TIMESTAMP_NTZ",
          "SMALLDATETIME",
          "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
          "TIMESTAMP WITHOUT TIME ZONE",
          "TIMESTAMP_TZ",
          "TIMESTAMP WITH TIME ZONE",
          "DATETIME2" ->
          Type.TIMESTAMP;
      case "UUID", "UNIQUEIDENTIFIER" -> Type.UUID;
      default -> null;
    };
  }

  /** A conversion; one that cannot give anything is a mismatch, a literal converts at once. */
  static Expr cast(Expr operand, Type to, Position at) {
    Type from = operand.type();
    if (operand instanceof Expr.Literal literal) {
      if (literal.isNull()) {
        return Exprs.nullOf(to);
      }
      if (from.kind() == Type.Kind.VARCHAR && (to.isDateTime() || to.kind() == Type.Kind.TIME)) {
        return moment((String) literal.value(), to, at);
      }
      if (from.kind() == Type.Kind.VARCHAR && (to.isInterval() || to.kind() == Type.Kind.UUID)) {
        return Texts.as((String) literal.value(), to, at);
      }
    }
    if (from.equals(to)) {
      return operand;
    }
    if (!converts(from, to)) {
      throw Reject.types(
          TypeRules.capital(from) + " cannot be converted to " + TypeRules.a(to) + ".",
          "Convert it to text first.",
          at);
    }
    return new Expr.Cast(operand, to);
  }

  private static Expr moment(String text, Type to, Position at) {
    return switch (to.kind()) {
      case TIME -> new Expr.Literal(Texts.time(text.trim(), at), to);
      case DATE -> new Expr.Literal(Texts.timestamp(text, at).toLocalDate(), to);
      default -> new Expr.Literal(Texts.timestamp(text, at), to);
    };
  }

  private static boolean converts(Type from, Type to) {
    return switch (to.kind()) {
      case VARCHAR -> from.kind() != Type.Kind.OPAQUE && !from.isInterval();
      case BOOLEAN -> from.isExact() || from.kind() == Type.Kind.VARCHAR;
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE ->
          from.isNumeric() || from.kind() == Type.Kind.VARCHAR || from.kind() == Type.Kind.BOOLEAN;
      case DATE -> from.isDateTime() || from.kind() == Type.Kind.VARCHAR;
      case TIMESTAMP -> from.isDateTime() || from.kind() == Type.Kind.VARCHAR;
      case TIME -> from.kind() == Type.Kind.TIMESTAMP || from.kind() == Type.Kind.VARCHAR;
      case UUID -> from.kind() == Type.Kind.VARCHAR;
      case INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> false;
    };
  }
}
