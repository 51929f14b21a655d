package flexdp.compute;

import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;

/**
 * Functions of numbers, none of them NULL. Exact numbers stay exact; whoever calls converts the
 * outcome to the type that the query gives it.
 */
public final class ArithmeticEvaluation {
  private static final MathContext DIGITS = new MathContext(60, RoundingMode.HALF_UP);

  private ArithmeticEvaluation() {}

  public static Object of(Function function, List<Object> arguments, Type type) {
    Object first = arguments.get(0);
    if (first instanceof Long || arguments.size() > 1 && arguments.get(1) instanceof Long) {
      return interval(function, first, arguments.size() > 1 ? arguments.get(1) : null);
    }
    boolean exact = arguments.stream().allMatch(BigDecimal.class::isInstance);
    boolean transcendental =
        switch (function) {
          case SQRT, LN, LOG10, EXP, POWER -> true;
          default -> false;
        };
    return exact && !transcendental && type.isExact()
        ? exact(function, arguments, type)
        : real(function, arguments);
  }

  private static BigDecimal exact(Function function, List<Object> arguments, Type type) {
    BigDecimal x = (BigDecimal) arguments.get(0);
    BigDecimal y = arguments.size() > 1 ? (BigDecimal) arguments.get(1) : null;
    return switch (function) {
      case PLUS -> x.add(y);
      case MINUS -> x.subtract(y);
      case TIMES -> x.multiply(y);
      case DIVIDE -> y.signum() == 0 ? null : divided(x, y, type);
      case MOD -> y.signum() == 0 ? null : x.remainder(y);
      case NEGATE -> x.negate();
      case ABS -> x.abs();
      case SIGN -> BigDecimal.valueOf(x.signum());
      case FLOOR -> x.setScale(0, RoundingMode.FLOOR);
      case CEIL -> x.setScale(0, RoundingMode.CEILING);
      case ROUND -> x.setScale(y == null ? 0 : digits(y), RoundingMode.HALF_UP);
      default -> throw new IllegalArgumentException("not arithmetic: " + function);
    };
  }

  private static BigDecimal divided(BigDecimal x, BigDecimal y, Type type) {
    return type.isInteger()
        ? x.divide(y, 0, RoundingMode.DOWN)
        : x.divide(y, Math.max(type.scale(), 0), RoundingMode.HALF_UP);
  }

  private static int digits(BigDecimal places) {
    return Math.max(-400, Math.min(400, places.intValue()));
  }

  private static Double real(Function function, List<Object> arguments) {
    double x = number(arguments.get(0));
    double y = arguments.size() > 1 ? number(arguments.get(1)) : 0;
    double value =
        switch (function) {
          case PLUS -> x + y;
          case MINUS -> x - y;
          case TIMES -> x * y;
          case DIVIDE -> y == 0 ? Double.NaN : x / y;
          case MOD -> y == 0 ? Double.NaN : x % y;
          case NEGATE -> -x;
          case ABS -> Math.abs(x);
          case SIGN -> Math.signum(x);
          case FLOOR -> Math.floor(x);
          case CEIL -> Math.ceil(x);
          case ROUND -> rounded(x, arguments.size() > 1 ? (int) y : 0);
          case SQRT -> Math.sqrt(x);
          case LN -> x <= 0 ? Double.NaN : Math.log(x);
          case LOG10 -> x <= 0 ? Double.NaN : Math.log10(x);
          case EXP -> Math.exp(x);
          case POWER -> Math.pow(x, y);
          default -> throw new IllegalArgumentException("not arithmetic: " + function);
        };
    return ValueConversion.finite(value);
  }

  private static double rounded(double x, int places) {
    if (!Double.isFinite(x)) {
      return x;
    }
    return new BigDecimal(x)
        .round(DIGITS)
        .setScale(Math.max(-400, Math.min(400, places)), RoundingMode.HALF_UP)
        .doubleValue();
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  /** Months or microseconds: added to each other, negated, or scaled by a number. */
  private static Object interval(Function function, Object first, Object second) {
    try {
      return switch (function) {
        case PLUS -> Math.addExact((Long) first, (Long) second);
        case MINUS -> Math.subtractExact((Long) first, (Long) second);
        case NEGATE -> Math.negateExact((Long) first);
        case TIMES -> first instanceof Long n ? scaled(n, second) : scaled((Long) second, first);
        default -> null;
      };
    } catch (ArithmeticException e) {
      return null;
    }
  }

  private static Long scaled(long interval, Object factor) {
    BigDecimal by = factor instanceof Double d ? new BigDecimal(d) : (BigDecimal) factor;
    return by.multiply(BigDecimal.valueOf(interval))
        .setScale(0, RoundingMode.HALF_UP)
        .longValueExact();
  }
}
