package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.gateway.api.AnalystView;
import flexdp.policy.PrivacyUnit;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CUBE and its kin over rows that people own: everybody is clipped once, for all sets. */
class PeopleCubeTest extends Hospital {
  private static final String FROM =
      " FROM visits v JOIN patients p ON v.patient_id = p.id WHERE v.minutes < ";

  private static String cube(String measured, int below) {
    return "SELECT v.ward, p.sex, GROUPING(v.ward, p.sex) AS g, "
        + measured
        + FROM
        + below
        + " GROUP BY CUBE(v.ward, p.sex)";
  }

  private double exact(String measured, List<Object> row) throws SQLException {
    String ward = row.get(0) == null ? "" : " AND v.ward = '" + row.get(0) + "'";
    String sex = row.get(1) == null ? "" : " AND p.sex = '" + row.get(1) + "'";
    return exact("SELECT " + measured + FROM + "120" + ward + sex).doubleValue();
  }

  private static boolean holds(AnalystView view, int row, double truth) {
    AnalystView.Bar bar = view.interval(row, 3).orElseThrow();
    return bar.low().doubleValue() <= truth && truth <= bar.high().doubleValue();
  }

  @Test
  void aCubeCostsItsEpsilonAndIsNearTheTruth() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "cube.ledger")) {
      String sql = cube("COUNT(*) AS n", 120);
      AnalystView view = asked.intervals(sql, "1");
      assertEquals(12, view.rows().size());
      assertEquals(0, BigDecimal.ONE.compareTo(view.epsilon()));
      assertEquals("clip", view.mechanism());
      Account account = Account.of(new PrivacyUnit.Person("patient"));
      assertEquals(0, BigDecimal.ONE.compareTo(asked.spent(account)));
      for (int row = 0; row < 12; row++) {
        double truth = exact("COUNT(*)", view.rows().get(row));
        assertEquals(
            truth, ((BigDecimal) view.rows().get(row).get(3)).doubleValue(), 0.05 * truth + 100);
      }
      AnalystView again = asked.intervals(sql, "1");
      assertTrue(again.repeat());
      assertEquals(view.rows(), again.rows());
      assertEquals(view.intervals(), again.intervals());
      assertEquals(0, BigDecimal.ONE.compareTo(asked.spent(account)));
    }
  }

  /** Patients have five visits each, so that clipping at eight takes nothing away. */
  @Test
  void errorBarsHoldTheTruth() throws SQLException {
    int held = 0;
    int all = 0;
    try (Asked asked = new Asked(ONE_KIND, "bars.ledger")) {
      double[] truths = new double[12];
      for (int i = 0; i < 60; i++) {
        AnalystView view = asked.intervals(cube("COUNT(*) AS n", 120 + i), "1");
        for (int row = 0; row < 12; row++) {
          truths[row] = i == 0 ? exact("COUNT(*)", view.rows().get(row)) : truths[row];
          held += holds(view, row, truths[row]) ? 1 : 0;
          all++;
        }
      }
    }
    // What may have been cut off makes them wider on one side, where nothing was.
    assertTrue(held >= 0.94 * all, held + " of " + all);
  }

  @Test
  void sumsAndMeansFollowFromTheSameRows() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "sums.ledger")) {
      for (String measured : List.of("SUM(v.minutes)", "AVG(v.minutes)")) {
        AnalystView view = asked.intervals(cube(measured, 120), "4");
        for (int row = 0; row < 12; row++) {
          double truth = exact(measured, view.rows().get(row));
          Object value = view.rows().get(row).get(3);
          assertEquals(
              truth, new BigDecimal(value.toString()).doubleValue(), 0.05 * truth, measured);
          assertTrue(view.interval(row, 3).isPresent());
        }
      }
    }
  }

  /** The sets of one statement, and nothing beyond what a whole statement says. */
  @Test
  void otherAggregatesBesideKeepTheOldWay() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "beside.ledger")) {
      AnalystView view =
          asked.ask(
              "SELECT ward, COUNT(*), MEDIAN(minutes) FROM visits GROUP BY ROLLUP(ward)", "2");
      assertEquals(4, view.rows().size());
      assertFalse(view.derived().orElseThrow().contains("estimated"));
    }
  }
}
