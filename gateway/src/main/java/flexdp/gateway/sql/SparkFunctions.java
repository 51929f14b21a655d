package flexdp.gateway.sql;

import static flexdp.gateway.sql.Spark.once;

import flexdp.policy.Type;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Spark's spelling of the functions; what is not settled by its documentation is rejected. */
final class SparkFunctions extends Functions {
  private final Spark dialect;

  SparkFunctions(Spark dialect) {
    super(dialect);
    this.dialect = dialect;
  }

  @Override
  String call(Spelled function, List<Operand> args, Type type) {
    return switch (function) {
      case PLUS -> arithmetic("+", "try_add", args, type);
      case MINUS -> arithmetic("-", "try_subtract", args, type);
      case TIMES -> arithmetic("*", "try_multiply", args, type);
      case DIVIDE -> divide(args, type);
      case MOD -> as("(" + list(args, " % NULLIF(") + ", 0))", args.get(0).type(), type);
      case NEGATE -> negated(args.get(0), type);
      case ABS ->
          type.isInteger()
              ? once(
                  as(args.get(0), type),
                  v -> "CASE WHEN " + v + " < 0 THEN " + minus(v, type) + " ELSE " + v + " END")
              : as("abs(" + args.get(0).sql() + ")", args.get(0).type(), type);
      case SIGN -> as("sign(" + real(args.get(0)) + ")", Type.DOUBLE, type);
      case FLOOR -> whole("floor", args.get(0), type);
      case CEIL -> whole("ceil", args.get(0), type);
      case ROUND -> round(args, type);
      case SQRT -> finite("sqrt(" + real(args.get(0)) + ")", type);
      case LN -> finite("ln(" + real(args.get(0)) + ")", type);
      case LOG10 -> finite("log10(" + real(args.get(0)) + ")", type);
      case EXP -> finite("exp(" + real(args.get(0)) + ")", type);
      case POWER -> finite("pow(" + real(args.get(0)) + ", " + real(args.get(1)) + ")", type);
      case LEAST -> "least(" + converted(args, type) + ")";
      case GREATEST -> "greatest(" + converted(args, type) + ")";
      case CONCAT -> args.stream().map(this::text).collect(Collectors.joining(" || ", "(", ")"));
      case LOWER, UPPER, TRIM, LTRIM, RTRIM, REVERSE ->
          function.name().toLowerCase(Locale.ROOT) + "(" + text(args.get(0)) + ")";
      case SUBSTRING -> substring(args);
      case CHAR_LENGTH -> as("char_length(" + text(args.get(0)) + ")", Type.INTEGER, type);
      case POSITION -> as("locate(" + texts(args) + ")", Type.INTEGER, type);
      case REPLACE -> "replace(" + texts(args) + ")";
      case LEFT -> "substring(" + text(args.get(0)) + ", 1, " + count(args, "LEFT") + ")";
      case RIGHT ->
          once(
              text(args.get(0)),
              v ->
                  "substring("
                      + v
                      + ", greatest(char_length("
                      + v
                      + ") + 1 - "
                      + count(args, "RIGHT")
                      + ", 1))");
      case LIKE -> like(text(args.get(0)), "", args);
      case ILIKE -> like("lower(" + text(args.get(0)) + ")", "lower", args);
      case STARTS_WITH -> "startswith(" + texts(args) + ")";
      case EXTRACT -> extract(Units.of(args), args.get(1));
      case DATE_TRUNC -> truncate(Units.of(args), args.get(1), type);
      case DATE_ADD -> add(args.get(0), args.get(1), type);
      case DATE_DIFF -> difference(Units.of(args), args.get(1), args.get(2));
    };
  }

