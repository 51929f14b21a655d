package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.render.FunctionSpelling;
import flexdp.gateway.render.FunctionTable;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.gateway.render.TimeUnits;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** MariaDB's spelling of the functions. */
final class MariaDbFunctions extends FunctionSpelling {
  private final MariaDb dialect;
  private final MariaDbReal reals;

  MariaDbFunctions(MariaDb dialect) {
    super(dialect, FunctionTable.Each::mariadb);
    this.dialect = dialect;
    this.reals = new MariaDbReal(dialect);
  }

  @Override
  protected String own(Function function, List<RenderedExpression> args, Type type) {
    return switch (function) {
      case PLUS -> arithmetic("+", args, type);
      case MINUS -> arithmetic("-", args, type);
      case TIMES -> arithmetic("*", args, type);
      case DIVIDE ->
          type.isInteger() && MariaDbExact.isExact(args)
              ? MariaDbExact.quotient(dialect, args, type)
              : reals.divide(args, type);
      case MOD ->
          isExact(args, type)
              ? MariaDbExact.remainder(dialect, args, type)
              : reals.modulo(args, type);
      case NEGATE ->
          type.isInterval()
              ? MariaDbDates.negated(args.get(0))
              : isExact(args, type)
                  ? MariaDbExact.unary(dialect, "-", args.get(0), type)
                  : reals.negate(args.get(0), type);
      case ABS ->
          isExact(args, type)
              ? MariaDbExact.unary(dialect, "ABS", args.get(0), type)
              : dialect.cast("ABS(" + reals.real(args.get(0)) + ")", Type.DOUBLE, type);
      case FLOOR -> whole("FLOOR", args.get(0), type);
      case CEIL -> whole("CEILING", args.get(0), type);
      case ROUND -> round(args, type);
      case EXP -> reals.exponential(args.getFirst(), type);
      case POWER -> reals.power(args, type);
      case LEAST, GREATEST -> extreme(function.name(), args, type);
      case CONCAT -> MariaDb.cut("CONCAT(" + texts(args) + ")");
      case TRIM, LTRIM, RTRIM -> function.name() + "(" + text(onlySpaces(args)) + ")";
      case LOWER_ASCII -> ascii(text(args.get(0)), 'A', 'a');
      case UPPER_ASCII -> ascii(text(args.get(0)), 'a', 'A');
      case SUBSTRING -> substring(args);
      case REPLACE -> replace(args);
      case LEFT, RIGHT -> part(function.name(), args);
      case LIKE -> like("{x}", args);
      case ILIKE -> like("LOWER({x})", args);
      case STARTS_WITH ->
          once(
              text(args.get(1)),
              v -> Sql.of("(LEFT({x}, CHAR_LENGTH({v})) = {v})", text(args.get(0)), v));
      case EXTRACT ->
          dialect.cast(MariaDbDates.extract(TimeUnits.of(args), args.get(1)), Type.BIGINT, type);
      case DATE_TRUNC -> MariaDbDates.truncate(TimeUnits.of(args), args.get(1), type);
      case DATE_ADD -> MariaDbDates.add(dialect, args.get(0), args.get(1), type);
      case DATE_DIFF -> MariaDbDates.difference(TimeUnits.of(args), args.get(1), args.get(2));
      default -> throw unspelled(function);
    };
  }

  /** NULL at any NULL; MariaDB does not look at the new text unless the old one is there. */
  private String replace(List<RenderedExpression> args) {
    String sql = MariaDb.cut("REPLACE(" + texts(args) + ")");
    boolean present = args.get(2).expr() instanceof Expr.Literal literal && !literal.isNull();
    return present
        ? sql
        : once(text(args.get(2)), to -> "(CASE WHEN " + to + " IS NOT NULL THEN " + sql + " END)");
  }

  /** REPLACE looks at bytes, and a letter of ASCII is one. */
  private static String ascii(String text, char from, char to) {
    String other = text;
    for (int i = 0; i < 26; i++) {
      other = "REPLACE(" + other + ", '" + (char) (from + i) + "', '" + (char) (to + i) + "')";
    }
    return other;
  }

  private static boolean isExact(List<RenderedExpression> args, Type type) {
    return type.isExact() && MariaDbExact.isExact(args);
  }

