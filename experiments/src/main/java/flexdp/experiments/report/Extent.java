package flexdp.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** From where to where an axis goes, and the numbers written at it. */
record Extent(double low, double high, boolean log) {
  private static final int TICKS = 6;
  private static final int MOST_POWERS = 8;

  /** Wide enough for all values; linear axes of heights start at zero. */
  static Extent of(DoubleStream values, boolean log, boolean fromZero) {
    double[] seen = values.filter(v -> Double.isFinite(v) && (!log || v > 0)).toArray();
    double least = DoubleStream.of(seen).min().orElse(log ? 1 : 0);
    double most = DoubleStream.of(seen).max().orElse(log ? 10 : 1);
    if (log) {
      double floor = Math.floor(Math.log10(least) + 1e-9);
      double ceiling = Math.ceil(Math.log10(most) - 1e-9);
      return new Extent(floor, ceiling <= floor ? floor + 1 : ceiling, true);
    }
    double from = fromZero ? Math.min(0, least) : least;
    double to = fromZero ? Math.max(0, most) : most;
    if (to <= from) {
      to = from + 1;
    }
    double step = step(from, to);
    return new Extent(Math.floor(from / step) * step, Math.ceil(to / step - 1e-9) * step, false);
  }

  /** Where a value stands, from 0 at the low end to 1 at the high end. */
  double at(double value) {
    double v = !log ? value : value > 0 ? Math.log10(value) : low;
    return Math.clamp((v - low) / (high - low), 0, 1);
  }

  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (log) {
      int stride = (int) Math.ceil((high - low) / MOST_POWERS);
      for (double power = low; power <= high; power += stride) {
        ticks.add(Math.pow(10, power));
      }
      return ticks;
    }
    double step = step(low, high);
    for (long i = Math.round(low / step); i * step <= high + step / 2; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  private static double step(double from, double to) {
    double raw = (to - from) / TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double head = raw / power;
    return power * (head <= 1 ? 1 : head <= 2 ? 2 : head <= 5 ? 5 : 10);
  }

  /** A number as short as it can be at an axis. */
  static String shown(double value) {
    double size = Math.abs(value);
    if (size >= 1e15 || size > 0 && size < 1e-4) {
      return String.format(Locale.ROOT, "%.0e", value);
    }
    String[] units = {"", "k", "M", "G", "T"};
    int unit = 0;
    while (size >= 10_000 && unit < units.length - 1 || size >= 1_000 && unit > 0 && unit < 4) {
      size /= 1_000;
      unit++;
    }
    double scaled = value / Math.pow(1_000, unit);
    String text = String.format(Locale.ROOT, "%.6f", scaled);
    return text.replaceAll("\\.?0+$", "") + units[unit];
  }
}
