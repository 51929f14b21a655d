package flexdp.gateway.sql;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Vertica's spelling of the functions; what is not settled by its documentation is rejected. */
final class VerticaFunctions extends Functions {
  private static final String WIDE = "NUMERIC(60, 20)";

  private final Vertica dialect;

  VerticaFunctions(Vertica dialect) {
    super(dialect);
    this.dialect = dialect;
  }

  @Override
  String call(Spelled function, List<Operand> args, Type type) {
    return switch (function) {
      case PLUS -> arithmetic("+", args, type);
      case MINUS -> arithmetic("-", args, type);
      case TIMES -> arithmetic("*", args, type);
      case DIVIDE -> divide(args, type);
      case MOD -> modulo(args, type);
      case NEGATE -> fitted("-" + wide(args.get(0)), args.get(0), type);
      case ABS -> fitted("ABS(" + wide(args.get(0)) + ")", args.get(0), type);
      case LEAST -> extreme("LEAST", args, type);
      case GREATEST -> extreme("GREATEST", args, type);
      case CONCAT -> args.stream().map(this::text).collect(Collectors.joining(" || ", "(", ")"));
      case LOWER, UPPER -> function + "(" + text(args.get(0)) + ")";
      case TRIM -> "BTRIM(" + text(args.get(0)) + ", ' ')";
      case LTRIM, RTRIM -> function + "(" + text(args.get(0)) + ", ' ')";
      case SUBSTRING -> substring(args);
      case CHAR_LENGTH -> dialect.cast("LENGTH(" + text(args.get(0)) + ")", Type.BIGINT, type);
      case POSITION ->
          dialect.cast(
              "INSTR(" + text(args.get(1)) + ", " + needle(args.get(0)) + ")", Type.BIGINT, type);
      case REPLACE ->
          "REPLACE("
              + text(args.get(0))
              + ", "
              + needle(args.get(1))
              + ", "
              + text(args.get(2))
              + ")";
      case LEFT, RIGHT -> function + "(" + text(args.get(0)) + ", " + count(args, function) + ")";
      case LIKE, ILIKE -> like(function.name(), args);
      case STARTS_WITH -> {
        String start = text(args.get(1));
        yield "(LEFT(" + text(args.get(0)) + ", LENGTH(" + start + ")) = " + start + ")";
      }
      case EXTRACT -> extract(Units.of(args), args.get(1));
      case DATE_TRUNC -> truncate(Units.of(args), args.get(1), type);
      case DATE_ADD -> add(args.get(0), args.get(1), type);
      case DATE_DIFF -> difference(Units.of(args), args.get(1), args.get(2));
      case SIGN, FLOOR, CEIL, ROUND, SQRT, LN, LOG10, EXP, POWER, REVERSE ->
          throw dialect.unsupported(function.name());
    };
  }

  private String arithmetic(String operator, List<Operand> args, Type type) {
    if (type.isInterval()) {
      throw dialect.unsupported("Arithmetic of intervals");
    }
    Operand left = args.get(0);
    Operand right = args.get(1);
    if (type.kind() == Type.Kind.DOUBLE) {
      return "(" + real(left) + " " + operator + " " + real(right) + ")";
    }
    return exact("(" + wide(left) + " " + operator + " " + wide(right) + ")", type);
  }

  /** Wide enough for every sum and product of what policies declare. */
  private String wide(Operand operand) {
    if (operand.type().scale() > 20) {
      throw dialect.unsupported("Arithmetic with more than 20 decimals");
    }
    return operand.type().kind() == Type.Kind.DOUBLE
        ? operand.sql()
        : "CAST(" + operand.sql() + " AS " + WIDE + ")";
  }

  private String fitted(String sql, Operand operand, Type type) {
    return operand.type().kind() == Type.Kind.DOUBLE
        ? "(" + sql + ")"
        : exact("(" + sql + ")", type);
  }

  private String exact(String sql, Type type) {
    return dialect.cast(sql, Type.decimal(38, 20), type);
  }

  private String divide(List<Operand> args, Type type) {
    if (type.isInteger()) {
      String b = "NULLIF(" + wide(args.get(1)) + ", 0)";
      return exact("TRUNC(" + wide(args.get(0)) + " / " + b + ")", type);
    }
    String quotient = "(" + real(args.get(0)) + " / NULLIF(" + real(args.get(1)) + ", 0))";
    return dialect.cast(quotient, Type.DOUBLE, type);
  }

