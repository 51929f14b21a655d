package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Quantiles of what people own, with the intervals that are chosen beside them. */
class QuantileIntervalsTest extends Hospital {
  private static final String BY_WARD =
      "SELECT ward, percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) AS m FROM visits GROUP BY"
          + " ward ORDER BY ward";

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  @Test
  void everyGroupHasAnIntervalOfItsOwn() throws SQLException {
    execute("UPDATE visits SET minutes = 7 WHERE ward = 'a'");
    execute("UPDATE visits SET minutes = 20 + minutes % 60 WHERE ward = 'b'");
    try (Asked asked = new Asked(ONE_KIND, "bars.ledger")) {
      AnalystView view = asked.intervals(BY_WARD, "8");
      assertEquals("", view.intervalNote());
      for (int row = 0; row < 3; row++) {
        List<Object> labels = view.rows().get(row);
        AnalystView.Bar bar = view.interval(row, 1).orElseThrow();
        BigDecimal truth =
            exact("SELECT MEDIAN(minutes) FROM visits WHERE ward = '" + labels.getFirst() + "'");
        assertTrue(bar.low().compareTo(number(labels.get(1))) <= 0, view.toString());
        assertTrue(bar.high().compareTo(number(labels.get(1))) >= 0, view.toString());
        assertTrue(bar.low().compareTo(truth) <= 0, bar + " of " + truth);
        assertTrue(bar.high().compareTo(truth) >= 0, bar + " of " + truth);
        assertTrue(width(bar) < 30, bar.toString());
      }
      assertTrue(width(view.interval(0, 1).get()) <= 2, "all are the same");
      assertTrue(width(view.interval(1, 1).get()) > 2, "they are not");
      AnalystView again = asked.intervals(BY_WARD, "8");
      assertTrue(again.repeat());
      assertEquals(view.rows(), again.rows());
      for (int row = 0; row < 3; row++) {
        // One width is kept for all groups, the widest.
        AnalystView.Bar kept = again.interval(row, 1).orElseThrow();
        assertTrue(width(kept) >= width(view.interval(row, 1).orElseThrow()), kept.toString());
      }
    }
  }

  private static double width(AnalystView.Bar bar) {
    return bar.high().subtract(bar.low()).doubleValue();
  }

  @Test
  void theFunctionsGiveItInSql() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "sql.ledger")) {
      AnalystView view =
          asked.intervals(
              "SELECT MEDIAN(minutes) AS m, DP_INTERVAL_LOW(m), DP_INTERVAL_HIGH(m), COUNT(*) FROM"
                  + " visits",
              "4");
      AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
      assertEquals(0, bar.low().compareTo(number(view.rows().getFirst().get(1))));
      assertEquals(0, bar.high().compareTo(number(view.rows().getFirst().get(2))));
      assertTrue(view.interval(0, 3).isPresent());
      AnalystView hours = asked.intervals("SELECT MEDIAN(minutes) / 60.0 AS h FROM visits", "4");
      assertTrue(hours.interval(0, 0).isPresent());
    }
  }

  /** Of nothing it is not known how far off it is, nor of what stands in its place. */
  @Test
  void whereNothingWasChosenNothingIsExact() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "nothing.ledger")) {
      String rows = " FROM visits WHERE minutes = 100";
      AnalystView nothing = asked.ask("SELECT COALESCE(MEDIAN(minutes), 0) AS m" + rows, "0.001");
      assertEquals(0, number(nothing.rows().getFirst().getFirst()).signum());
      // What is kept of it says as much.
      AnalystView kept =
          asked.intervals(
              "SELECT COALESCE(MEDIAN(minutes), 0) AS m, DP_INTERVAL_LOW(m), DP_INTERVAL_HIGH(m)"
                  + rows,
              "0.001");
      assertTrue(kept.repeat());
      assertNone(kept);
      assertNone(
          asked.intervals(
              "SELECT COALESCE(MEDIAN(minutes), 0) AS m, DP_INTERVAL_LOW(m), DP_INTERVAL_HIGH(m)"
                  + " FROM visits WHERE minutes = 99",
              "0.001"));
      assertNone(
          asked.intervals(
              "SELECT COALESCE(MEDIAN(minutes), 0) AS m, DP_INTERVAL_LOW(m), DP_INTERVAL_HIGH(m),"
                  + " ward FROM visits WHERE minutes = 98 GROUP BY ward",
              "0.001"));
    }
  }

  private static void assertNone(AnalystView view) {
    for (int row = 0; row < view.rows().size(); row++) {
      assertNull(view.rows().get(row).get(1), view.toString());
      assertNull(view.rows().get(row).get(2), view.toString());
      assertTrue(
          view.interval(row, 0).filter(bar -> bar.low() != null || bar.high() != null).isEmpty(),
          view.toString());
    }
  }

  /** Beyond the least and the largest value nothing lies; and intervals do not add up. */
  @Test
  void extremesAndSumsOfQuantilesHaveNone() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "none.ledger")) {
      for (String sql :
          List.of(
              "SELECT MAX(minutes) FROM visits",
              "SELECT MEDIAN(minutes) + COUNT(*) FROM visits",
              "SELECT MEDIAN(minutes) - MEDIAN(doctor_id % 10) FROM visits")) {
        AnalystView view = asked.intervals(sql, "4");
        assertTrue(view.interval(0, 0).isEmpty(), sql);
      }
      Rejection refused =
          assertThrows(
              Rejection.class,
              () -> asked.ask("SELECT MAX(minutes) AS m, DP_INTERVAL_LOW(m) FROM visits", "1"));
      assertEquals(RejectionCode.INTERVAL_UNAVAILABLE, refused.code());
    }
  }
}
