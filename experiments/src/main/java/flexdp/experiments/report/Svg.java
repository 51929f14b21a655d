package flexdp.experiments.report;

import flexdp.experiments.report.Chart.Axis;
import java.util.List;
import java.util.Locale;

/** The drawing of one chart: frame, grid, axes, legend, and marks between them. */
final class Svg {
  static final double LEFT = 66;
  static final double TOP = 14;
  static final double WIDE = 640;
  static final double HIGH = 260;
  private static final int COLOURS = 6;

  /** The cosine of 35 degrees. */
  private static final double SLANT = 0.82;

  private final StringBuilder marks = new StringBuilder();
  private double bottom = TOP + HIGH + 22;

  /** How far what is written reaches beyond the frame; nothing is cut. */
  private double leftmost;

  private double topmost;
  private double lowest;
  private double rightmost = LEFT + WIDE + 14;

  /** A text is about this wide, by characters; wider letters have room to spare. */
  private static double width(String text) {
    return text.length() * 7.0;
  }

  private void reach(double left, double right) {
    leftmost = Math.min(leftmost, left - 4);
    rightmost = Math.max(rightmost, right + 4);
  }

  static double x(double part) {
    return LEFT + part * WIDE;
  }

  static double y(double part) {
    return TOP + (1 - part) * HIGH;
  }

  /** The style class of the n-th series. */
  static String colour(int series) {
    return "c" + (series % COLOURS + 1);
  }

  void add(String format, Object... values) {
    marks.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  void yAxis(Axis axis, Extent extent) {
    for (double tick : extent.ticks()) {
      double at = y(extent.at(tick));
      add("<path class='grid' d='M%.1f %.1fh%.1f'/>", LEFT, at, WIDE);
      add(
          "<text class='tick' x='%.1f' y='%.1f' text-anchor='end'>%s</text>",
          LEFT - 6, at + 4, Extent.shown(tick));
    }
    double over = (width(axis.title()) - HIGH) / 2;
    topmost = Math.min(topmost, TOP - over);
    lowest = Math.max(lowest, TOP + HIGH + over);
    add(
        "<text class='title' transform='translate(14 %.1f) rotate(-90)' text-anchor='middle'>"
            + "%s</text>",
        TOP + HIGH / 2, Html.text(axis.title()));
  }

  void xAxis(Axis axis, Extent extent) {
    for (double tick : extent.ticks()) {
      double at = x(extent.at(tick));
      add("<path class='grid' d='M%.1f %.1fv%.1f'/>", at, TOP, HIGH);
      add(
          "<text class='tick' x='%.1f' y='%.1f' text-anchor='middle'>%s</text>",
          at, TOP + HIGH + 17, Extent.shown(tick));
      double half = width(Extent.shown(tick)) / 2;
      reach(at - half, at + half);
    }
    double half = width(axis.title()) / 2;
    reach(LEFT + WIDE / 2 - half, LEFT + WIDE / 2 + half);
    add(
        "<text class='title' x='%.1f' y='%.1f' text-anchor='middle'>%s</text>",
        LEFT + WIDE / 2, TOP + HIGH + 36, Html.text(axis.title()));
    bottom = TOP + HIGH + 44;
  }

  /** Names under bars, slanted when they are too long to stand side by side. */
  void categories(List<String> names) {
    double step = WIDE / Math.max(1, names.size());
    int longest = names.stream().mapToInt(String::length).max().orElse(0);
    boolean slanted = longest * 6.5 > step;
    for (int i = 0; i < names.size(); i++) {
      double at = LEFT + (i + 0.5) * step;
      if (slanted) {
        add(
            "<text class='tick' transform='translate(%.1f %.1f) rotate(-35)' text-anchor='end'>"
                + "%s</text>",
            at + 4, TOP + HIGH + 14, Html.text(names.get(i)));
        reach(at - width(names.get(i)) * SLANT, at);
      } else {
        add(
            "<text class='tick' x='%.1f' y='%.1f' text-anchor='middle'>%s</text>",
            at, TOP + HIGH + 17, Html.text(names.get(i)));
        reach(at - width(names.get(i)) / 2, at + width(names.get(i)) / 2);
      }
    }
    bottom = TOP + HIGH + (slanted ? 22 + longest * 4.1 : 24);
  }

  /** What the colours mean; nothing when there is one only. */
  void legend(List<String> names) {
    if (names.size() < 2) {
      return;
    }
    double at = LEFT;
    bottom += 16;
    for (int i = 0; i < names.size(); i++) {
      double width = 26 + names.get(i).length() * 6.6;
      if (at > LEFT && at + width > LEFT + WIDE) {
        at = LEFT;
        bottom += 18;
      }
      add(
          "<rect class='%s fill' x='%.1f' y='%.1f' width='11' height='11' rx='2'/>",
          colour(i), at, bottom - 10);
      add(
          "<text class='tick' x='%.1f' y='%.1f'>%s</text>",
          at + 16, bottom, Html.text(names.get(i)));
      reach(at, at + 16 + width(names.get(i)));
      at += width;
    }
    bottom += 6;
  }

  String done(String label) {
    return String.format(
            Locale.ROOT,
            "<svg viewBox='%.0f %.0f %.0f %.0f' role='img' aria-label='%s'>%n",
            leftmost,
            topmost,
            rightmost - leftmost,
            Math.max(bottom + 4, lowest) - topmost,
            Html.text(label))
        + marks
        + String.format(
            Locale.ROOT,
            "<path class='axis' d='M%.1f %.1fv%.1fh%.1f'/>%n</svg>",
            LEFT,
            TOP,
            HIGH,
            WIDE);
  }
}