  private String modulo(List<Operand> args, Type type) {
    if (type.kind() == Type.Kind.DOUBLE) {
      throw dialect.unsupported("MOD of floats");
    }
    return exact("MOD(" + wide(args.get(0)) + ", NULLIF(" + wide(args.get(1)) + ", 0))", type);
  }

  /** LEAST and GREATEST are NULL in Vertica as soon as one argument is. */
  private String extreme(String function, List<Operand> args, Type type) {
    List<String> values = args.stream().map(a -> as(a, type)).toList();
    if (values.size() != 2) {
      throw dialect.unsupported(function + " of more than two values");
    }
    String list = String.join(", ", values);
    return "COALESCE(" + function + "(" + list + "), " + list + ")";
  }

  private String substring(List<Operand> args) {
    long from = dialect.constant(args.get(1), "SUBSTRING");
    long length = args.size() > 2 ? dialect.constant(args.get(2), "SUBSTRING") : 0;
    if (from < 1 || length < 0) {
      throw dialect.unsupported("SUBSTRING before the first character");
    }
    String rest = args.size() > 2 ? ", " + length : "";
    return "SUBSTR(" + text(args.get(0)) + ", " + from + rest + ")";
  }

  private long count(List<Operand> args, Spelled function) {
    long n = dialect.constant(args.get(1), function.name());
    if (n < 0) {
      throw dialect.unsupported(function + " with a negative number");
    }
    return n;
  }

  /** What is searched for: a constant that is not empty, of which databases think differently. */
  private String needle(Operand operand) {
    if (operand.expr() instanceof Expr.Literal literal
        && literal.value() instanceof String text
        && !text.isEmpty()) {
      return text(operand);
    }
    throw dialect.unsupported("A search for a text that is not constant");
  }

  private String like(String operator, List<Operand> args) {
    String pattern = SqlText.quoted(LikePattern.of(args).text(), "CHR(0)");
    return "(" + text(args.get(0)) + " " + operator + " " + pattern + " ESCAPE '\\')";
  }

  private String extract(String unit, Operand from) {
    String field =
        switch (unit) {
          case "WEEK" -> "ISOWEEK";
          case "ISOYEAR" -> "ISOYEAR";
          default -> unit;
        };
    return "CAST(FLOOR(EXTRACT(" + field + " FROM " + from.sql() + ")) AS INTEGER)";
  }

  private String truncate(String unit, Operand value, Type type) {
    if (value.type().kind() == Type.Kind.DATE && Units.isWithinDay(unit)) {
      return value.sql();
    }
    String at = as(value, Type.TIMESTAMP);
    String sql = "DATE_TRUNC('" + unit.toLowerCase(Locale.ROOT) + "', " + at + ")";
    return dialect.cast(sql, Type.TIMESTAMP, type);
  }

  /** Constants only, and short ones, so that no date leaves the calendar. */
  private String add(Operand value, Operand interval, Type type) {
    if (!(interval.expr() instanceof Expr.Literal literal) || literal.isNull()) {
      throw dialect.unsupported("Adding an interval that is not constant");
    }
    long n = (Long) literal.value();
    boolean months = interval.type().kind() == Type.Kind.INTERVAL_MONTHS;
    long days = n / 86_400_000_000L;
    if (months ? Math.abs(n) > 120_000 : n % 1_000_000 != 0 || Math.abs(days) > 3_650_000) {
      throw dialect.unsupported("Adding so long or so fine an interval");
    }
    String at = as(value, Type.TIMESTAMP);
    String sum =
        months
            ? "TIMESTAMPADD(MONTH, " + n + ", " + at + ")"
            : "TIMESTAMPADD(SECOND, " + n / 1_000_000 + ", " + at + ")";
    return dialect.cast(sum, Type.TIMESTAMP, type);
  }

  /** Boundaries crossed; Vertica's weeks would begin on Sunday. */
  private String difference(String unit, Operand from, Operand to) {
    return switch (unit) {
      case "YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND" ->
          "TIMESTAMPDIFF(" + unit + ", " + start(unit, from) + ", " + start(unit, to) + ")";
      case "WEEK" ->
          "(TIMESTAMPDIFF(DAY, " + start(unit, from) + ", " + start(unit, to) + ") // 7)";
      default -> throw dialect.unsupported("A difference in " + unit);
    };
  }

  private String start(String unit, Operand value) {
    String at = as(value, Type.TIMESTAMP);
    return "DATE_TRUNC('" + unit.toLowerCase(Locale.ROOT) + "', " + at + ")";
  }
}
