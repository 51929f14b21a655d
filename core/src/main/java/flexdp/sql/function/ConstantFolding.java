package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Computes expressions over constants where every database gives the same: text of ASCII, whole
 * numbers, parts of dates. Whatever is beyond that, or has no value, is left to the database.
 */
public final class ConstantFolding {
  private static final int LONGEST = 10_000;

  private ConstantFolding() {}

  /** A constant in place of an expression over constants; otherwise the expression itself. */
  public static Expr of(Expr expr) {
    return switch (expr) {
      case Expr.Call call -> folded(call).<Expr>map(v -> v).orElse(call);
      case Expr.Cast cast -> text(cast).<Expr>map(v -> v).orElse(cast);
      case Expr.Ref ref -> ref;
      case Expr.Literal literal -> literal;
      case Expr.Case choice -> choice;
    };
  }

  /** A whole number as text. */
  private static Optional<Expr.Literal> text(Expr.Cast cast) {
    return cast.type().equals(Type.VARCHAR)
            && cast.operand() instanceof Expr.Literal literal
            && literal.type().isInteger()
            && literal.value() instanceof BigDecimal number
        ? Optional.of(new Expr.Literal(number.toBigInteger().toString(), Type.VARCHAR))
        : Optional.empty();
  }

  private static Optional<Expr.Literal> folded(Expr.Call call) {
    List<Object> values = new ArrayList<>();
    for (Expr argument : call.arguments()) {
      if (!(of(argument) instanceof Expr.Literal literal) || literal.isNull()) {
        return Optional.empty();
      }
      values.add(literal.value());
    }
    return Optional.ofNullable(value(call, values)).map(v -> new Expr.Literal(v, call.type()));
  }

  private static Object value(Expr.Call call, List<Object> a) {
    boolean whole = call.type().isInteger();
    return switch (call.function()) {
      case CONCAT -> a.stream().allMatch(ConstantFolding::isPlain) ? joined(a) : null;
      case COALESCE -> isPlain(a.get(0)) ? a.get(0) : null;
      case LOWER, UPPER, TRIM, LTRIM, RTRIM, REVERSE ->
          isPlain(a.get(0)) ? changed(call.function(), (String) a.get(0)) : null;
      case LEFT, RIGHT -> isPlain(a.get(0)) ? part(call.function(), a) : null;
      case DIVIDE, MOD -> whole ? divided(call.function(), a) : null;
      case EXTRACT -> a.get(1) instanceof LocalDate day ? part((String) a.get(0), day) : null;
      case DATE_DIFF ->
          a.get(0).equals("DAY")
                  && a.get(1) instanceof LocalDate from
                  && a.get(2) instanceof LocalDate to
              ? BigDecimal.valueOf(ChronoUnit.DAYS.between(from, to))
              : null;
      default -> null;
    };
  }

  private static boolean isPlain(Object value) {
    return value instanceof String text
        && text.length() <= LONGEST
        && text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static String joined(List<Object> parts) {
    StringBuilder all = new StringBuilder();
    parts.forEach(all::append);
    return all.length() <= LONGEST ? all.toString() : null;
  }

  private static String changed(Function function, String text) {
    return switch (function) {
      case LOWER -> text.toLowerCase(Locale.ROOT);
      case UPPER -> text.toUpperCase(Locale.ROOT);
      case TRIM -> text.strip();
      case LTRIM -> text.stripLeading();
      case RTRIM -> text.stripTrailing();
      default -> new StringBuilder(text).reverse().toString();
    };
  }

  /** The first or last so many characters; fewer than none is left to the database. */
  private static String part(Function function, List<Object> a) {
    String text = (String) a.get(0);
    if (!(a.get(1) instanceof BigDecimal count) || count.signum() < 0) {
      return null;
    }
    int kept = count.min(BigDecimal.valueOf(text.length())).intValue();
    return function == Function.LEFT
        ? text.substring(0, kept)
        : text.substring(text.length() - kept);
  }

  /** Towards zero, the rest with the sign of what is divided. */
  private static BigDecimal divided(Function function, List<Object> a) {
    if (!(a.get(0) instanceof BigDecimal x)
        || !(a.get(1) instanceof BigDecimal y)
        || y.signum() <= 0) {
      return null;
    }
    BigInteger[] both = x.toBigInteger().divideAndRemainder(y.toBigInteger());
    return new BigDecimal(function == Function.DIVIDE ? both[0] : both[1]);
  }

  private static BigDecimal part(String unit, LocalDate day) {
    return switch (unit) {
      case "YEAR" -> BigDecimal.valueOf(day.getYear());
      case "QUARTER" -> BigDecimal.valueOf(day.get(IsoFields.QUARTER_OF_YEAR));
      case "MONTH" -> BigDecimal.valueOf(day.getMonthValue());
      case "DAY" -> BigDecimal.valueOf(day.getDayOfMonth());
      case "DOY" -> BigDecimal.valueOf(day.getDayOfYear());
      case "DOW" -> BigDecimal.valueOf(day.getDayOfWeek().getValue() % 7);
      default -> null;
    };
  }
}
