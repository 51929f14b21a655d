package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DP_INTERVAL_LOW and DP_INTERVAL_HIGH in SQL, and the bars of --intervals beside them. */
class ErrorBarsTest {
  private SmallRides rides;

  @BeforeEach
  void open(@TempDir Path folder) throws SQLException {
    rides = new SmallRides(folder, () -> new SmallRides.Replayed(3));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private static QueryRequest question(String sql, MechanismChoice mechanism, boolean fresh) {
    QueryOptions options =
        new QueryOptions(
            mechanism, Optional.of(BigDecimal.ONE), Optional.empty(), Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of(), fresh);
  }

  private AnalystView ask(String sql) {
    return rides.gateway.ask(question(sql, MechanismChoice.AUTO, true).withIntervals(true));
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM trips",
        "SELECT SUM(fare) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM trips",
        "SELECT SUM(distance), DP_INTERVAL_LOW(sum), DP_INTERVAL_HIGH(sum) FROM trips",
        "SELECT AVG(fare) AS n, DP_INTERVAL_LOW(AVG(fare)), DP_INTERVAL_HIGH(n) FROM trips",
        "SELECT SUM(fare) / 2 - COUNT(*) AS x, DP_INTERVAL_LOW(x), DP_INTERVAL_HIGH(x) FROM trips",
        "SELECT n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n)"
            + " FROM (SELECT COUNT(*) AS n FROM trips) t",
        "WITH t AS (SELECT SUM(fare) AS s, COUNT(*) AS c FROM trips)"
            + " SELECT s + c AS z, DP_INTERVAL_LOW(z), DP_INTERVAL_HIGH(s + c) FROM t",
        "SELECT (SELECT COUNT(*) FROM trips) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n)",
        "SELECT STDDEV_POP(fare) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM trips",
        "SELECT COALESCE(SUM(fare), 0) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM trips",
        "SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n)"
            + " FROM trips a JOIN trips b ON a.driver_id = b.driver_id",
      })
  void theFunctionsGiveTheBarsOfTheColumn(String sql) {
    // Enough that the count of six rows exceeds its noise.
    QueryRequest asked = question(sql, MechanismChoice.AUTO, true).at(BigDecimal.TEN);
    AnalystView view = rides.gateway.ask(asked.withIntervals(true));
    AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
    assertEquals(0, bar.low().compareTo(number(view.rows().get(0).get(1))), sql);
    assertEquals(0, bar.high().compareTo(number(view.rows().get(0).get(2))), sql);
    BigDecimal value = number(view.rows().get(0).get(0));
    assertTrue(bar.low().compareTo(value) <= 0 && value.compareTo(bar.high()) <= 0, sql);
    assertEquals(view.columns().get(0).column().type(), view.columns().get(1).column().type());
    assertTrue(view.interval(0, 1).isEmpty() && view.interval(0, 2).isEmpty());
  }

  @Test
  void namesAreThoseOfTheFunctions() {
    AnalystView view = ask("SELECT COUNT(*) c, DP_INTERVAL_LOW(c), dp_interval_high(c) FROM trips");
    assertEquals(
        List.of("c", "dp_interval_low", "dp_interval_high"),
        view.columns().stream().map(c -> c.column().name()).toList());
    assertEquals("", view.intervalNote());
  }

  @Test
  void aCountHasTheWidthOfItsNoise() {
    AnalystView view = ask("SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n) AS low FROM trips");
    // Two-sided geometric noise at epsilon 1 is at most 3 in size with probability 0.973, and at
    // most 2 with 0.927.
    assertEquals(
        new BigDecimal(3),
        number(view.rows().get(0).get(0)).subtract(number(view.rows().get(0).get(1))));
  }

  @Test
  void theyCostNothingMore() {
    assertEquals(
        0,
        BigDecimal.ONE.compareTo(
            ask("SELECT COUNT(*) n, DP_INTERVAL_LOW(n) FROM trips").epsilon()));
  }

  @Test
  void havingAndOrderByReadThem() {
    AnalystView view =
        ask(
            "SELECT status, COUNT(*) AS n FROM trips GROUP BY status"
                + " HAVING DP_INTERVAL_HIGH(n) > -100 AND DP_INTERVAL_LOW(COUNT(*)) < 100"
                + " ORDER BY DP_INTERVAL_LOW(n) DESC LIMIT 3");
    assertEquals(3, view.rows().size());
    assertEquals(2, view.columns().size());
    assertTrue(number(view.rows().get(0).get(1)).compareTo(number(view.rows().get(2).get(1))) >= 0);
    assertTrue(view.hasIntervals(1));
    assertEquals(
        0, ask("SELECT COUNT(*) AS n FROM trips HAVING DP_INTERVAL_LOW(n) > 100000").rows().size());
  }

