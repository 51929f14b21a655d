package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Averages of what people own: centred sums over the rows that they are the sums of, each of one
 * weight. A sum and a number that are each cut by a norm of its own are of no population: where
 * some have a hundred times as many rows as others, their quotient leaves the values altogether.
 */
class OwnAveragesTest extends Hospital {
  private static final int ASKED = 40;

  /** Of 40 intervals that hold by 95 %, fewer than 24 do so once in 10⁹ runs. */
  private static final int HELD = 24;

  /** 4,000 people with 4, 24, 150 and 900 visits, all of them of 100 minutes. */
  @BeforeEach
  void uneven() throws SQLException {
    execute("DELETE FROM prescriptions");
    execute("DELETE FROM visits");
    execute(
        "INSERT INTO visits SELECT (p.id * 900 + r.range)::INTEGER, p.id, (r.range % 100)::INTEGER,"
            + " 100, ['a', 'b', 'c'][(1 + (p.id + r.range) % 3)::INTEGER] FROM patients p,"
            + " range(900) r WHERE r.range < CASE WHEN p.id % 100 < 70 THEN 4 WHEN p.id % 100 < 90"
            + " THEN 24 WHEN p.id % 100 < 98 THEN 150 ELSE 900 END");
  }

  @Test
  void barsHoldWhatEveryValueIs() throws SQLException {
    hold("SELECT AVG(minutes) FROM visits WHERE minutes <> %d", 0);
  }

  @Test
  void thoseOfGroupsDoToo() throws SQLException {
    hold("SELECT ward, AVG(minutes) FROM visits WHERE minutes <> %d GROUP BY ward", 1);
  }

  @Test
  void besideSumsAndCountsToo() throws SQLException {
    hold("SELECT AVG(minutes), SUM(minutes), COUNT(*) FROM visits WHERE minutes <> %d", 0);
  }

  private void hold(String sql, int column) throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "uneven" + column + ".ledger")) {
      int held = 0;
      for (int i = 0; i < ASKED; i++) {
        AnalystView view = asked.intervals(String.format(sql, 200 + i), "1");
        AnalystView.Bar bar = view.interval(0, column).orElseThrow();
        held += bar.low().doubleValue() <= 100 && 100 <= bar.high().doubleValue() ? 1 : 0;
        double given = ((Number) view.rows().getFirst().get(column)).doubleValue();
        assertEquals(100, given, 15, sql);
      }
      assertTrue(held >= HELD, held + " of " + ASKED + ": " + sql);
    }
  }
}
