package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Truncation by ranks: one is a rule of its own, of two in one filter one is a window, 2κ + 200001
 * where 100,000 rows share a key. Enforced caps are what mends it.
 */
class TwoRanksTest {
  private static final Policy POLICY = policy();

  private static Policy policy() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("id", Map.of("type", "bigint", "unique", true, "nullable", false));
    columns.put("a", Map.of("type", "integer", "individual", false));
    columns.put("b", Map.of("type", "integer", "individual", false));
    return PolicyReader.read(
        Map.of(
            "privacy",
            Map.of("epsilon", 1, "budget", Map.of("epsilon", 1000)),
            "tables",
            Map.of("t", Map.of("columns", columns))));
  }

  private static BigInteger bound(String where, long distance) {
    Map<String, Object> frequent = Map.of("maxFrequency", 100_000, "maxFrequencyWithNull", 100_000);
    Metrics metrics =
        MetricsReader.read(
            Map.of("t", Map.of("rows", 1_000_000, "columns", Map.of("a", frequent, "b", frequent))),
            POLICY);
    String sql =
        "SELECT COUNT(*) FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY a ORDER BY id) AS x,"
            + " ROW_NUMBER() OVER (PARTITION BY b ORDER BY id) AS y FROM t) AS r WHERE "
            + where;
    return new Analyzer(POLICY, metrics, LocalDateTime.of(2024, 1, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT)
        .measurements()
        .getFirst()
        .bound()
        .elastic(distance);
  }

  @Test
  void oneRankCostsOneAndTwoCostAllTheirPartners() {
    assertEquals(BigInteger.ONE, bound("x <= 5", 0));
    assertEquals(BigInteger.ONE, bound("x <= 5", 7));
    assertEquals(BigInteger.valueOf(200_001), bound("x <= 5 AND y <= 5", 0));
    assertEquals(BigInteger.valueOf(200_015), bound("x <= 5 AND y <= 5", 7));
  }
}
