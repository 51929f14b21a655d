package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows in answers: computed from the very numbers that are shown, and free. */
class WindowAnswersTest {
  private static final String MONTHS =
      "SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) AS n FROM trips GROUP BY 1";

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
    return rides.gateway.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), false));
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  @Test
  void aRunningTotalAddsUpTheNumbersShown() {
    AnalystView view =
        answer("SELECT m, n, SUM(n) OVER (ORDER BY m) AS upto FROM (" + MONTHS + ") q ORDER BY m");
    BigDecimal sum = BigDecimal.ZERO;
    for (List<Object> row : view.rows()) {
      sum = sum.add(number(row.get(1)));
      assertEquals(0, sum.compareTo(number(row.get(2))), () -> row.toString());
    }
    assertEquals(13, view.rows().size(), "twelve months and NULL");
  }

  @Test
  void windowsOverAReleasedHistogramAreFreeAndTheSameEveryTime() {
    answer(MONTHS);
    String ranked =
        "SELECT m, n, ROW_NUMBER() OVER (ORDER BY n * 0) AS r, RANK() OVER (ORDER BY n DESC) AS k,"
            + " n - LAG(n) OVER (ORDER BY m) AS change FROM ("
            + MONTHS
            + ") q";
    AnalystView first = answer(ranked);
    AnalystView again = answer(ranked);
    assertTrue(first.repeat() && again.repeat());
    assertEquals(first.rows(), again.rows());
    AnalystView other = answer(MONTHS + " QUALIFY ROW_NUMBER() OVER (ORDER BY n DESC, m) <= 3");
    assertTrue(other.repeat());
    assertEquals(3, other.rows().size());
  }

  @Test
  void framesTellQuestionsApart() {
    String frames =
        "SELECT m, SUM(n) OVER (ORDER BY m ROWS %s PRECEDING) AS s FROM ("
            + MONTHS
            + ") q ORDER BY m";
    List<List<Object>> one = answer(frames.replace("%s", "1")).rows();
    List<List<Object>> two = answer(frames.replace("%s", "2")).rows();
    assertFalse(one.equals(two));
  }

  @Test
  void otherColumnsKeepTheirErrorBars() {
    QueryRequest request =
        new QueryRequest(
            "SELECT status, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS r,"
                + " DP_INTERVAL_LOW(n) AS low FROM trips GROUP BY status"
                + " QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*)) <= 2",
            QueryOptions.DEFAULT,
            "ann",
            Set.of(),
            false);
    AnalystView view = rides.gateway.ask(request.withIntervals(true));
    assertEquals(2, view.rows().size());
    AnalystView.Bar bar = view.interval(0, 1).orElseThrow();
    assertEquals(0, bar.low().compareTo(number(view.rows().getFirst().get(3))));
    assertTrue(view.interval(0, 2).isEmpty());
    assertTrue(view.intervalNote().contains("window function"), view.intervalNote());
  }
}
