package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A max frequency at its declared cap takes its table out of the formula. How distances are shared
 * among tables must not change with that: the smooth bounds of neighbours may differ by e^β only.
 */
class CapSmoothnessTest {
  private static final String SQL =
      "SELECT COUNT(*) FROM (SELECT 1 AS one FROM t JOIN a ON t.k = a.k"
          + " UNION ALL SELECT 1 FROM t JOIN b ON t.k = b.k"
          + " UNION ALL SELECT 1 FROM t JOIN c ON t.k = c.k"
          + " UNION ALL SELECT 1 FROM t JOIN d ON t.k = d.k) u";

  private static Policy policy() {
    Map<String, Object> tables = new HashMap<>();
    for (String name : List.of("t", "a", "b", "c", "d")) {
      Map<String, Object> key = new HashMap<>(Map.of("type", "integer", "nullable", false));
      if (name.equals("t")) {
        key.put("unique", true);
      } else if (name.equals("d")) {
        key.put("maxFrequencyAtMost", 5);
      }
      tables.put(name, Map.of("columns", Map.of("k", key)));
    }
    return PolicyReader.read(Map.of("tables", tables));
  }

  private static Metrics metrics(int capped) {
    Map<String, TableMetrics> tables = new HashMap<>();
    for (String name : List.of("a", "b", "c", "d")) {
      Optional<BigInteger> max = Optional.of(BigInteger.valueOf(name.equals("d") ? capped : 1));
      tables.put(
          name,
          new TableMetrics(
              Optional.of(BigInteger.TEN), Map.of(Set.of("k"), new MaxFrequency(max, max))));
    }
    return new Metrics(tables, Map.of());
  }

  @Test
  void theCapChangesNeighboursByNoMoreThanBeta() {
    AnalysisOptions options =
        new AnalysisOptions(
            RuleSet.FLEXDP,
            MechanismChoice.LOMAX,
            Optional.of(new BigDecimal("0.6")),
            Optional.of(new BigDecimal("1e-9")),
            List.of(0L),
            Optional.empty());
    BigDecimal before = null;
    for (int mf = 1; mf <= 6; mf++) {
      var smooth =
          new Analyzer(policy(), metrics(mf), LocalDateTime.MIN)
              .analyze(SQL, options)
              .aggregates()
              .get(0)
              .smooth()
              .orElseThrow();
      if (before != null) {
        double ratio = Math.log(smooth.value().doubleValue() / before.doubleValue());
        assertTrue(Math.abs(ratio) <= smooth.beta().doubleValue() * 1.0001, mf + ": " + ratio);
      }
      before = smooth.value();
    }
  }
}
