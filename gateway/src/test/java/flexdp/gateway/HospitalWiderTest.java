package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What questions by people may also say: several groupings, labels of the data, intervals. */
class HospitalWiderTest extends Hospital {
  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  @Test
  void peopleAreCountedByGroupsAndBesideOtherNumbers() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "people.ledger")) {
      for (List<Object> row :
          asked
              .ask("SELECT ward, COUNT(DISTINCT patient_id) FROM visits GROUP BY ward", "4")
              .rows()) {
        double truth =
            exact(
                    "SELECT COUNT(DISTINCT patient_id) FROM visits WHERE ward = '"
                        + row.getFirst()
                        + "'")
                .doubleValue();
        assertEquals(truth, number(row.get(1)), 200);
      }
      List<Object> row =
          asked
              .ask("SELECT COUNT(*), COUNT(DISTINCT patient_id) FROM visits", "4")
              .rows()
              .getFirst();
      assertEquals(20000, number(row.get(0)), 500);
      assertEquals(4000, number(row.get(1)), 50);
    }
  }

  @Test
  void everyGroupingIsAHistogramOfItsOwn() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "sets.ledger")) {
      AnalystView view =
          asked.ask(
              "SELECT ward, COUNT(*), GROUPING(ward) FROM visits GROUP BY ROLLUP(ward) ORDER BY 3,"
                  + " 1",
              "4");
      assertEquals(4, view.rows().size());
      assertEquals(6667, number(view.rows().getFirst().get(1)), 500);
      assertEquals(20000, number(view.rows().getLast().get(1)), 500);
      assertEquals(0, number(view.rows().getFirst().get(2)));
      assertEquals(1, number(view.rows().getLast().get(2)));
    }
  }

  /** Where accounts add up ρ, people vote: the answer says what its ρ means, and is paid by it. */
  @Test
  void labelsThatEnoughPeopleVoteForAreShown() throws SQLException {
    execute("UPDATE visits SET ward = 'w' || (id % 40)");
    execute("UPDATE visits SET ward = 'rare' || id WHERE patient_id = 17");
    String policy =
        ONE_KIND
            .replace(", domain: [a, b, c]", "")
            .replaceFirst(
                "budget: \\{[^}]*}", "budget: {epsilon: 100, delta: 1e-4, composition: zcdp}");
    try (Asked asked = new Asked(policy, "votes.ledger")) {
      String sql = "SELECT ward, COUNT(DISTINCT patient_id), COUNT(*) FROM visits GROUP BY ward";
      AnalystView view = asked.ask(sql, "1");
      assertEquals(40, view.rows().size(), view.rows().toString());
      assertTrue(view.rows().stream().noneMatch(r -> r.getFirst().toString().startsWith("rare")));
      assertEquals(0.5, view.rho().orElseThrow().doubleValue(), 1e-6);
      // The δ of labels is beside that to which ε belongs.
      double delta = view.delta().doubleValue() - 1e-6;
      double meant = 2 * Math.sqrt(0.5 * Math.log(1 / delta)) + 0.5;
      assertTrue(view.epsilon().doubleValue() > 1, "1 is not what it means");
      assertTrue(view.epsilon().doubleValue() <= meant + 1e-6, view.epsilon().toString());
      for (String composition : List.of(", composition: zcdp", "")) {
        String many =
            policy
                .replace(", composition: zcdp", composition)
                .replace("{delta: 1e-6}", "{delta: 1e-6, atLeast: 2000}");
        try (Asked none = new Asked(many, "many" + composition.length() + ".ledger")) {
          assertEquals(List.of(), none.ask(sql, "1").rows(), "nobody has so many");
        }
      }
      // Of pure parts each person vouches for four.
      String pure = policy.replace(", composition: zcdp", "");
      try (Asked counted = new Asked(pure, "counted.ledger")) {
        AnalystView fewer = counted.ask(sql, "1");
        assertTrue(fewer.rho().isEmpty() && fewer.epsilon().doubleValue() <= 1);
      }
    }
  }

  @Test
  void labelsThatEnoughPeopleHaveAreShown() throws SQLException {
    execute("UPDATE visits SET ward = 'rare' WHERE patient_id = 17");
    String policy = ONE_KIND.replace(", domain: [a, b, c]", "");
    try (Asked asked = new Asked(policy, "labels.ledger")) {
      AnalystView view = asked.ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward", "4");
      assertEquals(List.of("a", "b", "c"), view.rows().stream().map(List::getFirst).toList());
      for (List<Object> row : view.rows()) {
        assertEquals(6667, number(row.get(1)), 500);
      }
      assertEquals(new BigDecimal("0.000001"), view.delta());
    }
  }

  @Test
  void whereOnePersonHasFewRowsNothingIsClipped() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "few.ledger")) {
      AnalystView view = asked.ask("SELECT sex, COUNT(*) FROM patients GROUP BY sex", "1");
      assertEquals("laplace", view.mechanism());
      Explanation explained = asked.explain("SELECT COUNT(*) FROM patients");
      assertEquals(Optional.of("laplace"), explained.noise().getFirst().mechanism());
      assertTrue(explained.operators().getFirst().startsWith("P-FEW"), explained.toString());
    }
  }

  @Test
  void intervalsHoldNoiseAndWhatWasCutOff() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "bars.ledger")) {
      int held = 0;
      for (int i = 0; i < 20; i++) {
        AnalystView view =
            asked.intervals("SELECT COUNT(*) FROM visits WHERE minutes < 1" + i, "1");
        AnalystView.Bar bar = view.intervals().getFirst().getFirst().orElseThrow();
        double truth = exact("SELECT COUNT(*) FROM visits WHERE minutes < 1" + i).doubleValue();
        if (bar.low().doubleValue() <= truth && truth <= bar.high().doubleValue()) {
          held++;
        }
        assertEquals(
            view.intervals(),
            asked.intervals("SELECT COUNT(*) FROM visits WHERE minutes < 1" + i, "1").intervals(),
            "given again");
      }
      assertTrue(held >= 16, held + " of 20");
    }
  }

  @Test
  void rowsOfSeveralOwnersByAFewLabels() throws SQLException {
    try (Asked asked = new Asked(TWO_KINDS, "shared.ledger")) {
      AnalystView view =
          asked.ask("SELECT ward, COUNT(*), SUM(minutes) FROM visits GROUP BY ward", "60");
      assertEquals(3, view.rows().size());
      // One in a hundred is far off, since a descent may end at a level that is far too high.
      long near =
          view.rows().stream().filter(row -> Math.abs(number(row.get(1)) - 6667) <= 1500).count();
      assertTrue(near >= 2, () -> "only " + near + " of " + view.rows());
      assertEquals("descent", view.mechanism());
    }
  }
}
