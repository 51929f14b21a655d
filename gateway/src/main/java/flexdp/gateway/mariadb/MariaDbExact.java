package flexdp.gateway.mariadb;

import static flexdp.gateway.mariadb.MariaDb.once;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.Sql;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

/**
 * Exact arithmetic. How many digits a result can have is known beforehand: where 64 bits or the
 * declared type might not hold it, it is computed in decimals and checked. A sum of sums is checked
 * once, at the end; only what leaves the declared type there is NULL.
 */
final class MariaDbExact {
  /** Digits that 64 bits always hold. */
  private static final int MACHINE = 18;

  /** Two numbers of this size have a product of less than the 65 digits that MariaDB has. */
  private static final int UNCHECKED = 30;

  /** A product of more digits before the point raises, unless both are columns as they are. */
  private static final int SAFE = 2 * UNCHECKED;

  /** What a BIGINT UNSIGNED is read as. */
  private static final Type UNSIGNED_BIGINT = Type.decimal(20, 0);

  private static final Set<Function> UNWRAPPED =
      Set.of(Function.PLUS, Function.MINUS, Function.TIMES, Function.NEGATE, Function.ABS);

  /**
   * How large a number can be.
   *
   * @param limit a whole number that its absolute value stays below
   */
  private record Size(BigInteger limit, int scale) {
    static Size of(Type type) {
      BigInteger limit =
          type.isInteger()
              ? MariaDbCasts.low(type).negate().add(BigInteger.ONE)
              : BigInteger.TEN.pow(MariaDbExact.whole(type));
      return new Size(limit, type.scale());
    }

    static Size of(BigDecimal number) {
      BigInteger limit = number.abs().toBigInteger().add(BigInteger.ONE);
      return new Size(limit, Math.max(0, number.scale()));
    }

    int whole() {
      return limit.subtract(BigInteger.ONE).toString().length();
    }

    int digits() {
      return whole() + scale;
    }

    /** One more whole number, to which it may be rounded up. */
    Size more() {
      return new Size(limit.add(BigInteger.ONE), scale);
    }

    Size withScale(int other) {
      return new Size(limit, other);
    }
  }

  private MariaDbExact() {}

