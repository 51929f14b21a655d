package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadView;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was measured for a CUBE or a workload answers later questions for nothing. */
class CachedCuboidsTest {
  private static final String CUBE =
      "SELECT status, EXTRACT(MONTH FROM day) AS m, GROUPING(status, EXTRACT(MONTH FROM day)) AS g,"
          + " COUNT(*) AS n FROM trips GROUP BY CUBE(status, EXTRACT(MONTH FROM day))";

  private static final String BY_STATUS = "SELECT status, COUNT(*) FROM trips GROUP BY status";

  @TempDir Path folder;

  private static QueryRequest ask(String sql, String epsilon, String who, boolean fresh) {
    QueryOptions d = QueryOptions.DEFAULT;
    QueryOptions options =
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins());
    return new QueryRequest(sql, options, who, Set.of(), fresh, true, Optional.empty());
  }

  private static QueryRequest ask(String sql, String epsilon) {
    return ask(sql, epsilon, "ann", false);
  }

  private SmallRides rides(long seed) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(seed);
    return new SmallRides(folder, () -> source);
  }

  private static void assertFree(AnalystView view) {
    assertTrue(view.repeat());
    assertEquals(0, view.epsilon().signum());
    assertEquals(0, view.delta().signum());
  }

  @Test
  void aSetOfACubeIsFreeAndSaysTheSame() throws Exception {
    try (SmallRides rides = rides(1)) {
      AnalystView cube = rides.gateway.ask(ask(CUBE, "1"));
      AnalystView alone = rides.gateway.ask(ask(BY_STATUS, "0.2"));
      assertFree(alone);
      Map<Object, Object> counts = new HashMap<>();
      Map<Object, Object> bars = new HashMap<>();
      for (int row = 0; row < cube.rows().size(); row++) {
        List<Object> values = cube.rows().get(row);
        if (((BigDecimal) values.get(2)).compareTo(BigDecimal.ONE) == 0) {
          counts.put(values.get(0), values.get(3));
          bars.put(values.get(0), cube.interval(row, 3).orElseThrow());
        }
      }
      assertEquals(4, alone.rows().size());
      for (int row = 0; row < 4; row++) {
        Object label = alone.rows().get(row).get(0);
        assertEquals(counts.get(label), alone.rows().get(row).get(1));
        assertEquals(bars.get(label), alone.interval(row, 1).orElseThrow());
      }
    }
  }

  @Test
  void totalsConditionsAndCoarserSetsFollowToo() throws Exception {
    try (SmallRides rides = rides(2)) {
      rides.gateway.ask(ask(CUBE, "5000"));
      Map<String, List<List<Object>>> expected = new HashMap<>();
      expected.put("SELECT COUNT(*) FROM trips", List.of(List.of(new BigDecimal(6))));
      expected.put(
          "SELECT COUNT(*) FROM trips WHERE status = 'completed'",
          List.of(List.of(new BigDecimal(2))));
      expected.put(
          "SELECT COUNT(*) FROM trips WHERE status IN ('completed', 'cancelled')"
              + " AND EXTRACT(MONTH FROM day) <= 2",
          List.of(List.of(new BigDecimal(3))));
      expected.put(
          "SELECT COUNT(*) FROM trips WHERE status IS NULL", List.of(List.of(BigDecimal.ONE)));
      expected.forEach(
          (sql, rows) -> {
            AnalystView view = rides.gateway.ask(ask(sql, "1"));
            assertFree(view);
            assertEquals(rows, view.rows(), sql);
            assertEquals(
                Optional.of("estimated from what was measured for earlier answers"),
                view.derived());
          });
      AnalystView rollup =
          rides.gateway.ask(
              ask("SELECT status, COUNT(*) AS n FROM trips GROUP BY ROLLUP(status)", "1"));
      assertFree(rollup);
      assertTrue(rollup.rows().contains(Arrays.asList(null, new BigDecimal(6))), "" + rollup);
    }
  }

  /** Rows that no label holds might be among those that are asked for. */
  @Test
  void whatDoesNotFollowIsPaidFor() throws Exception {
    try (SmallRides rides = rides(3)) {
      rides.gateway.ask(ask(CUBE, "1"));
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM trips WHERE status <> 'completed'",
              "SELECT COUNT(*) FROM trips WHERE status = 'flying'",
              "SELECT COUNT(*) FROM trips WHERE fare > 8",
              "SELECT COUNT(fare) FROM trips",
              "SELECT SUM(fare) FROM trips",
              "SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id")) {
        AnalystView view = rides.gateway.ask(ask(sql, "0.1"));
        assertFalse(view.repeat(), sql);
        assertTrue(view.epsilon().signum() > 0, sql);
      }
    }
  }

  /** A CUBE under a condition says nothing of rows without it. */
  @Test
  void conditionsOfTheCubeHaveToBeAskedToo() throws Exception {
    try (SmallRides rides = rides(4)) {
      rides.gateway.ask(ask(CUBE.replace("FROM trips", "FROM trips WHERE fare > 8"), "5000"));
      assertFalse(rides.gateway.ask(ask("SELECT COUNT(*) FROM trips", "0.1")).repeat());
      AnalystView same = rides.gateway.ask(ask("SELECT COUNT(*) FROM trips WHERE fare > 8", "1"));
      assertFree(same);
      assertEquals(List.of(List.of(new BigDecimal(3))), same.rows());
      rides.gateway.ask(
          ask(CUBE.replace("FROM trips", "FROM trips WHERE status = 'completed'"), "5000"));
      assertFalse(
          rides
              .gateway
              .ask(ask("SELECT EXTRACT(MONTH FROM day), COUNT(*) FROM trips GROUP BY 1", "0.1"))
              .repeat());
    }
  }

  @Test
  void whoeverWantsItMoreExactlyOrFreshPays() throws Exception {
    try (SmallRides rides = rides(5)) {
      rides.gateway.ask(ask(CUBE, "0.1"));
      assertFalse(rides.gateway.ask(ask(BY_STATUS, "1")).repeat(), "more than was spent");
      assertFalse(rides.gateway.ask(ask(BY_STATUS, "0.01", "ann", true)).repeat(), "fresh");
    }
  }

  /** Somebody else pays what the cuboids cost, if that is no more than they offer. */
  @Test
  void othersPayForTheCuboidsAndNotForTheData() throws Exception {
    try (SmallRides rides = rides(6)) {
      rides.gateway.ask(ask(CUBE, "0.5"));
      AnalystView less = rides.gateway.ask(ask(BY_STATUS, "0.1", "bob", false));
      assertFalse(less.repeat());
      assertEquals(0, less.epsilon().compareTo(new BigDecimal("0.1")));
      AnalystView enough =
          rides.gateway.ask(ask("SELECT COUNT(*) FROM trips", "0.5", "eve", false));
      assertTrue(enough.repeat());
      // Shares of cuboids are rounded down by less than a millionth.
      assertEquals(0.5, enough.epsilon().doubleValue(), 1e-6);
      assertTrue(enough.epsilon().compareTo(new BigDecimal("0.5")) <= 0);
      AnalystView again = rides.gateway.ask(ask("SELECT COUNT(*) FROM trips", "0.5", "eve", false));
      assertFree(again);
      assertEquals(enough.rows(), again.rows());
    }
  }

  private static final String DAY =
      """
      SELECT COUNT(*) FROM trips;
      SELECT status, COUNT(*) FROM trips GROUP BY status;
      SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) FROM trips GROUP BY EXTRACT(MONTH FROM day);
      SELECT COUNT(*) FROM trips WHERE fare > 8;
      SELECT status, COUNT(*) FROM trips WHERE fare > 8 GROUP BY status
      """;

  @Test
  void aWorkloadAnswersQuestionsThatItDidNotAsk() throws Exception {
    try (SmallRides rides = rides(7)) {
      rides.gateway.ask(Workload.parse(DAY), ask("", "5000"));
      AnalystView view =
          rides.gateway.ask(
              ask("SELECT COUNT(*) FROM trips WHERE status = 'completed' AND fare > 8", "1"));
      assertFree(view);
      assertEquals(List.of(List.of(new BigDecimal(2))), view.rows());
      assertTrue(view.interval(0, 0).isPresent());
    }
  }

  @Test
  void theSameWorkloadAgainIsFree() throws Exception {
    try (SmallRides rides = rides(8)) {
      assertFalse(rides.gateway.explain(Workload.parse(DAY), ask("", "1")).repeat());
      WorkloadView first = rides.gateway.ask(Workload.parse(DAY), ask("", "1"));
      assertTrue(rides.gateway.explain(Workload.parse(DAY), ask("", "1")).repeat());
      QueryRequest bob = ask("", "1", "bob", false);
      assertFalse(rides.gateway.explain(Workload.parse(DAY), bob).repeat());
      assertFalse(rides.gateway.explain(Workload.parse(DAY), ask("", "1", "ann", true)).repeat());
      WorkloadView again = rides.gateway.ask(Workload.parse(DAY), ask("", "1"));
      assertTrue(first.epsilon().signum() > 0);
      assertEquals(0, again.epsilon().signum());
      for (int i = 0; i < first.answers().size(); i++) {
        assertFree(again.answers().get(i));
        assertEquals(first.answers().get(i).rows(), again.answers().get(i).rows());
        assertEquals(first.answers().get(i).intervals(), again.answers().get(i).intervals());
      }
      WorkloadView paid = rides.gateway.ask(Workload.parse(DAY), ask("", "1", "ann", true));
      assertTrue(paid.epsilon().signum() > 0);
    }
  }

  /** Free estimates are within their bars as often as those that were paid for. */
  @Test
  void barsOfFreeAnswersHold() throws Exception {
    Map<String, Integer> truths =
        Map.of(
            "status IN ('completed', 'cancelled', 'requested')", 4,
            "status IS NULL", 1,
            "status = 'completed'", 2,
            "EXTRACT(MONTH FROM day) <= 2", 4,
            "status IN ('completed', 'cancelled') AND EXTRACT(MONTH FROM day) <= 2", 3);
    Map<String, Integer> held = new HashMap<>();
    int rounds = 80;
    try (SmallRides rides = rides(9)) {
      for (int round = 0; round < rounds; round++) {
        // A frame of its own in every round, over the same rows.
        String where = "COALESCE(fare, 0) < " + (600 + round);
        rides.gateway.ask(ask(CUBE.replace("FROM trips", "FROM trips WHERE " + where), "0.4"));
        for (Map.Entry<String, Integer> asked : truths.entrySet()) {
          String sql = "SELECT COUNT(*) FROM trips WHERE " + where + " AND " + asked.getKey();
          AnalystView view = rides.gateway.ask(ask(sql, "0.1"));
          assertFree(view);
          AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
          BigDecimal truth = new BigDecimal(asked.getValue());
          boolean in = bar.low().compareTo(truth) <= 0 && bar.high().compareTo(truth) >= 0;
          held.merge(asked.getKey(), in ? 1 : 0, Integer::sum);
        }
      }
    }
    int all = held.values().stream().mapToInt(n -> n).sum();
    double share = (double) all / rounds / truths.size();
    assertTrue(share >= 0.94 && share <= 0.965, share + " " + held);
  }
}
