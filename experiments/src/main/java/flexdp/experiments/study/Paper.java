package flexdp.experiments.study;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers of the paper's section 2, in percent. */
final class Paper {
  static final Map<String, Double> OPERATORS =
      shares("SELECT", 100, "JOIN", 62.1, "UNION", 0.57, "EXCEPT", 0.06, "INTERSECT", 0.03);
  static final Map<String, Double> CONDITIONS =
      shares("EQUIJOIN", 76, "COMPOUND", 19, "COLUMN_COMPARISON", 3, "LITERAL_COMPARISON", 2);
  static final Map<String, Double> RELATIONSHIPS =
      shares("ONE_TO_MANY", 64, "ONE_TO_ONE", 26, "MANY_TO_MANY", 10);
  static final Map<String, Double> KINDS = shares("INNER", 69, "LEFT", 29, "CROSS", 1);
  static final Map<String, Double> AGGREGATES =
      shares("COUNT", 51, "SUM", 29, "AVG", 8, "MAX", 6, "MIN", 5);

  private Paper() {}

  private static Map<String, Double> shares(Object... namesAndShares) {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (int i = 0; i < namesAndShares.length; i += 2) {
      shares.put((String) namesAndShares[i], ((Number) namesAndShares[i + 1]).doubleValue());
    }
    return Collections.unmodifiableMap(shares);
  }
}
