package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.PolicyReader;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A question at a tiny ε does not keep a thread busy for ever. */
class SmallEpsilonTest {
  /** A search without an end takes hours, or all memory. */
  private static final Duration SOON = Duration.ofMinutes(10);

  /** One row of t moves as many rows as those of a, b and c share its key, added up. */
  private static final String THREE =
      "(SELECT t.k FROM t JOIN a ON t.k = a.k UNION ALL SELECT t.k FROM t JOIN b ON t.k = b.k"
          + " UNION ALL SELECT t.k FROM t JOIN c ON t.k = c.k)";

  private static final String TWO =
      "(SELECT t.k FROM t JOIN a ON t.k = a.k UNION ALL SELECT t.k FROM t JOIN b ON t.k = b.k)";

  private static Analyzer analyzer(int frequency) {
    Map<String, Object> tables = new HashMap<>();
    Map<String, TableMetrics> metrics = new HashMap<>();
    Optional<BigInteger> most = Optional.of(BigInteger.valueOf(frequency));
    for (String table : List.of("t", "a", "b", "c")) {
      tables.put(
          table, Map.of("columns", Map.of("k", Map.of("type", "integer", "nullable", false))));
      metrics.put(
          table,
          new TableMetrics(
              Optional.of(BigInteger.valueOf(100)),
              Map.of(Set.of("k"), new MaxFrequency(most, most))));
    }
    return new Analyzer(
        PolicyReader.read(Map.of("tables", tables)),
        new Metrics(metrics, Map.of()),
        LocalDateTime.of(2026, 11, 18, 0, 0));
  }

  private static BigDecimal sensitivity(String from, int frequency, String epsilon) {
    AnalysisOptions options =
        new AnalysisOptions(
            RuleSet.FLEXDP,
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.of(new BigDecimal("1e-6")),
            List.of(0L),
            Optional.empty());
    Plan plan = analyzer(frequency).plan("SELECT COUNT(*) FROM " + from + " z", options);
    return plan.measurements().getFirst().noise().orElseThrow().sensitivity();
  }

  @Test
  void planningEnds() {
    for (String from :
        List.of(TWO, THREE, "(SELECT x.k FROM " + THREE + " x JOIN t ON x.k = t.k)")) {
      for (String epsilon : List.of("0.00001", "0.0001", "0.001", "0.01", "0.1")) {
        assertTimeoutPreemptively(SOON, () -> sensitivity(from, 4, epsilon));
      }
    }
  }

  /** At the usual ε it is the exact maximum, and never far from it where frequencies are large. */
  @Test
  void boundsStayExactWhereTheyCanBe() {
    assertEquals(0, BigDecimal.valueOf(80).compareTo(sensitivity(TWO, 40, "1")));
    BigDecimal exact = sensitivity(TWO, 1_000_000, "0.0001");
    assertEquals(0, BigDecimal.valueOf(2_000_000).compareTo(exact));
    BigDecimal small = sensitivity(TWO, 4, "0.00001");
    double least = 1 / (0.15 * 0.00001) / Math.E; // of a distance alone
    assertTrue(small.doubleValue() > least && small.doubleValue() < 2.1 * least, small.toString());
  }
}
