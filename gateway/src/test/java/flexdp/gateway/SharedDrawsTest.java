package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table expression that is read twice shows the same noisy numbers in both places. */
class SharedDrawsTest {
  private static final String MONTHS =
      "WITH y AS (SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) AS n, SUM(fare) AS s FROM trips"
          + " GROUP BY EXTRACT(MONTH FROM day)) ";

  @TempDir Path folder;
  private SmallRides rides;

  @BeforeEach
  void open() throws Exception {
    rides = new SmallRides(folder, SmallRides.noise(1));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private AnalystView answer(String sql) {
    return answer(sql, "0.01");
  }

  private AnalystView answer(String sql, String epsilon) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty());
    return rides.gateway.ask(new QueryRequest(sql, options, "ann", Set.of(), false));
  }

  @Test
  void everyMonthIsTheSameNumberAsItselfAndAsTheMonthBeforeTheNext() {
    AnalystView view =
        answer(
            MONTHS
                + "SELECT a.m, a.n, b.n AS before FROM y a LEFT JOIN y b ON b.m = a.m - 1"
                + " WHERE a.m IS NOT NULL ORDER BY a.m");
    assertEquals(12, view.rows().size());
    Map<String, Object> counts = new HashMap<>();
    view.rows().forEach(row -> counts.put(row.get(0).toString(), row.get(1)));
    assertTrue(counts.values().stream().distinct().count() > 3, "noise of its own for each month");
    for (List<Object> row : view.rows().subList(1, 12)) {
      String before = Integer.toString(Integer.parseInt(row.get(0).toString()) - 1);
      assertEquals(counts.get(before), row.get(2));
    }
  }

  @Test
  void placesThatReadDifferentMeasurementsAgreeOnTheSharedOne() {
    AnalystView view =
        answer(
            "SELECT a.n, a.x, b.n, b.x FROM"
                + " (SELECT status, COUNT(*) AS n, SUM(fare) AS x FROM trips GROUP BY status) a"
                + " JOIN (SELECT status, COUNT(*) AS n, SUM(distance) AS x FROM trips"
                + " GROUP BY status) b ON a.status IS NOT DISTINCT FROM b.status");
    assertEquals(4, view.rows().size());
    view.rows().forEach(row -> assertEquals(row.get(0), row.get(2)));
  }

  @Test
  void aDifferenceOfTwoCellsOfOneDrawHasTheErrorOfBoth() {
    AnalystView one = answer("SELECT DP_INTERVAL_HIGH(COUNT(*)) - COUNT(*) FROM trips");
    AnalystView both =
        answer(
            MONTHS
                + "SELECT DP_INTERVAL_HIGH(a.n - b.n) - (a.n - b.n) FROM y a JOIN y b"
                + " ON a.m = b.m + 1 WHERE a.m = 5");
    BigDecimal alone = new BigDecimal(one.rows().getFirst().getFirst().toString());
    BigDecimal difference = new BigDecimal(both.rows().getFirst().getFirst().toString());
    assertTrue(difference.compareTo(alone.multiply(BigDecimal.TWO)) > 0, alone + " " + difference);
  }

  @Test
  void whatWasReleasedServesLaterQuestions() {
    answer(MONTHS + "SELECT a.n, b.n, b.s FROM y a JOIN y b ON b.m = a.m - 1");
    assertTrue(answer(MONTHS + "SELECT m, n FROM y", "0.005").repeat());
  }
}