  @Test
  void barsPassThroughJoinsAndDistinctRows() {
    AnalystView view =
        ask(
            "WITH a AS (SELECT status, COUNT(*) AS n FROM trips GROUP BY status)"
                + " SELECT x.status, x.n + y.n AS both, DP_INTERVAL_LOW(both)"
                + " FROM a x JOIN a y ON x.status = y.status");
    assertTrue(view.hasIntervals(1));
    assertTrue(ask("SELECT DISTINCT n FROM (SELECT COUNT(*) AS n FROM trips) t").hasIntervals(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INTERVAL_UNAVAILABLE | SELECT status, COUNT(*), DP_INTERVAL_LOW(1) FROM trips GROUP BY"
            + " status",
        "INTERVAL_UNAVAILABLE | SELECT DP_INTERVAL_LOW(COUNT(*) - COUNT(*) * 0 + 5 % 3) AS n,"
            + " DP_INTERVAL_LOW(n) FROM trips",
        "INTERVAL_UNAVAILABLE | SELECT DP_INTERVAL_LOW(n) AS n FROM trips",
        "INTERVAL_UNAVAILABLE | SELECT COUNT(*) FROM trips WHERE DP_INTERVAL_LOW(fare) > 3",
        "INTERVAL_UNAVAILABLE | SELECT MEDIAN(fare) AS m, DP_INTERVAL_LOW(m) FROM trips",
        "INTERVAL_UNAVAILABLE | SELECT COUNT(*) % 7 AS m, DP_INTERVAL_LOW(m) FROM trips",
        "INTERVAL_UNAVAILABLE | SELECT COUNT(*) FROM (SELECT city_id, DP_INTERVAL_LOW(COUNT(*)) l"
            + " FROM trips GROUP BY city_id) t WHERE l > 3",
        "INTERVAL_UNAVAILABLE | SELECT n, DP_INTERVAL_LOW(n) FROM (SELECT COUNT(*) AS n FROM trips"
            + " UNION ALL SELECT COUNT(*) FROM drivers) t",
        "INTERVAL_UNAVAILABLE | SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n) FROM drivers a JOIN"
            + " drivers b ON a.city_id = b.city_id",
        "TYPE_MISMATCH | SELECT MAX(day) AS m, DP_INTERVAL_LOW(m) FROM trips",
        "TYPE_MISMATCH | SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n, n) FROM trips",
        "AMBIGUOUS_COLUMN | SELECT COUNT(*) n, SUM(fare) n, DP_INTERVAL_LOW(n) FROM trips",
        "UNKNOWN_COLUMN | SELECT COUNT(*) AS n, DP_INTERVAL_LOW(m) FROM trips",
      })
  void whatHasNoErrorBarIsRefused(RejectionCode code, String sql) {
    Rejection rejection = assertThrows(Rejection.class, () -> ask(sql), sql);
    assertEquals(code, rejection.code(), rejection.getMessage());
    assertTrue(!rejection.hint().isEmpty());
  }

  @Test
  void privateScalesHaveNoBarsAndSayWhatWouldHelp() {
    AnalystView view =
        ask("SELECT COUNT(*) AS n FROM drivers a JOIN drivers b ON a.city_id = b.city_id");
    assertTrue(!view.hasIntervals(0));
    assertTrue(view.intervalNote().contains("collect --release"), view.intervalNote());
  }

  @Test
  void aDivisorThatMayBeZeroSaysNothing() {
    AnalystView view =
        ask("SELECT SUM(fare) / COUNT(*) AS x, DP_INTERVAL_LOW(x) FROM trips WHERE id > 5");
    assertEquals(null, view.rows().get(0).get(1));
    assertTrue(view.interval(0, 0).isEmpty());
  }

  @Test
  void aRepeatHasTheBarsOfTheNoiseThatItHas() {
    String sql = "SELECT COUNT(*) AS n FROM trips";
    AnalystView first =
        rides.gateway.ask(question(sql, MechanismChoice.LOMAX, true).withIntervals(true));
    AnalystView again =
        rides.gateway.ask(question(sql, MechanismChoice.AUTO, false).withIntervals(true));
    assertTrue(again.repeat());
    assertEquals(first.rows(), again.rows());
    assertEquals(first.intervals(), again.intervals());
  }
}
