package flexdp.experiments.report;

import java.util.List;

/** A plot. Every chart is drawn as SVG in the page, in colours that follow light and dark. */
public sealed interface Chart {

  /**
   * An axis of numbers.
   *
   * @param log powers of ten at equal steps; values at or below zero stand at the low end
   */
  record Axis(String title, boolean log) {
    public static Axis linear(String title) {
      return new Axis(title, false);
    }

    public static Axis log(String title) {
      return new Axis(title, true);
    }
  }

  /** A place in a plot. */
  record Point(double x, double y) {}

  /** Points of one colour. */
  record Series(String name, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /** The heights of one colour, one for each category; NaN leaves a gap. */
  record Group(String name, List<Double> values) {
    public Group {
      values = List.copyOf(values);
    }
  }

  /** Bars side by side in each category; one group makes a plain bar chart. */
  record Bars(List<String> categories, Axis y, List<Group> groups) implements Chart {
    public Bars {
      categories = List.copyOf(categories);
      groups = List.copyOf(groups);
      for (Group group : groups) {
        if (group.values().size() != categories.size()) {
          throw new IllegalArgumentException("a value for each category, in " + group.name());
        }
      }
    }
  }

  /** Dots. */
  record Scatter(Axis x, Axis y, List<Series> series) implements Chart {
    public Scatter {
      series = List.copyOf(series);
    }
  }

  /** Lines through points in the given order, such as a CDF. */
  record Lines(Axis x, Axis y, List<Series> series) implements Chart {
    public Lines {
      series = List.copyOf(series);
    }
  }

  /** How many values there are between one edge and the next; one edge more than counts. */
  record Histogram(Axis x, Axis y, List<Double> edges, List<Double> counts) implements Chart {
    public Histogram {
      edges = List.copyOf(edges);
      counts = List.copyOf(counts);
      if (edges.size() != counts.size() + 1) {
        throw new IllegalArgumentException("one edge more than counts");
      }
    }
  }
}
