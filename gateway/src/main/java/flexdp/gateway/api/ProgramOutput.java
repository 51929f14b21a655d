package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * A result of a program: the function that gives it, the range that it is kept in, and what stands
 * for it where the program fails.
 */
public record ProgramOutput(String name, BigDecimal low, BigDecimal high, BigDecimal fallback) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
  private static final int MOST_DIGITS = 15;

  /** A range is cut into at least so many steps. */
  private static final int STEPS = 1_000;

  public ProgramOutput {
    if (!NAME.matcher(name).matches()) {
      throw bad("the name of an output has letters, digits and underscores: " + shortened(name));
    }
    for (BigDecimal number : new BigDecimal[] {low, high, fallback}) {
      BigDecimal plain = number.stripTrailingZeros();
      if (plain.scale() > MOST_DIGITS || plain.precision() - plain.scale() > MOST_DIGITS) {
        throw bad("the range of " + name + " has more than " + MOST_DIGITS + " digits on a side");
      }
    }
    if (low.compareTo(high) >= 0 || fallback.compareTo(low) < 0 || fallback.compareTo(high) > 0) {
      throw bad("the range of " + name + " has to go up, with its default in it");
    }
  }

  /** As in {@code slope:0:10} or {@code slope:0:10:5}; the default is otherwise the middle. */
  public static ProgramOutput parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 3 && parts.length != 4) {
      throw bad("an output is written NAME:LOW:HIGH or NAME:LOW:HIGH:DEFAULT: " + shortened(text));
    }
    BigDecimal low = number(parts[1]);
    BigDecimal high = number(parts[2]);
    BigDecimal middle = low.add(high).divide(BigDecimal.valueOf(2));
    int scale = scale(low, high);
    return new ProgramOutput(
        parts[0],
        low,
        high,
        parts.length == 4 ? number(parts[3]) : middle.setScale(scale, RoundingMode.HALF_EVEN));
  }

  /** The digits after the point that results are rounded to: a thousandth of the range or less. */
  public int scale() {
    return Math.max(scale(low, high), Math.max(0, fallback.stripTrailingZeros().scale()));
  }

  private static int scale(BigDecimal low, BigDecimal high) {
    BigDecimal step = high.subtract(low).divide(BigDecimal.valueOf(STEPS)).stripTrailingZeros();
    // A power of ten at most as large as the step.
    int power = step.scale() - step.precision() + 1;
    int ends = Math.max(low.stripTrailingZeros().scale(), high.stripTrailingZeros().scale());
    return Math.max(0, Math.max(power, ends));
  }

  private static BigDecimal number(String text) {
    try {
      if (text.length() <= 40) {
        return new BigDecimal(text);
      }
    } catch (NumberFormatException e) {
      throw bad("not a number in an output: " + shortened(text));
    }
    throw bad("not a number in an output: " + shortened(text));
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }

  private static ConfigurationError bad(String message) {
    return ConfigurationError.of(
        Code.BAD_USAGE,
        message,
        "Write it as in --output slope:0:10, the default after the range.");
  }

  /** As it is written. */
  @Override
  public String toString() {
    return name
        + ":"
        + low.toPlainString()
        + ":"
        + high.toPlainString()
        + ":"
        + fallback.toPlainString();
  }
}
