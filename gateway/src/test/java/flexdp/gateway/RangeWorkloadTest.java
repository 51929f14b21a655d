package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranges, running totals and calendars: levels between all values of a column and each. */
class RangeWorkloadTest {
  private static final List<String> FILL =
      List.of(
          "DELETE FROM trips",
          "INSERT INTO trips SELECT i, CAST(i % 7 AS INTEGER), CAST(1 + i % 4 AS INTEGER),"
              + " CAST((i * 37 % 500) AS DECIMAL(9,2)), 1.0, 'completed',"
              + " CASE WHEN i % 50 = 0 THEN NULL WHEN i % 51 = 0 THEN DATE '2019-05-05' ELSE"
              + " CAST(DATE '2024-01-01' + CAST(i * 13 % 366 AS INTEGER) AS DATE) END"
              + " FROM range(3000) r(i)");

  private static final String CALENDAR =
      """
      SELECT day, COUNT(*) AS n FROM trips GROUP BY day;
      SELECT DATE_TRUNC('month', day) AS m, COUNT(*) AS n FROM trips GROUP BY DATE_TRUNC('month', day);
      SELECT EXTRACT(YEAR FROM day) AS y, COUNT(*) AS n FROM trips GROUP BY EXTRACT(YEAR FROM day);
      SELECT COUNT(*) AS n FROM trips;
      SELECT COUNT(*) AS n FROM trips WHERE day <= DATE '2024-06-15';
      SELECT COUNT(*) AS n FROM trips WHERE day >= DATE '2024-03-01' AND day < DATE '2024-04-01';
      SELECT DATE_TRUNC('month', day) AS m, COUNT(*) AS n FROM trips
        WHERE day BETWEEN DATE '2024-02-10' AND DATE '2024-05-03' GROUP BY DATE_TRUNC('month', day);
      """;

  private static final String FARES =
      """
      SELECT COUNT(*) AS n FROM trips WHERE fare < 10;
      SELECT COUNT(*) AS n FROM trips WHERE fare < 100.5;
      SELECT COUNT(*) AS n FROM trips WHERE fare > 100 AND fare <= 350;
      SELECT COUNT(*) AS n FROM trips WHERE fare BETWEEN 20 AND 30 OR fare = 400;
      SELECT city_id, COUNT(*) AS n FROM trips WHERE fare >= 250 GROUP BY city_id;
      """;

  @TempDir Path folder;

  private static QueryRequest ask(String epsilon) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryRequest(
        "",
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins()),
        "ann",
        Set.of(),
        true,
        true,
        Optional.empty());
  }

  private SmallRides rides() throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(8);
    return new SmallRides(folder, () -> source, SmallRides.POLICY, FILL);
  }

  /** With next to no noise, a workload says what its statements say one by one. */
  private void same(String workload, int least) throws Exception {
    try (SmallRides rides = rides()) {
      Workload all = Workload.parse(workload);
      WorkloadExplanation plan = rides.gateway.explain(all, ask("1"));
      assertEquals(1, plan.frames().size());
      assertTrue(plan.frames().getFirst().questions() >= least, "" + plan);
      WorkloadView view = rides.gateway.ask(all, ask("4000"));
      for (int i = 0; i < all.statements().size(); i++) {
        AnalystView alone = rides.gateway.ask(ask("4000").about(all.statements().get(i).sql()));
        // Labels that a public table lists come in its order, which is nobody's.
        assertEquals(
            Set.copyOf(alone.rows()),
            Set.copyOf(view.answers().get(i).rows()),
            "statement " + (i + 1));
      }
    }
  }

  @Test
  void calendarsAndRunningTotalsCountWhatTheyShould() throws Exception {
    // The one running total is better off alone.
    same(CALENDAR, 6);
  }

  @Test
  void rangesOfNumbersCountWhatTheyShould() throws Exception {
    same(FARES, 4);
  }

  /** Noise is within its bars about as often as these say. */
  @Test
  void barsHold() throws Exception {
    try (SmallRides rides = rides()) {
      Workload all = Workload.parse(CALENDAR);
      WorkloadView truth = rides.gateway.ask(all, ask("4000"));
      int inside = 0;
      int total = 0;
      for (int round = 0; round < 25; round++) {
        WorkloadView view = rides.gateway.ask(all, ask("1"));
        for (int i = 0; i < all.statements().size(); i++) {
          AnalystView answer = view.answers().get(i);
          int last = answer.columns().size() - 1;
          for (int row = 0; row < answer.rows().size(); row++) {
            BigDecimal exact = (BigDecimal) truth.answers().get(i).rows().get(row).get(last);
            AnalystView.Bar bar = answer.interval(row, last).orElseThrow();
            inside += exact.compareTo(bar.low()) >= 0 && exact.compareTo(bar.high()) <= 0 ? 1 : 0;
            total++;
          }
        }
      }
      double share = (double) inside / total;
      assertTrue(share > 0.94 && share < 0.965, share + " of " + total);
    }
  }
}