  private String arithmetic(String operator, List<RenderedExpression> args, Type type) {
    if (type.isInterval()) {
      return switch (operator) {
        case "*" -> MariaDbDates.times(args.get(0), args.get(1));
        case "+" -> MariaDbDates.sum(args.get(0), args.get(1));
        default -> MariaDbDates.between(args.get(1), args.get(0));
      };
    }
    return isExact(args, type)
        ? MariaDbExact.binary(dialect, operator, args, type)
        : reals.arithmetic(operator, args, type);
  }

  private String whole(String function, RenderedExpression value, Type type) {
    return value.type().isExact()
        ? MariaDbExact.rounded(dialect, function, value, type)
        : dialect.cast("(" + function + "(" + value.sql() + ") + 0e0)", Type.DOUBLE, type);
  }

  private String round(List<RenderedExpression> args, Type type) {
    int decimals = digits(args, 30);
    return args.get(0).type().isExact()
        ? MariaDbExact.rounded(dialect, args.get(0), decimals, type)
        : dialect.cast(reals.rounded(args.get(0), decimals), Type.DOUBLE, type);
  }

  /** The least or greatest of what is not NULL, as elsewhere; MariaDB's own is NULL at any NULL. */
  private String extreme(String function, List<RenderedExpression> args, Type type) {
    List<String> values = args.stream().map(a -> as(a, type)).toList();
    if (values.size() == 1) {
      return values.getFirst();
    }
    String all = String.join(", ", values);
    return once(
        all,
        ignored ->
            IntStream.range(0, values.size())
                .mapToObj(
                    i ->
                        Stream.concat(
                                values.subList(i, values.size()).stream(),
                                values.subList(0, i).stream())
                            .collect(Collectors.joining(", ", "COALESCE(", ")")))
                .collect(Collectors.joining(", ", function + "(", ")")));
  }

  /** Positions before the first character take up length, as the standard has it. */
  private String substring(List<RenderedExpression> args) {
    String text = text(args.get(0));
    String from = count(args.get(1));
    String start = "GREATEST(" + from + ", 1)";
    if (args.size() < 3) {
      return "SUBSTRING(" + text + ", " + start + ")";
    }
    return once(
        count(args.get(2)),
        length ->
            once(
                from,
                f ->
                    Sql.of(
                        "(CASE WHEN {n} >= 0 THEN SUBSTRING({text}, {start}, GREATEST({n} +"
                            + " LEAST({f} - 1, 0), 0)) END)",
                        length,
                        text,
                        start,
                        f)));
  }

  /** A negative number leaves out so many characters at the other end. */
  private String part(String function, List<RenderedExpression> args) {
    String count = count(args.get(1));
    boolean positive =
        args.get(1).expr() instanceof Expr.Literal literal
            && literal.value() instanceof BigDecimal number
            && number.signum() >= 0;
    if (positive) {
      return function + "(" + text(args.get(0)) + ", " + count + ")";
    }
    return once(
        text(args.get(0)),
        text ->
            once(
                count,
                n ->
                    Sql.of(
                        "{function}({x}, CASE WHEN {n} >= 0 THEN {n} ELSE GREATEST(CHAR_LENGTH({x})"
                            + " + {n}, 0) END)",
                        function,
                        text,
                        n)));
  }

  /** A position or length within a billion, where nothing overflows. */
  private String count(RenderedExpression operand) {
    if (operand.expr() instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal number) {
      return "(" + Math.clamp(number.longValue(), -1_000_000_000L, 1_000_000_000L) + ")";
    }
    String whole = whole(operand);
    return "LEAST(GREATEST(CAST(" + whole + " AS SIGNED), -1000000000), 1000000000)";
  }

  /** No escape character unless one was given. */
  private String like(String each, List<RenderedExpression> args) {
    return Sql.of(
        "({text} LIKE {pattern} ESCAPE {escape})",
        Sql.of(each, text(args.get(0))),
        Sql.of(each, args.get(1).sql()),
        args.size() > 2 ? args.get(2).sql() : "''");
  }

  /** MariaDB takes off one text again and again, and not one of several characters. */
  private static RenderedExpression onlySpaces(List<RenderedExpression> args) {
    if (args.size() > 1) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "MariaDB takes off spaces alone.",
          "Write TRIM(BOTH ' ' FROM x), LTRIM(x, ' ') or RTRIM(x, ' ').");
    }
    return args.get(0);
  }
}
