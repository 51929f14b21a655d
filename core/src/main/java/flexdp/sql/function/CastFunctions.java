package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlTypeNameSpec;

/** Conversions, and the names of types in every dialect. */
public final class CastFunctions {
  private static final int MICROSECONDS = 6;

  private CastFunctions() {}

  /** CAST(operand AS type); VARCHAR(n) keeps the first n characters. */
  public static Expr cast(Expr operand, SqlNode type, Position at, InputDialect dialect) {
    Expr converted = cast(operand, type(type, dialect), at, dialect);
    int length = converted.type().kind() == Type.Kind.VARCHAR ? precision(type) : -1;
    if (length < 0) {
      return converted;
    }
    if (length == 0) {
      throw refused("VARCHAR(0)", "Give it a length of 1 or more.", type);
    }
    return converted instanceof Expr.Literal literal
        ? cut(literal, length)
        : Exprs.call(Function.LEFT, Type.VARCHAR, converted, Exprs.integer(length));
  }

  private static Expr cut(Expr.Literal literal, int length) {
    return literal.value() instanceof String text && text.codePointCount(0, text.length()) > length
        ? Exprs.text(text.substring(0, text.offsetByCodePoints(0, length)))
        : literal;
  }

  /** As the dialect converts: towards zero or to the nearest, and truths as words or numbers. */
  static Expr cast(Expr operand, Type to, Position at, InputDialect dialect) {
    Type from = operand.type();
    boolean shown = from.kind() == Type.Kind.BOOLEAN || from.kind() == Type.Kind.DOUBLE;
    if (shown && to.kind() == Type.Kind.VARCHAR) {
      return ConditionalFunctions.text(operand, DialectSpelling.TRUTH, dialect);
    }
    if (from.kind() == Type.Kind.VARCHAR && to.isInteger()) {
      return DialectSpelling.TEXT_TO_WHOLE.in(dialect) == SpellingMeaning.DIGITS
          ? digitsOnly(operand, to, at)
          : cast(operand, to, at);
    }
    boolean digits = from.kind() == Type.Kind.DOUBLE || from.scale() > 0;
    return from.isNumeric()
            && digits
            && to.isInteger()
            && DialectSpelling.TO_WHOLE.in(dialect) == SpellingMeaning.CUT
        ? cast(NumberFunctions.towardsZero(operand), to, at)
        : cast(operand, to, at);
  }

  /** A number cut towards zero, as a whole number. */
  public static Expr cut(Expr number, Type whole) {
    return Exprs.as(NumberFunctions.towardsZero(number), whole);
  }