  private String arithmetic(String operator, String function, List<Operand> args, Type type) {
    Operand left = args.get(0);
    Operand right = args.get(1);
    if (type.isInterval()) {
      if (left.type().isDateTime()) {
        return "(unix_micros(" + moment(left) + ") - unix_micros(" + moment(right) + "))";
      }
      boolean whole =
          (left.type().isInterval() || left.type().isInteger())
              && (right.type().isInterval() || right.type().isInteger());
      if (!whole) {
        throw dialect.unsupported("A fraction of an interval");
      }
      return function + "(" + big(left) + ", " + big(right) + ")";
    }
    if (type.kind() == Type.Kind.DOUBLE) {
      return "(" + real(left) + " " + operator + " " + real(right) + ")";
    }
    if (type.isInteger()) {
      // A SMALLINT sum is made in INT and fitted.
      Type wide = type.kind() == Type.Kind.SMALLINT ? Type.INTEGER : type;
      return as(function + "(" + as(left, wide) + ", " + as(right, wide) + ")", wide, type);
    }
    if (operator.equals("*") && digits(left.type()) + digits(right.type()) > 38) {
      throw dialect.unsupported("A product of decimals with more than 38 digits");
    }
    String sql = function + "(" + left.sql() + ", " + right.sql() + ")";
    return "try_cast(" + sql + " AS " + dialect.typeName(type) + ")";
  }

  private static int digits(Type type) {
    return type.isExact() ? type.wholeDigits() + type.scale() : 0;
  }

  private String big(Operand operand) {
    return operand.type().isInterval() ? operand.sql() : as(operand, Type.BIGINT);
  }

  private String divide(List<Operand> args, Type type) {
    if (!type.isInteger()) {
      String quotient = "(" + real(args.get(0)) + " / NULLIF(" + real(args.get(1)) + ", 0))";
      return as(quotient, Type.DOUBLE, type);
    }
    String a = as(args.get(0), Type.BIGINT);
    String b = as(args.get(1), Type.BIGINT);
    String quotient =
        "CASE WHEN "
            + b
            + " = -1 THEN "
            + minus(a, Type.BIGINT)
            + " ELSE "
            + a
            + " div NULLIF("
            + b
            + ", 0) END";
    return as("(" + quotient + ")", Type.BIGINT, type);
  }

  private String negated(Operand operand, Type type) {
    return type.isInteger() || type.isInterval()
        ? minus(type.isInterval() ? operand.sql() : as(operand, type), type)
        : as("(-" + operand.sql() + ")", operand.type(), type);
  }

  private String minus(String sql, Type type) {
    return as("try_subtract(CAST(0 AS BIGINT), " + sql + ")", Type.BIGINT, wideOf(type));
  }

  private static Type wideOf(Type type) {
    return type.isInterval() ? Type.BIGINT : type;
  }

  private String whole(String function, Operand operand, Type type) {
    if (operand.type().isInteger()) {
      return as(operand, type);
    }
    if (operand.type().kind() == Type.Kind.DECIMAL) {
      return "try_cast(" + function + "(" + operand.sql() + ") AS " + dialect.typeName(type) + ")";
    }
    // Floats without a fraction part are too large for the BIGINT that Spark makes of them.
    String sql =
        once(
            real(operand),
            v ->
                "CASE WHEN abs("
                    + v
                    + ") < 4503599627370496 THEN CAST("
                    + function
                    + "("
                    + v
                    + ") AS DOUBLE) ELSE "
                    + v
                    + " END");
    return as(sql, Type.DOUBLE, type);
  }

  private String round(List<Operand> args, Type type) {
    String digits = args.size() > 1 ? ", " + dialect.constant(args.get(1), "ROUND") : "";
    String sql = "round(" + args.get(0).sql() + digits + ")";
    return "try_cast(" + sql + " AS " + dialect.typeName(type) + ")";
  }

  private String finite(String sql, Type type) {
    return as(
        once(sql, v -> "CASE WHEN " + dialect.clamp().finite(v) + " THEN " + v + " END"),
        Type.DOUBLE,
        type);
  }

  /** Only where positions cannot be taken from the end. */
  private String substring(List<Operand> args) {
    long from = dialect.constant(args.get(1), "SUBSTRING");
    long length = args.size() > 2 ? dialect.constant(args.get(2), "SUBSTRING") : 0;
    if (from < 1 || length < 0) {
      throw dialect.unsupported("SUBSTRING before the first character");
    }
    return "substring("
        + text(args.get(0))
        + ", "
        + from
        + (args.size() > 2 ? ", " + length : "")
        + ")";
  }

  private long count(List<Operand> args, String function) {
    long n = dialect.constant(args.get(1), function);
    if (n < 0) {
      throw dialect.unsupported(function + " with a negative number");
    }
    return n;
  }

