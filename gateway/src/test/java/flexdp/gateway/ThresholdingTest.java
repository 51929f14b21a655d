package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import flexdp.noise.BitSource;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Labels seen in the data come out only when their noisy count passes the threshold. */
class ThresholdingTest {
  private static final String ALLOWED =
      SmallRides.POLICY
          .replace("epsilon: 0.1", "epsilon: 1")
          .replace("  delta: 1e-9", "  delta: 1e-9\n  thresholding: {delta: 1e-6}");
  private static final List<String> CROWD =
      List.of(
          "INSERT INTO trips (id, driver_id, fare) SELECT 1000 + i, 7, 20 FROM range(500) r(i)",
          "INSERT INTO trips (id, driver_id, fare) VALUES (5000, 99, 20)");
  private static final String BY_DRIVER =
      "SELECT driver_id, COUNT(*), SUM(fare) FROM trips GROUP BY driver_id";

  @TempDir Path folder;
  private final BitSource bits = new SmallRides.Replayed(21);

  private SmallRides rides(String policy) throws Exception {
    return new SmallRides(folder, () -> bits, policy, CROWD);
  }

  @Test
  void aCrowdIsShownAndASingleRowIsNot() throws Exception {
    try (SmallRides rides = rides(ALLOWED)) {
      Set<String> shown = new TreeSet<>();
      for (int i = 0; i < 100; i++) {
        AnalystView view = rides.gateway.ask(QueryRequest.of(BY_DRIVER, "ann"));
        List<String> labels = new ArrayList<>();
        for (List<Object> row : view.rows()) {
          labels.add(String.valueOf(row.get(0)));
          assertTrue(new BigDecimal(row.get(1).toString()).intValue() > 10, "below any threshold");
        }
        assertTrue(labels.contains("7"), "500 rows are far above the threshold");
        shown.addAll(labels);
      }
      // A row shows with probability 1e-6 at most, so never in a hundred answers.
      assertFalse(shown.contains("99"), shown.toString());
      assertFalse(shown.contains("1"), "nor do the three rows of driver 1");
    }
  }

  /** The wrong twin shows what passes for one row. */
  @Test
  void theOwnerSaysHowManyALabelNeeds() throws Exception {
    for (int least : new int[] {2, 400, 600}) {
      String policy = ALLOWED.replace("{delta: 1e-6}", "{delta: 1e-6, atLeast: " + least + "}");
      try (SmallRides rides = rides(policy)) {
        AnalystView view = rides.gateway.ask(QueryRequest.of(BY_DRIVER, "ann"));
        boolean shown = view.rows().stream().anyMatch(row -> "7".equals(row.get(0).toString()));
        assertEquals(least < 500, shown, least + ": " + view.rows());
      }
    }
  }

  @Test
  void theProbabilityOfShowingARowIsPaidFor() throws Exception {
    try (SmallRides rides = rides(ALLOWED)) {
      AnalystView view = rides.gateway.ask(QueryRequest.of(BY_DRIVER, "ann"));
      assertEquals(0, view.delta().compareTo(new BigDecimal("1e-6")), view.delta().toString());
    }
  }

  @Test
  void whatMayMultiplyLabelsFromTheDataIsRefusedBeforeItIsCharged() throws Exception {
    String with =
        "WITH t AS (SELECT driver_id AS d, COUNT(*) AS n FROM trips GROUP BY driver_id),"
            + " u AS (SELECT status AS s, COUNT(*) AS n FROM trips GROUP BY status) ";
    try (SmallRides rides = rides(ALLOWED)) {
      for (String sql :
          List.of(
              "SELECT a.d, b.d, a.n - b.n AS x FROM t a, t b",
              "SELECT a.d, a.n, b.n AS m FROM t a JOIN t b ON a.d < b.d",
              "SELECT a.d FROM t a JOIN t b ON a.n = b.n LIMIT 1",
              "SELECT a.d, u.n AS m FROM t a JOIN u ON TRUE JOIN t b ON a.n > b.n",
              "SELECT t.n + u0.n + u1.n + u2.n + u3.n + u4.n + u5.n + u6.n + u7.n + u8.n + u9.n + v0.n"
                  + " AS x FROM t, u u0, u u1, u u2, u u3, u u4, u u5, u u6, u u7, u u8, u u9,"
                  + " u v0")) {
        QueryRequest request = QueryRequest.of(with + sql, "ann");
        for (Executable door :
            List.<Executable>of(
                () -> rides.gateway.explain(request), () -> rides.gateway.ask(request))) {
          Rejection refused = assertThrows(Rejection.class, door, sql);
          assertEquals(RejectionCode.TOO_COMPLEX, refused.code(), sql);
        }
      }
      assertEquals(0, spent(rides).signum());
      for (String sql :
          List.of(
              "SELECT a.d, a.n, b.n AS m FROM t a JOIN t b ON a.d = b.d",
              "SELECT a.d, a.n, b.n AS m FROM t a LEFT JOIN t b ON a.d = b.d AND b.n > 10",
              "SELECT a.d, a.n, u.s, u.n AS m FROM t a, u",
              "SELECT a.d, a.n, b.n AS m FROM t a, (SELECT n FROM t ORDER BY n DESC LIMIT 1) b",
              "SELECT d, n FROM t WHERE n = (SELECT MAX(n) FROM t)",
              "SELECT d, 100.0 * n / SUM(n) OVER () AS share FROM t ORDER BY n DESC LIMIT 3")) {
        assertFalse(rides.gateway.ask(QueryRequest.of(with + sql, "ann")).rows().isEmpty(), sql);
      }
    }
  }

  private static BigDecimal spent(SmallRides rides) {
    return rides.ledger.standings().stream()
        .map(s -> s.spent().epsilon())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @Test
  void whatIsAskedAboveTheHistogramSeesShownLabelsOnly() throws Exception {
    try (SmallRides rides = rides(ALLOWED)) {
      AnalystView view =
          rides.gateway.ask(
              QueryRequest.of(
                  "SELECT driver_id FROM trips GROUP BY driver_id HAVING COUNT(*) < 10"
                      + " ORDER BY COUNT(*)",
                  "ann"));
      assertEquals(List.of(), view.rows());
    }
  }

  @Test
  void withoutTheOwnersLeaveLabelsMustBeKnown() throws Exception {
    try (SmallRides rides = rides(SmallRides.POLICY)) {
      assertThrows(Rejection.class, () -> rides.gateway.ask(QueryRequest.of(BY_DRIVER, "ann")));
    }
  }
}