  /** NULL where what a number may hold beside its digits is in the text. */
  private static Expr digitsOnly(Expr text, Type to, Position at) {
    List<Expr> none = new ArrayList<>();
    for (String other : List.of(".", "e", "E")) {
      none.add(
          Exprs.test(
              Function.EQ, TextFunctions.position(Exprs.text(other), text), Exprs.integer(0)));
    }
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(
                new Expr.Call(Function.AND, none, Type.BOOLEAN), cast(text, to, at))),
        Optional.empty(),
        to);
  }

  public static Type type(SqlNode node, InputDialect dialect) {
    if (node instanceof SqlIntervalQualifier qualifier) {
      return qualifier.isYearMonth() ? Type.INTERVAL_MONTHS : Type.INTERVAL_MICROS;
    }
    SqlTypeNameSpec spec = ((SqlDataTypeSpec) node).getTypeNameSpec();
    String name =
        spec.getTypeName().names.get(spec.getTypeName().names.size() - 1).toUpperCase(Locale.ROOT);
    int precision = precision(node);
    return switch (name) {
      case "BOOLEAN", "BOOL", "LOGICAL" -> Type.BOOLEAN;
      case "SMALLINT", "INT2" -> Type.SMALLINT;
      case "INTEGER", "INT" ->
          DialectSpelling.WHOLE_NUMBERS.in(dialect) == SpellingMeaning.LONG
              ? Type.BIGINT
              : Type.INTEGER;
      case "INT4" -> Type.INTEGER;
      case "BIGINT", "INT8", "LONG", "SIGNED", "INT64" -> Type.BIGINT;
      case "DECIMAL", "NUMERIC", "DEC", "NUMBER" -> decimal(precision, scale(spec), node, dialect);
      case "DOUBLE", "DOUBLE PRECISION", "FLOAT", "FLOAT8", "FLOAT64" -> Type.DOUBLE;
      case "VARCHAR", "TEXT", "STRING", "NVARCHAR", "CHARACTER VARYING", "CHAR VARYING" ->
          Type.VARCHAR;
      case "DATE" -> Type.DATE;
      case "TIME", "TIME_WITHOUT_TIME_ZONE" -> whole(Type.TIME, precision, node);
      case "TIMESTAMP",
          "DATETIME",
          "TIMESTAMPTZ",
          "TIMESTAMP_NTZ",
          "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
          "TIMESTAMP WITHOUT TIME ZONE",
          "TIMESTAMP_TZ",
          "TIMESTAMP WITH TIME ZONE",
          "DATETIME2" ->
          whole(Type.TIMESTAMP, precision, node);
      case "UUID", "UNIQUEIDENTIFIER" -> Type.UUID;
      default -> throw otherwise(name, node);
    };
  }

  /** A type by its name alone. */
  static Optional<Type> named(String name) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "DATE" -> Optional.of(Type.DATE);
      case "DATETIME", "DATETIME2", "TIMESTAMP" -> Optional.of(Type.TIMESTAMP);
      case "TIME" -> Optional.of(Type.TIME);
      case "INT", "INTEGER" -> Optional.of(Type.INTEGER);
      case "BIGINT", "SIGNED" -> Optional.of(Type.BIGINT);
      case "FLOAT", "REAL", "DOUBLE" -> Optional.of(Type.DOUBLE);
      case "VARCHAR", "NVARCHAR", "CHAR", "NCHAR", "TEXT" -> Optional.of(Type.VARCHAR);
      default -> Optional.empty();
    };
  }

  private static int precision(SqlNode node) {
    return node instanceof SqlDataTypeSpec type
            && type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
        ? basic.getPrecision()
        : -1;
  }

  private static int scale(SqlTypeNameSpec spec) {
    int scale = spec instanceof SqlBasicTypeNameSpec basic ? basic.getScale() : 0;
    return scale == RelDataType.SCALE_NOT_SPECIFIED ? 0 : scale;
  }

  private static Type decimal(int precision, int scale, SqlNode node, InputDialect dialect) {
    if (precision < 0) {
      return switch (DialectSpelling.DECIMAL.in(dialect)) {
        case DECIMAL_38_9 -> Type.decimal(38, 9);
        case DECIMAL_38_0 -> Type.decimal(38, 0);
        case DECIMAL_18_3 -> Type.decimal(18, 3);
        case DECIMAL_18_0 -> Type.decimal(18, 0);
        case DECIMAL_10_0 -> Type.decimal(10, 0);
        default -> Type.decimal(38, 10);
      };
    }
    if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
      throw refused(
          "A decimal of that many digits",
          "Use decimal(p, s) with 1 <= p <= 38 and 0 <= s <= p.",
          node);
    }
    return Type.decimal(precision, scale);
  }

  /** Databases round or cut to fewer digits of a second, each in its own way. */
  private static Type whole(Type type, int precision, SqlNode node) {
    if (precision >= 0 && precision < MICROSECONDS) {
      throw refused(
          "A " + type + " with fewer than 6 digits of a second",
          "Use " + type + " without digits, and DATE_TRUNC to shorten it.",
          node);
    }
    return type;
  }

  /** Types that would have to be read as others, which hold other values. */
  private static Rejection otherwise(String name, SqlNode node) {
    return switch (name) {
      case "REAL", "FLOAT4", "FLOAT32" ->
          refused("The type " + name, "Use double, which rounds less.", node);
      case "TINYINT", "INT1", "MEDIUMINT" ->
          refused("The type " + name, "Use smallint, integer or bigint.", node);
      case "UNSIGNED", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT", "UHUGEINT" ->
          refused("The type " + name, "Use integer, bigint or decimal(38, 0).", node);
      case "CHAR", "CHARACTER", "NCHAR", "BPCHAR", "NAME" ->
          refused(
              "The type " + name, "Use varchar, or varchar(n) for the first n characters.", node);
      case "CITEXT" -> refused("The type " + name, "Use varchar, and compare LOWER(x).", node);
      case "SMALLDATETIME" ->
          refused("The type " + name, "Use timestamp, and DATE_TRUNC to shorten it.", node);
      default ->
          Rejections.of(
              RejectionCode.TYPE_MISMATCH,
              "The type '"
                  + TextLiterals.shown(name.toLowerCase(Locale.ROOT))
                  + "' is not known here.",
              "Use boolean, integer, bigint, decimal(p, s), double, varchar, date, time or"
                  + " timestamp.",
              node);
    };
  }

  private static Rejection refused(String what, String hint, SqlNode node) {
    return Rejections.of(RejectionCode.TYPE_MISMATCH, what + " is not known here.", hint, node);
  }

  /** A conversion; one that cannot give anything is a mismatch, a literal converts at once. */
  public static Expr cast(Expr operand, Type to, Position at) {
    Type from = operand.type();
    if (operand instanceof Expr.Literal literal) {
      if (literal.isNull()) {
        return Exprs.nullOf(to);
      }
      if (from.kind() == Type.Kind.VARCHAR && (to.isDateTime() || to.kind() == Type.Kind.TIME)) {
        return moment((String) literal.value(), to, at);
      }
      if (from.kind() == Type.Kind.VARCHAR && (to.isInterval() || to.kind() == Type.Kind.UUID)) {
        return TextLiterals.as((String) literal.value(), to, at);
      }
    }
    if (from.equals(to)) {
      return operand;
    }
    if (!converts(from, to)) {
      throw Rejections.types(
          TypeRules.capital(from) + " cannot be converted to " + TypeRules.a(to) + ".",
          "Convert it to text first.",
          at);
    }
    return new Expr.Cast(operand, to);
  }

  private static Expr moment(String text, Type to, Position at) {
    return switch (to.kind()) {
      case TIME -> new Expr.Literal(TextLiterals.time(text.trim(), at), to);
      case DATE -> new Expr.Literal(TextLiterals.timestamp(text, at).toLocalDate(), to);
      default -> new Expr.Literal(TextLiterals.timestamp(text, at), to);
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