  /** The backslash is Spark's escape character when none is named. */
  private String like(String value, String function, List<Operand> args) {
    String pattern = Spark.text(LikePattern.of(args).text());
    return "(" + value + " LIKE " + (function.isEmpty() ? pattern : "lower(" + pattern + ")") + ")";
  }

  private String extract(String unit, Operand from) {
    String x = from.sql();
    return switch (unit) {
      case "SECOND" -> "CAST(floor(EXTRACT(SECOND FROM " + moment(from) + ")) AS BIGINT)";
      case "HOUR", "MINUTE" -> "CAST(EXTRACT(" + unit + " FROM " + moment(from) + ") AS BIGINT)";
      case "DOW" -> "CAST(EXTRACT(DOW FROM " + x + ") - 1 AS BIGINT)"; // from Sunday, which is 1
      case "ISOYEAR" -> "CAST(EXTRACT(YEAROFWEEK FROM " + x + ") AS BIGINT)";
      case "EPOCH" -> "unix_seconds(" + moment(from) + ")";
      default -> "CAST(EXTRACT(" + unit + " FROM " + x + ") AS BIGINT)";
    };
  }

  private String moment(Operand value) {
    return as(value, Type.TIMESTAMP);
  }

  private String truncate(String unit, Operand value, Type type) {
    if (value.type().kind() == Type.Kind.TIMESTAMP) {
      return as("date_trunc('" + unit + "', " + value.sql() + ")", Type.TIMESTAMP, type);
    }
    return unit.equals("DAY") || Units.isWithinDay(unit)
        ? value.sql()
        : "trunc(" + value.sql() + ", '" + unit + "')";
  }

  private String add(Operand value, Operand interval, Type type) {
    boolean months = interval.type().kind() == Type.Kind.INTERVAL_MONTHS;
    if (!(interval.expr() instanceof flexdp.algebra.Expr.Literal literal) || literal.isNull()) {
      throw dialect.unsupported("Adding an interval that is not constant");
    }
    long n = (Long) literal.value();
    if (months && value.type().kind() == Type.Kind.DATE && Math.abs(n) <= 120_000) {
      return "add_months(" + value.sql() + ", " + n + ")";
    }
    if (!months
        && type.kind() == Type.Kind.DATE
        && n % 86_400_000_000L == 0
        && Math.abs(n / 86_400_000_000L) <= 3_650_000) {
      return "date_add(" + value.sql() + ", " + n / 86_400_000_000L + ")";
    }
    if (months) {
      return "try_add(" + moment(value) + ", INTERVAL '" + n + "' MONTH)";
    }
    if (n % 1_000_000 == 0) {
      return "try_add(" + moment(value) + ", INTERVAL '" + n / 1_000_000 + "' SECOND)";
    }
    throw dialect.unsupported("Adding fractions of a second");
  }

  /** Numbers the units, so that two moments in one unit have one number. */
  private String difference(String unit, Operand from, Operand to) {
    return "(" + index(unit, to) + " - " + index(unit, from) + ")";
  }

  private String index(String unit, Operand value) {
    String year = extract("YEAR", value);
    String days = "CAST(unix_date(CAST(" + value.sql() + " AS DATE)) AS BIGINT)";
    String seconds = "unix_seconds(" + moment(value) + ")";
    return switch (unit) {
      case "YEAR" -> year;
      case "QUARTER" -> "(" + year + " * 4 + " + extract("QUARTER", value) + ")";
      case "MONTH" -> "(" + year + " * 12 + " + extract("MONTH", value) + ")";
      case "WEEK" -> "floor((" + days + " + 3) / 7)";
      case "DAY" -> days;
      case "HOUR" -> "floor(" + seconds + " / 3600)";
      case "MINUTE" -> "floor(" + seconds + " / 60)";
      case "SECOND" -> seconds;
      default -> throw dialect.unsupported("A difference in " + unit);
    };
  }

  private static String list(List<Operand> args, String separator) {
    return args.stream().map(Operand::sql).collect(Collectors.joining(separator));
  }

  private String as(String sql, Type from, Type to) {
    return dialect.cast(sql, from, to);
  }
}
