package flexdp.experiments.utility;

import java.util.Arrays;
import java.util.List;

/** The paper's classes of median error: under 1, 5, 10, 25 and 100 %, and more. */
public final class Classes {
  public static final List<String> NAMES =
      List.of("< 1 %", "1–5 %", "5–10 %", "10–25 %", "25–100 %", "more");
  private static final double[] EDGES = {1, 5, 10, 25, 100};

  private Classes() {}

  public static int of(double error) {
    int at = 0;
    while (at < EDGES.length && error >= EDGES[at]) {
      at++;
    }
    return at;
  }

  /** The share of each class in percent. */
  public static List<Double> shares(List<Double> errors) {
    double[] counts = new double[NAMES.size()];
    errors.forEach(e -> counts[of(e)]++);
    double all = Math.max(1, errors.size());
    return Arrays.stream(counts).map(c -> 100 * c / all).boxed().toList();
  }
}
