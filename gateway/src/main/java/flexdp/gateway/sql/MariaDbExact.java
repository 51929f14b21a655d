package flexdp.gateway.sql;

import static flexdp.gateway.sql.MariaDb.once;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
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

  private static final Set<Function> UNWRAPPED =
      Set.of(Function.PLUS, Function.MINUS, Function.TIMES, Function.NEGATE, Function.ABS);

  /** Digits before and after the point. */
  private record Size(int whole, int scale) {
    static Size of(Type type) {
      return new Size(MariaDbExact.whole(type), type.scale());
    }

    int digits() {
      return whole + scale;
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

  static boolean isExact(List<Operand> args) {
    return args.stream().allMatch(a -> a.type().isExact());
  }

  /** The operator on exact operands, or NULL where the type does not hold the result. */
  static String binary(MariaDb dialect, Function function, List<Operand> args, Type type) {
    Size one = size(args.get(0).expr());
    Size two = size(args.get(1).expr());
    Size result = combined(function, one, two);
    String sign = function == Function.PLUS ? " + " : function == Function.MINUS ? " - " : " * ";
    String sql = "(" + operand(args.get(0), result) + sign + operand(args.get(1), result) + ")";
    return fitted(dialect, sql, result, type);
  }

  /** Minus or ABS. */
  static String unary(MariaDb dialect, String function, Operand value, Type type) {
    Size size = size(value.expr());
    String sql = "(" + function + "(" + operand(value, size) + "))";
    return fitted(dialect, sql, size, type);
  }

  /** FLOOR, CEIL or ROUND to whole numbers; 9.5 may become 10. */
  static String rounded(MariaDb dialect, String function, Operand value, Type type) {
    Size size = size(value.expr());
    String sql = "(" + function + "(" + operand(value, size) + "))";
    return fitted(dialect, sql, new Size(size.whole() + (size.scale() > 0 ? 1 : 0), 0), type);
  }

  /** Rounded to a number of decimals, which may be negative. */
  static String rounded(MariaDb dialect, Operand value, int decimals, Type type) {
    Size size = size(value.expr());
    String sql = "ROUND(" + operand(value, size) + ", " + decimals + ")";
    return fitted(dialect, sql, new Size(size.whole() + 1, size.scale()), type);
  }

  /** The quotient without its fraction: enough decimals are kept that none is rounded up. */
  static String quotient(MariaDb dialect, List<Operand> args, Type type) {
    String sql =
        "TRUNCATE(CAST("
            + args.get(0).sql()
            + " AS DECIMAL(45, 25)) / "
            + args.get(1).sql()
            + ", 0)";
    // The least number divided by -1 is one too large.
    return fitted(dialect, sql, new Size(whole(args.get(0).type()) + 1, 0), type);
  }

  static String remainder(MariaDb dialect, List<Operand> args, Type type) {
    Size one = size(args.get(0).expr());
    Size two = size(args.get(1).expr());
    Size wide = new Size(Math.max(19, one.whole()), Math.max(one.scale(), two.scale()));
    String sql = "MOD(" + operand(args.get(0), wide) + ", " + operand(args.get(1), wide) + ")";
    return fitted(dialect, sql, new Size(one.whole(), wide.scale()), type);
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

  private static Size combined(Function function, Size one, Size two) {
    return function == Function.TIMES
        ? new Size(one.whole() + two.whole(), one.scale() + two.scale())
        : new Size(1 + Math.max(one.whole(), two.whole()), Math.max(one.scale(), two.scale()));
  }

  /** How large the text of {@link #operand} can be. */
  private static Size size(Expr expr) {
    Size unchecked = unchecked(expr);
    return unchecked.digits() <= UNCHECKED ? unchecked : Size.of(expr.type());
  }

  private static Size unchecked(Expr expr) {
    if (!isInteger(expr)) {
      return Size.of(expr.type());
    }
    Expr.Call call = (Expr.Call) expr;
    Size one = size(call.arguments().get(0));
    return call.arguments().size() == 1
        ? one
        : combined(call.function(), one, size(call.arguments().get(1)));
  }

  /** Arithmetic of integers, whose text may have a check of its own around it. */
  private static boolean isInteger(Expr expr) {
    return expr instanceof Expr.Call call
        && UNWRAPPED.contains(call.function())
        && expr.type().isInteger()
        && call.arguments().stream().allMatch(a -> a.type().isInteger());
  }

  /** The operand without its check where it can do without, in decimals where 64 bits are few. */
  private static String operand(Operand value, Size result) {
    String sql = value.sql();
    if (isInteger(value.expr()) && unchecked(value.expr()).digits() <= UNCHECKED) {
      sql = withoutCheck(sql, value.type());
    }
    boolean wide = result.digits() > MACHINE && value.type().isInteger();
    return wide
        ? "CAST(" + sql + " AS DECIMAL(" + Math.max(19, size(value.expr()).whole()) + ", 0))"
        : sql;
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
