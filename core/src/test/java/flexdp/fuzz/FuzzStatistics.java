package flexdp.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.fuzz.SqlGenerator.Feature;
import flexdp.policy.Neighbors;
import flexdp.sensitivity.Bound;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a run of the fuzz has seen: enough of everything, or the run proves little. */
final class FuzzStatistics {
  private final Map<Feature, int[]> byFeature = new EnumMap<>(Feature.class);
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final Map<String, String> examples = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();
  private int asked;
  private int accepted;
  private int notRun;
  private long comparisons;
  private long executions;

  void asked(SqlGenerator.Query query, boolean isAccepted) {
    asked++;
    accepted += isAccepted ? 1 : 0;
    for (Feature feature : query.features()) {
      int[] counts = byFeature.computeIfAbsent(feature, f -> new int[2]);
      counts[0]++;
      counts[1] += isAccepted ? 1 : 0;
    }
  }

  void rejected(SqlGenerator.Query query, Rejection rejection) {
    String reason = rejection.code() + ": " + rejection.getMessage();
    reasons.merge(reason, 1, Integer::sum);
    examples.putIfAbsent(reason, query.sql());
  }

  void executed(int states) {
    executions += states;
  }

  void notRun() {
    notRun++;
  }

  void compared(
      SqlGenerator.Query query,
      Neighbors model,
      String column,
      Bound bound,
      long near,
      BigDecimal atZero,
      long far,
      BigDecimal atOne,
      TinyDatabase database) {
    comparisons += 2;
    if (BigDecimal.valueOf(near).compareTo(atZero) > 0
        || BigDecimal.valueOf(far).compareTo(atOne) > 0) {
      violations.add(
          query.sql()
              + "\n  "
              + model.word()
              + ", "
              + column
              + ": "
              + bound.formula()
              + "\n  at distance 0 the answer changes by "
              + near
              + ", the bound is "
              + atZero
              + "; at 1 by "
              + far
              + ", the bound is "
              + atOne
              + "\n  "
              + shown(database));
    }
    if (model == Neighbors.ADD_REMOVE_ONE && near > 0) {
      ratios.add(atZero.doubleValue() / near);
    }
  }

  private static String shown(TinyDatabase database) {
    StringBuilder text = new StringBuilder();
    database
        .tables()
        .forEach(
            (name, tiny) ->
                text.append(name)
                    .append(tiny.rows())
                    .append(
                        tiny.table().isPublic()
                            ? ""
                            : " of which "
                                + Integer.toBinaryString(database.mask(database.state(), name)))
                    .append(' '));
    return text.toString();
  }

  List<String> violations() {
    return violations;
  }

  private double median() {
    return ratios.stream().sorted().skip(ratios.size() / 2).findFirst().orElse(Double.NaN);
  }

  /**
   * The generator's promises: enough of each feature, most of it accepted, bounds that are tight.
   */
  void requireVariety() {
    for (Feature feature : Feature.values()) {
      int[] counts = byFeature.getOrDefault(feature, new int[2]);
      assertTrue(counts[0] >= 0.05 * asked, feature + " is rare: " + counts[0] + " of " + asked);
      assertTrue(counts[1] >= 0.60 * counts[0], feature + " is mostly rejected: " + counts[1]);
    }
    assertTrue(accepted >= 0.75 * asked, accepted + " accepted of " + asked);
    assertTrue(notRun <= 0.02 * asked, notRun + " could not be executed");
    assertTrue(median() <= 1.5, "median of bound/true: " + median());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d queries, %d accepted, %d not run; %d executions; %d comparisons;"
                + " median bound/true %.2f%n",
            asked, accepted, notRun, executions, comparisons, median()));
    byFeature.forEach(
        (feature, n) ->
            text.append(String.format("  %-20s %5d, %d accepted%n", feature, n[0], n[1])));
    reasons.forEach(
        (reason, n) ->
            text.append(
                String.format("  %4d × %s%n         %s%n", n, reason, examples.get(reason))));
    return text.toString();
  }
}
