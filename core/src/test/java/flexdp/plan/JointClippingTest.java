package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.metrics.Metrics;
import flexdp.noise.ClippedNoise;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is clipped by its own norm, and what has the weights of others. */
class JointClippingTest {
  private static final Policy POLICY =
      PolicyReader.read(
          Map.of(
              "people",
              Map.of("user", Map.of()),
              "tables",
              Map.of(
                  "orders",
                  Map.of(
                      "owners",
                      Map.of("user", "user_id"),
                      "columns",
                      Map.of(
                          "user_id",
                          Map.of("type", "integer"),
                          "kind",
                          Map.of("type", "varchar", "domain", List.of("a", "b", "c")),
                          "amount",
                          Map.of("type", "integer", "range", List.of(0, 1000)),
                          "change",
                          Map.of("type", "integer", "range", List.of(-50, 50)))))));

  private static Plan plan(String sql) {
    return new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT);
  }

  private static List<List<Integer>> parts(String sql) {
    NoisyAggregate point = plan(sql).query().releases().getFirst();
    return JointClipping.of(point);
  }

  @Test
  void aSumIsClippedByItsOwnNorm() {
    assertEquals(
        List.of(List.of(0), List.of(1)), parts("SELECT COUNT(*), SUM(amount) FROM orders"));
    assertEquals(
        List.of(List.of(0), List.of(1), List.of(2)),
        parts("SELECT kind, SUM(amount), SUM(change), COUNT(amount) FROM orders GROUP BY kind"));
    assertEquals(
        List.of(List.of(0), List.of(1)),
        parts("SELECT COUNT(*) FILTER (WHERE amount > 9), COUNT(amount) FROM orders"));
    // Shares of all rows are of the same weights.
    assertEquals(
        List.of(List.of(0, 1)),
        parts("SELECT COUNT(*) FILTER (WHERE amount > 9), COUNT(*) FROM orders"));
  }

  /** An average is of the same rows above and below the line, and so is a correlation. */
  @Test
  void whatAStatisticIsComputedOfHasTheSameWeights() {
    assertEquals(List.of(List.of(0, 1)), parts("SELECT AVG(amount) FROM orders"));
    assertEquals(
        List.of(List.of(0, 1, 2), List.of(3)),
        parts("SELECT VARIANCE(amount), SUM(amount) FROM orders"));
    assertEquals(1, parts("SELECT CORR(amount, change) FROM orders").size());
    // Centred where it is, one sum stands for itself and for an average.
    assertEquals(List.of(List.of(0, 1)), parts("SELECT SUM(change), AVG(change) FROM orders"));
    assertEquals(List.of(List.of(0, 1)), parts("SELECT COUNT(change), AVG(change) FROM orders"));
  }

  @Test
  void groupingSetsAreClippedOnceForAll() {
    assertEquals(
        List.of(List.of(0, 1)),
        parts("SELECT kind, COUNT(*), SUM(amount) FROM orders GROUP BY CUBE (kind)"));
  }

  /** At the same share a sum has the noise that it would have alone, at every level. */
  @Test
  void aSumBesideOthersHasTheNoiseOfASumAlone() {
    for (String beside : List.of("COUNT(*)", "AVG(amount)", "COUNT(*), MAX(amount), SUM(change)")) {
      for (String keys : List.of("", " GROUP BY kind")) {
        Plan plan = plan("SELECT " + beside + ", SUM(amount) FROM orders" + keys);
        Plan alone = plan("SELECT SUM(amount) FROM orders" + keys);
        CalibratedMechanism.Clipped one = noise(alone, 0);
        CalibratedMechanism.Clipped other = noise(plan, plan.measurements().size() - 1);
        assertEquals(one.clipping(), other.clipping());
        BigDecimal share = BigDecimal.valueOf(plan.measurements().size());
        assertEquals(
            0,
            one.mechanism()
                .adding()
                .compareTo(
                    other.mechanism().adding().multiply(share).setScale(20, RoundingMode.UP)));
        for (int level = 0; level <= one.clipping().levels().last(); level++) {
          assertEquals(one.at(level), other.at(level));
        }
      }
    }
  }

  private static CalibratedMechanism.Clipped noise(Plan plan, int place) {
    return (CalibratedMechanism.Clipped) plan.measurements().get(place).noise().orElseThrow();
  }

  /** Kept numbers by other weights are other numbers. */
  @Test
  void whatIsKeptServesOnlyTheSameWeights() {
    ClippedNoise own = new ClippedNoise(BigDecimal.ONE, false, false);
    ClippedNoise together = new ClippedNoise(BigDecimal.ONE, false, true);
    assertTrue(own.stored().serves(own) && together.stored().serves(together));
    assertFalse(own.stored().serves(together) || together.stored().serves(own));
    assertTrue(together.stored().additive().isPresent());
  }
}
