package flexdp.gateway.render;

import flexdp.algebra.Expr;
import java.util.List;
import java.util.Locale;

/** Units of time: they come from our own list, anything else must not reach the text. */
public final class TimeUnits {
  private TimeUnits() {}

  /** The unit that is a function's first argument, in upper case. */
  public static String of(List<RenderedExpression> arguments) {
    String unit =
        String.valueOf(((Expr.Literal) arguments.get(0).expr()).value()).toUpperCase(Locale.ROOT);
    return switch (unit) {
      case "YEAR",
          "QUARTER",
          "MONTH",
          "WEEK",
          "DAY",
          "HOUR",
          "MINUTE",
          "SECOND",
          "DOW",
          "DOY",
          "EPOCH",
          "ISOYEAR" ->
          unit;
      default -> throw new IllegalArgumentException("no such unit: " + unit);
    };
  }

  /** Whether a date has no such part. */
  public static boolean isWithinDay(String unit) {
    return unit.equals("HOUR") || unit.equals("MINUTE") || unit.equals("SECOND");
  }
}