  /** Digits before the point. */
  static int whole(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> 1;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case DECIMAL -> type.precision() - type.scale();
      default -> throw new IllegalArgumentException("not an exact type: " + type);
    };
  }

  static boolean isExact(List<RenderedExpression> args) {
    return args.stream().allMatch(a -> a.type().isExact());
  }

  /** The operator on exact operands, or NULL where the type does not hold the result. */
  static String binary(MariaDb dialect, String operator, List<RenderedExpression> args, Type type) {
    Size one = size(args.get(0).expr());
    Size two = size(args.get(1).expr());
    Size result = combined(operator.equals("*"), one, two);
    String left = operand(args.get(0), result);
    String right = operand(args.get(1), result);
    String sql = "(" + left + " " + operator + " " + right + ")";
    boolean fails = operator.equals("*") && result.whole() > SAFE;
    return fitted(dialect, fails ? few(left, right, sql) : sql, result, type);
  }

  /** A product that is far beyond every type is none: floats tell, which it cannot overflow. */
  private static String few(String left, String right, String product) {
    String far = "ABS(CAST(" + left + " AS DOUBLE) * CAST(" + right + " AS DOUBLE))";
    return "(CASE WHEN " + far + " < 1e40 THEN " + product + " END)";
  }

  /** Minus or ABS. */
  static String unary(MariaDb dialect, String function, RenderedExpression value, Type type) {
    Size size = size(value.expr());
    String sql = "(" + function + "(" + operand(value, size) + "))";
    return fitted(dialect, sql, size, type);
  }

  /** FLOOR, CEIL or ROUND to whole numbers; 9.5 may become 10. */
  static String rounded(MariaDb dialect, String function, RenderedExpression value, Type type) {
    Size size = size(value.expr());
    String sql = "(" + function + "(" + operand(value, size) + "))";
    return fitted(dialect, sql, (size.scale() > 0 ? size.more() : size).withScale(0), type);
  }

  /** Rounded to a number of decimals, which may be negative. */
  static String rounded(MariaDb dialect, RenderedExpression value, int decimals, Type type) {
    Size size = size(value.expr());
    String sql = "ROUND(" + operand(value, size) + ", " + decimals + ")";
    Size ten = new Size(size.limit().multiply(BigInteger.TEN), size.scale());
    return fitted(dialect, sql, ten, type);
  }

  /** The quotient without its fraction: enough decimals are kept that none is rounded up. */
  static String quotient(MariaDb dialect, List<RenderedExpression> args, Type type) {
    String sql =
        Sql.of(
            "TRUNCATE(CAST({x} AS DECIMAL(45, 25)) / {y}, 0)",
            args.get(0).sql(),
            args.get(1).sql());
    // The least number divided by -1 is one too large.
    return fitted(dialect, sql, Size.of(args.get(0).type()).more().withScale(0), type);
  }

  static String remainder(MariaDb dialect, List<RenderedExpression> args, Type type) {
    Size one = size(args.get(0).expr());
    Size two = size(args.get(1).expr());
    Size wide = Size.of(Type.BIGINT).withScale(Math.max(one.scale(), two.scale()));
    String sql = "MOD(" + operand(args.get(0), wide) + ", " + operand(args.get(1), wide) + ")";
    return fitted(dialect, sql, one.withScale(wide.scale()), type);
  }

  private static String fitted(MariaDb dialect, String sql, Size size, Type type) {
    if (type.isInteger()) {
      String round = size.scale() > 0 ? "ROUND(" + sql + ")" : sql;
      return size.whole() < whole(type) ? round : MariaDbCasts.within(round, type);
    }
    if (type.kind() == Type.Kind.DECIMAL) {
      if (size.whole() <= whole(type) && size.scale() <= type.scale()) {
        return sql;
      }
      String most = BigDecimal.TEN.pow(whole(type)).toPlainString();
      String name = dialect.typeName(type);
      return once(
          sql,
          v ->
              "(CASE WHEN ABS(" + v + ") < " + most + " THEN CAST(" + v + " AS " + name + ") END)");
    }
    return "CAST(" + sql + " AS DOUBLE)";
  }

  private static Size combined(boolean product, Size one, Size two) {
    return product
        ? new Size(one.limit().multiply(two.limit()), one.scale() + two.scale())
        : new Size(one.limit().add(two.limit()), Math.max(one.scale(), two.scale()));
  }

  /** How large the text of {@link #operand} can be. */
  private static Size size(Expr expr) {
    Size unchecked = unchecked(expr);
    return unchecked.digits() <= UNCHECKED ? unchecked : Size.of(expr.type());
  }

  private static Size unchecked(Expr expr) {
    if (expr instanceof Expr.Literal literal && literal.value() instanceof BigDecimal number) {
      return Size.of(number);
    }
    if (!isInteger(expr)) {
      return Size.of(expr.type());
    }
    Expr.Call call = (Expr.Call) expr;
    Size one = size(call.arguments().get(0));
    return call.arguments().size() == 1
        ? one
        : combined(call.function() == Function.TIMES, one, size(call.arguments().get(1)));
  }

  /** Arithmetic of integers, whose text may have a check of its own around it. */
  private static boolean isInteger(Expr expr) {
    return expr instanceof Expr.Call call
        && UNWRAPPED.contains(call.function())
        && expr.type().isInteger()
        && call.arguments().stream().allMatch(a -> a.type().isInteger());
  }

  /** The operand without its check where it can do without, in decimals where 64 bits are few. */
  private static String operand(RenderedExpression value, Size result) {
    String sql = value.sql();
    if (isInteger(value.expr()) && unchecked(value.expr()).digits() <= UNCHECKED) {
      sql = withoutCheck(sql, value.type());
    }
    if (value.type().isInteger() && result.digits() > MACHINE) {
      return "CAST(" + sql + " AS DECIMAL(" + Math.max(19, size(value.expr()).whole()) + ", 0))";
    }
    return hasSign(value.expr()) ? sql : "CAST(" + sql + " AS " + withSign(value.type()) + ")";
  }

  /**
   * Whether arithmetic on it is that of numbers with a sign. A column may be UNSIGNED or a YEAR,
   * with which the database computes without a sign: it raises below zero. Columns are compared and
   * joined as they are, for the sake of their indexes.
   */
  private static boolean hasSign(Expr expr) {
    return expr instanceof Expr.Literal
        || isInteger(expr)
        || !expr.type().isInteger() && !expr.type().equals(UNSIGNED_BIGINT);
  }

  private static String withSign(Type type) {
    return type.isInteger() ? "SIGNED" : "DECIMAL(20, 0)";
  }

  /** Undoes {@link MariaDbCasts#within}, whose text holds the value twice. */
  private static String withoutCheck(String sql, Type type) {
    int around = MariaDbCasts.within("", type).length();
    int length = (sql.length() - around) / 2;
    int start = "(CASE WHEN ".length();
    if (length <= 0 || start + length > sql.length()) {
      return sql;
    }
    String inner = sql.substring(start, start + length);
    return MariaDbCasts.within(inner, type).equals(sql) ? inner : sql;
  }
}
