package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.noise.BitSource;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CUBE, ROLLUP and GROUPING SETS are measured together and estimated by least squares. */
class CubeTest {
  private static final String CUBE =
      "SELECT status, EXTRACT(MONTH FROM day) AS m, GROUPING(status), COUNT(*) AS n FROM trips"
          + " GROUP BY CUBE(status, EXTRACT(MONTH FROM day))";

  @TempDir Path folder;

  private static QueryRequest ask(String sql, String epsilon, boolean fresh) {
    QueryOptions d = QueryOptions.DEFAULT;
    QueryOptions options =
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins());
    return new QueryRequest(sql, options, "ann", Set.of(), fresh, true, Optional.empty());
  }

  private SmallRides rides(long seed) throws Exception {
    BitSource source = new SmallRides.Replayed(seed);
    return new SmallRides(folder, () -> source);
  }

  @Test
  void costsWhatItIsAskedWithAndHasAllRows() throws Exception {
    try (SmallRides rides = rides(1)) {
      AnalystView view = rides.gateway.ask(ask(CUBE, "1", true));
      assertEquals(0, BigDecimal.ONE.compareTo(view.epsilon()));
      assertEquals("laplace", view.mechanism());
      assertEquals(5 * 14, view.rows().size(), "four statuses and all, thirteen months and all");
    }
  }

  /** Without noise worth speaking of, every number is the database's own. */
  @Test
  void estimatesAreUnbiasedAlsoWhereLabelsAreMissing() throws Exception {
    try (SmallRides rides = rides(2)) {
      List<List<Object>> rows = rides.gateway.ask(ask(CUBE, "1000", true)).rows();
      Map<List<Object>, Object> counts = new HashMap<>();
      rows.forEach(
          r -> counts.put(java.util.Arrays.asList(r.get(0), r.get(1), r.get(2)), r.get(3)));
      assertEquals(
          new BigDecimal(6),
          counts.get(java.util.Arrays.asList(null, null, BigDecimal.ONE)),
          "the total has the rows whose status is not listed");
      assertEquals(
          new BigDecimal(2),
          counts.get(java.util.Arrays.asList("completed", BigDecimal.ONE, BigDecimal.ZERO)));
      assertEquals(
          new BigDecimal(1),
          counts.get(java.util.Arrays.asList(null, BigDecimal.valueOf(12), BigDecimal.ONE)));
    }
  }

  @Test
  void errorBarsDifferBySetAndHoldTheTruth() throws Exception {
    try (SmallRides rides = rides(3)) {
      int cells = 0;
      int held = 0;
      int total = 0;
      BigDecimal widest = BigDecimal.ZERO;
      BigDecimal narrowest = BigDecimal.valueOf(1000);
      List<List<Object>> exact = rides.gateway.ask(ask(CUBE, "5000", true)).rows();
      for (int i = 0; i < 40; i++) {
        AnalystView view = rides.gateway.ask(ask(CUBE, "0.5", true));
        for (int row = 0; row < view.rows().size(); row++) {
          AnalystView.Bar bar = view.interval(row, 3).orElseThrow();
          BigDecimal truth = (BigDecimal) exact.get(row).get(3);
          cells++;
          boolean in = bar.low().compareTo(truth) <= 0 && bar.high().compareTo(truth) >= 0;
          held += in ? 1 : 0;
          if (view.rows().get(row).get(0) == null && view.rows().get(row).get(1) == null) {
            total += in ? 1 : 0;
          }
          BigDecimal width = bar.high().subtract(bar.low());
          widest = widest.max(width);
          narrowest = narrowest.min(width);
        }
      }
      double share = (double) held / cells;
      assertTrue(share > 0.94 && share < 0.965, "held " + share);
      assertTrue(total > 30);
      assertTrue(widest.compareTo(narrowest) > 0);
    }
  }

  /** No cuboid is by a key with one label, which is then in no grouping set that is read. */
  @Test
  void keysWithOneLabelAreInNoSetThatIsRead() throws Exception {
    try (SmallRides rides = rides(5)) {
      List<List<Object>> rows =
          rides
              .gateway
              .ask(
                  ask(
                      "SELECT c.id, t.status, COUNT(*) FROM trips t JOIN cities c ON t.city_id ="
                          + " c.id WHERE c.name = 'SF' GROUP BY CUBE(c.id, t.status)",
                      "1000",
                      true))
              .rows();
      assertEquals(2 * 5, rows.size());
      assertTrue(
          rows.contains(java.util.Arrays.asList(BigDecimal.ONE, "completed", new BigDecimal(2))),
          "" + rows);
      assertTrue(rows.contains(java.util.Arrays.asList(null, null, new BigDecimal(3))), "" + rows);
    }
  }

  @Test
  void isGivenAgainForFreeWithTheSameBars() throws Exception {
    try (SmallRides rides = rides(4)) {
      AnalystView first = rides.gateway.ask(ask(CUBE, "1", false));
      AnalystView again = rides.gateway.ask(ask(CUBE, "1", false));
      assertFalse(first.repeat());
      assertTrue(again.repeat());
      assertEquals(0, again.epsilon().signum());
      assertEquals(first.rows(), again.rows());
      assertEquals(first.intervals(), again.intervals());
    }
  }
}
