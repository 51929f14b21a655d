package flexdp.bench;

import flexdp.gateway.api.AnalystView;
import flexdp.query.DpQuery.ResultColumn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Noisy answers to one question, cell by cell beside the true one. A true row that an answer leaves
 * out is wrong by all of its numbers, and so is a row that there is not, unless it says nothing.
 */
final class Cells {
  private static final BigDecimal HALF = new BigDecimal("0.5");
  private static final Set<String> ADDED_UP = Set.of("COUNT", "SUM");

  /** A number of rows that the noise of one heavy person can hide. */
  private static final int FEW = 300;

  private final List<Double> errors = new ArrayList<>();
  private final List<Double> signed = new ArrayList<>();
  private final List<Double> widths = new ArrayList<>();
  private final List<Double> sizes = new ArrayList<>();
  private int bars;
  private int covered;
  private int missing;
  private int invented;
  private int quotients;

  void add(AnalystView answer, TrueAnswer truth, boolean isCutOff) {
    List<Integer> keys = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < answer.columns().size(); i++) {
      switch (answer.columns().get(i).kind()) {
        case KEY, CONSTANT -> keys.add(i);
        case AGGREGATE, DERIVED -> numbers.add(i);
      }
    }
    Map<List<Object>, Integer> places = new HashMap<>();
    for (int row = 0; row < answer.rows().size(); row++) {
      places.put(labels(answer.rows().get(row), keys), row);
    }
    Set<List<Object>> known = new HashSet<>();
    for (List<Object> exact : truth.rows()) {
      List<Object> labels = labels(exact, keys);
      known.add(labels);
      Integer row = places.get(labels);
      for (int column : numbers) {
        if (row == null) {
          missing++;
          wrong();
        } else {
          compare(answer, row, column, exact.get(column));
        }
      }
    }
    for (List<Object> labels : places.keySet()) {
      List<Object> row = answer.rows().get(places.get(labels));
      if (!isCutOff && !known.contains(labels)) {
        for (int column : numbers) {
          if (TrueAnswer.plain(row.get(column)) instanceof BigDecimal n && n.signum() != 0) {
            invented++;
            wrong();
          }
        }
      }
    }
  }

  private void wrong() {
    errors.add(1.0);
    widths.add(Double.POSITIVE_INFINITY);
  }

  private static List<Object> labels(List<Object> row, List<Integer> keys) {
    return keys.stream()
        .map(row::get)
        .map(TrueAnswer::plain)
        .map(value -> value == null ? "NULL" : value)
        .toList();
  }

  private void compare(AnalystView answer, int row, int column, Object exact) {
    Object said = TrueAnswer.plain(answer.rows().get(row).get(column));
    if (exact == null && said == null) {
      return;
    }
    if (!(exact instanceof BigDecimal truth) || !(said instanceof BigDecimal number)) {
      wrong();
      return;
    }
    double size = truth.abs().doubleValue();
    sizes.add(size);
    if (!ADDED_UP.contains(answer.columns().get(column).aggregate())) {
      quotients++;
    }
    double off = number.subtract(truth).doubleValue();
    errors.add(relative(Math.abs(off), size));
    signed.add(off);
    AnalystView.Bar bar = answer.interval(row, column).orElse(null);
    if (bar == null) {
      widths.add(Double.POSITIVE_INFINITY);
      return;
    }
    bars++;
    widths.add(relative(bar.high().subtract(bar.low()).multiply(HALF).doubleValue(), size));
    if (bar.low().compareTo(truth) <= 0 && truth.compareTo(bar.high()) <= 0) {
      covered++;
    }
  }

  private static double relative(double part, double size) {
    return part == 0 ? 0 : size == 0 ? Double.POSITIVE_INFINITY : part / size;
  }

  double error() {
    return median(errors);
  }

  double width() {
    return median(widths);
  }

  /** Whether half of the cells are near the truth, with intervals that can be shown. */
  boolean isNear() {
    return error() <= Scored.ERROR && width() <= Scored.WIDTH;
  }

  int bars() {
    return bars;
  }

  int covered() {
    return covered;
  }

  /** Why the numbers are of no use, in three words; for those that are of none. */
  String weakness() {
    int all = errors.size();
    if (all == 0) {
      return "no rows";
    }
    if (2 * missing > all) {
      return "labels missing";
    }
    if (2 * (missing + invented) > all) {
      return "labels that are not";
    }
    if (2 * bars < all - missing - invented) {
      return error() > Scored.ERROR ? "error, no interval" : "no interval";
    }
    if (error() <= Scored.ERROR) {
      return "wide interval";
    }
    long low = signed.stream().filter(off -> off < 0).count();
    if (low >= 0.85 * signed.size() && signed.size() >= 5) {
      return "cap cuts off";
    }
    if (2 * quotients > sizes.size()) {
      return "noise of a quotient";
    }
    return median(sizes) < FEW ? "too few rows" : "noise";
  }

  static double median(List<Double> values) {
    return median(values.stream().mapToDouble(d -> d).toArray());
  }

  static double median(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Whether a column holds a noisy number. */
  static boolean isNumber(ResultColumn column) {
    return switch (column.kind()) {
      case KEY, CONSTANT -> false;
      case AGGREGATE, DERIVED -> true;
    };
  }
}
