package flexdp.bench;

import java.util.Locale;

/**
 * What a figure should be, and whether it is. Beside every row stands one, so that nobody has to
 * know by heart what was promised.
 */
record Aim(String text, boolean met) {
  /** Nothing was promised. */
  static final Aim NONE = new Aim("", true);

  /** At most so much, in the unit of the row. */
  static Aim atMost(double limit, double figure) {
    return new Aim("≤ " + number(limit), figure <= limit);
  }

  static Aim atLeast(double limit, double figure) {
    return new Aim("≥ " + number(limit), figure >= limit);
  }

  /** At most so many times as much. */
  static Aim times(double limit, double than, double figure) {
    return new Aim("≤ " + number(limit) + " ×", figure <= limit * than);
  }

  /** Either that, or so much more: what is done once for a question weighs much on a quick one. */
  Aim or(double more, double than, double figure) {
    return new Aim(text + " or + " + number(more) + " ms", met || figure <= than + more);
  }

  String said() {
    return met ? text : text + " **missed**";
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.valueOf(value);
  }
}
