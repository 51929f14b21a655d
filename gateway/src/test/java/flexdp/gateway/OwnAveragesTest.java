package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.release.ContributionCap;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Averages of what people own: the sum over the number, each by its own norm (P-AVG). */
class OwnAveragesTest extends Hospital {
  private static final String WIDE =
      ONE_KIND.replace(
          "minutes: {type: integer, range: [0, 120]}",
          "minutes: {type: integer, range: [-20000, 20000]}");

  /** Centred, and weighed by rows, the noise of an average of 20,000 rows is above 15. */
  @Test
  void aWideRangeIsNoNoise() throws SQLException {
    try (Asked asked = new Asked(WIDE, "wide.ledger")) {
      for (int i = 0; i < 20; i++) {
        String sql = "SELECT AVG(minutes) FROM visits WHERE minutes <> " + (200 + i);
        AnalystView view = asked.intervals(sql, "1");
        double truth = exact(sql).doubleValue();
        double given = ((Number) view.rows().getFirst().getFirst()).doubleValue();
        AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
        assertEquals(truth, given, truth / 10);
        assertTrue(bar.high().subtract(bar.low()).doubleValue() < truth, bar.toString());
      }
    }
  }

  @Test
  void aRareShareIsASumOfFew() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "rare.ledger")) {
      int held = 0;
      for (int i = 0; i < 40; i++) {
        String sql =
            "SELECT AVG(CASE WHEN minutes = 7 THEN 1.0 ELSE 0 END) FROM visits WHERE minutes <> "
                + (200 + i);
        AnalystView view = asked.intervals(sql, "1");
        double truth = exact(sql).doubleValue();
        AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
        held += bar.low().doubleValue() <= truth && truth <= bar.high().doubleValue() ? 1 : 0;
        assertEquals(truth, ((Number) view.rows().getFirst().getFirst()).doubleValue(), truth / 4);
      }
      // Of 40 intervals that hold by 95 %, fewer than 24 do so once in 10⁹ runs.
      assertTrue(held >= 24, held + " of 40");
    }
  }

  /**
   * Where 0 is no value, where a column of TRUE and FALSE decides, and in ROLLUP rows are weighed.
   */
  @Test
  void othersAreWeighedByRows() throws SQLException {
    execute("ALTER TABLE visits ADD COLUMN healed BOOLEAN DEFAULT TRUE");
    String healed =
        ONE_KIND.replace(
            "ward: {type: varchar, domain: [a, b, c]}",
            "ward: {type: varchar, domain: [a, b, c]}\n      healed: {type: boolean}");
    try (Asked asked = new Asked(healed, "weighed.ledger")) {
      assertEquals(List.of(false), rows(asked, "SELECT AVG(minutes) FROM visits"));
      for (String sql :
          List.of(
              "SELECT AVG(GREATEST(minutes, 5)) FROM visits",
              "SELECT AVG(CASE WHEN healed THEN 1.0 ELSE 0 END) FROM visits",
              "SELECT ward, AVG(minutes) FROM visits GROUP BY ROLLUP (ward)")) {
        assertEquals(List.of(true), rows(asked, sql), sql);
      }
    }
  }

  /** Whether the caps of sums are numbers of rows. */
  private static List<Boolean> rows(Asked asked, String sql) {
    AnalystView view = asked.ask(sql, "1");
    assertFalse(view.caps().isEmpty());
    return view.caps().stream()
        .filter(cap -> cap.of().contains("sum"))
        .map(ContributionCap::rows)
        .distinct()
        .collect(Collectors.toList());
  }
}
