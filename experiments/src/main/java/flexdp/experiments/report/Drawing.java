package flexdp.experiments.report;

import flexdp.experiments.report.Chart.Bars;
import flexdp.experiments.report.Chart.Group;
import flexdp.experiments.report.Chart.Histogram;
import flexdp.experiments.report.Chart.Lines;
import flexdp.experiments.report.Chart.Point;
import flexdp.experiments.report.Chart.Scatter;
import flexdp.experiments.report.Chart.Series;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** From charts to SVG. */
final class Drawing {
  private Drawing() {}

  static String of(Chart chart, String label) {
    return switch (chart) {
      case Bars bars -> bars(bars, label);
      case Scatter scatter -> scatter(scatter, label);
      case Lines lines -> lines(lines, label);
      case Histogram histogram -> histogram(histogram, label);
    };
  }

  private static String bars(Bars chart, String label) {
    Svg svg = new Svg();
    Extent y =
        Extent.of(
            chart.groups().stream().flatMap(g -> g.values().stream()).mapToDouble(v -> v),
            chart.y().log(),
            true);
    svg.yAxis(chart.y(), y);
    svg.categories(chart.categories());
    double step = Svg.WIDE / Math.max(1, chart.categories().size());
    int groups = Math.max(1, chart.groups().size());
    double width = Math.min(60, step * 0.78 / groups);
    for (int g = 0; g < chart.groups().size(); g++) {
      Group group = chart.groups().get(g);
      for (int i = 0; i < group.values().size(); i++) {
        double value = group.values().get(i);
        if (Double.isFinite(value)) {
          double left = Svg.LEFT + (i + 0.5) * step + (g - groups / 2.0) * width;
          String name = chart.categories().get(i) + (groups > 1 ? ", " + group.name() : "");
          bar(svg, g, left, width, y, value, name);
        }
      }
    }
    svg.legend(chart.groups().stream().map(Group::name).toList());
    return svg.done(label);
  }

  private static void bar(
      Svg svg, int colour, double left, double width, Extent y, double value, String name) {
    double zero = Svg.y(y.log() ? 0 : y.at(0));
    double top = Svg.y(y.at(value));
    svg.add(
        "<rect class='%s fill' x='%.1f' y='%.1f' width='%.1f' height='%.1f'><title>%s: %s</title>"
            + "</rect>",
        Svg.colour(colour),
        left + 0.5,
        Math.min(zero, top),
        Math.max(0.5, width - 1),
        Math.max(0.5, Math.abs(zero - top)),
        Html.text(name),
        Html.number(value));
  }

  private static Extent extent(
      List<Series> series, ToDoubleFunction<Point> part, boolean log, boolean fromZero) {
    return Extent.of(
        series.stream().flatMap(s -> s.points().stream()).mapToDouble(part), log, fromZero);
  }

  private static String scatter(Scatter chart, String label) {
    Svg svg = new Svg();
    Extent x = extent(chart.series(), Point::x, chart.x().log(), false);
    Extent y = extent(chart.series(), Point::y, chart.y().log(), true);
    svg.yAxis(chart.y(), y);
    svg.xAxis(chart.x(), x);
    for (int s = 0; s < chart.series().size(); s++) {
      // Ten thousand dots are one path, and dots on the same spot are drawn once.
      Set<String> drawn = new HashSet<>();
      StringBuilder path = new StringBuilder();
      for (Point point : chart.series().get(s).points()) {
        String spot = spot(x, y, point);
        if (drawn.add(spot)) {
          path.append('M').append(spot).append("h0");
        }
      }
      svg.add("<path class='%s dots' d='%s'/>", Svg.colour(s), path);
    }
    svg.legend(chart.series().stream().map(Series::name).toList());
    return svg.done(label);
  }

  private static String spot(Extent x, Extent y, Point point) {
    return String.format(Locale.ROOT, "%.1f %.1f", Svg.x(x.at(point.x())), Svg.y(y.at(point.y())));
  }

  private static String lines(Lines chart, String label) {
    Svg svg = new Svg();
    Extent x = extent(chart.series(), Point::x, chart.x().log(), false);
    Extent y = extent(chart.series(), Point::y, chart.y().log(), true);
    svg.yAxis(chart.y(), y);
    svg.xAxis(chart.x(), x);
    for (int s = 0; s < chart.series().size(); s++) {
      StringBuilder path = new StringBuilder();
      String before = "";
      for (Point point : chart.series().get(s).points()) {
        String spot = spot(x, y, point);
        if (!spot.equals(before)) {
          path.append(path.isEmpty() ? 'M' : 'L').append(spot);
        }
        before = spot;
      }
      svg.add("<path class='%s line' d='%s'/>", Svg.colour(s), path);
    }
    svg.legend(chart.series().stream().map(Series::name).toList());
    return svg.done(label);
  }

  private static String histogram(Histogram chart, String label) {
    Svg svg = new Svg();
    Extent x = Extent.of(chart.edges().stream().mapToDouble(v -> v), chart.x().log(), false);
    Extent y = Extent.of(chart.counts().stream().mapToDouble(v -> v), chart.y().log(), true);
    svg.yAxis(chart.y(), y);
    svg.xAxis(chart.x(), x);
    for (int i = 0; i < chart.counts().size(); i++) {
      double left = Svg.x(x.at(chart.edges().get(i)));
      double right = Svg.x(x.at(chart.edges().get(i + 1)));
      String name =
          Html.number(chart.edges().get(i)) + " to " + Html.number(chart.edges().get(i + 1));
      if (chart.counts().get(i) > 0) {
        bar(svg, 0, left, right - left, y, chart.counts().get(i), name);
      }
    }
    return svg.done(label);
  }
}
