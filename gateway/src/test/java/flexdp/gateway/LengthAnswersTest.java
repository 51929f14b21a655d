package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.json.AnswerJson;
import flexdp.release.ContributionCap;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Groups of what people own, clipped in L2 where every account adds up ρ: from SQL to the answer.
 */
class LengthAnswersTest extends Hospital {
  private static final String ZCDP =
      ONE_KIND.replace("delta: 0.01}", "delta: 0.01, composition: zcdp}");
  private static final String COUNTS =
      "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward ORDER BY ward";
  private static final Pattern LENGTH = Pattern.compile("scaled to length at most ([0-9.]+)");

  private static double length(AnalystView view) {
    Matcher found = LENGTH.matcher(view.derived().orElseThrow());
    assertTrue(found.find(), view.derived().orElseThrow());
    return Double.parseDouble(found.group(1));
  }

  /** The counts of wards where nobody's counts are longer than this. */
  private Map<String, Double> capped(double length) throws SQLException {
    Map<String, Double> counts = new TreeMap<>();
    for (String ward : List.of("a", "b", "c")) {
      counts.put(
          ward,
          exact(
                  "SELECT SUM(n * LEAST(1.0, "
                      + length
                      + " / sqrt(squares))) FROM (SELECT ward, COUNT(*) AS n, SUM(COUNT(*) *"
                      + " COUNT(*)) OVER (PARTITION BY patient_id) AS squares FROM visits GROUP BY"
                      + " patient_id, ward) WHERE ward = '"
                      + ward
                      + "'")
              .doubleValue());
    }
    return counts;
  }

  /** Its numbers are those of its words, in JSON too. */
  private static void assertCapped(AnalystView view) throws SQLException {
    ContributionCap cap = view.caps().getFirst();
    String said =
        ", cut off of all together about "
            + cap.beyond().orElseThrow().stripTrailingZeros().toPlainString()
            + ", likely at most "
            + cap.beyondAtMost().orElseThrow().stripTrailingZeros().toPlainString();
    assertTrue(view.derived().orElseThrow().contains(said), view.derived() + " / " + cap);
    assertTrue(cap.euclidean() && cap.rows(), cap.toString());
    assertEquals(length(view), cap.most().doubleValue());
    String json = AnswerJson.of(view, false);
    assertTrue(
        json.contains(
            "\"caps\":[{\"of\":\"COUNT (count)\",\"norm\":\"L2\",\"counted\":\"rows\",\"cap\":"
                + cap.most().toPlainString()
                + ",\"beyondCap\":"),
        json);
  }

  @Test
  void groupsAreScaledToALength() throws SQLException {
    try (Asked asked = new Asked(ZCDP, "length.ledger")) {
      int held = 0;
      for (int i = 0; i < 40; i++) {
        AnalystView view =
            asked.intervals(COUNTS.replace("visits", "visits WHERE minutes < " + (120 + i)), "1");
        assertEquals("clip-gaussian", view.mechanism());
        assertEquals(0, view.rho().orElseThrow().compareTo(new BigDecimal("0.5")));
        assertTrue(view.delta().signum() > 0 && view.epsilon().compareTo(BigDecimal.ONE) > 0);
        assertCapped(view);
        Map<String, Double> truth = capped(length(view));
        for (List<Object> row : view.rows()) {
          int at = view.rows().indexOf(row);
          AnalystView.Bar bar = view.interval(at, 1).orElseThrow();
          double count = truth.get((String) row.getFirst());
          held += bar.low().doubleValue() <= count && count <= bar.high().doubleValue() ? 1 : 0;
        }
      }
      // Of 120 intervals that hold by 95 %, fewer than 92 do so once in 10⁹ runs.
      assertTrue(held >= 92, held + " of 120");
      BigDecimal all = BigDecimal.valueOf(40).multiply(new BigDecimal("0.5"));
      assertEquals(0, all.compareTo(asked.rho(new Account.People("patient"))));
    }
  }

  @Test
  void sumsAveragesAndLabelsOfTheDataAreToo() throws SQLException {
    try (Asked asked = new Asked(ZCDP, "sums.ledger")) {
      AnalystView view =
          asked.intervals(
              "SELECT ward, COUNT(*), SUM(minutes), AVG(minutes), COUNT(DISTINCT patient_id) FROM"
                  + " visits GROUP BY ward ORDER BY ward",
              "4");
      assertEquals("clip-gaussian", view.mechanism());
      for (int row = 0; row < 3; row++) {
        String ward = " FROM visits WHERE ward = '" + view.rows().get(row).getFirst() + "'";
        for (String number : List.of("COUNT(*)", "SUM(minutes)", "AVG(minutes)")) {
          int column = 1 + List.of("COUNT(*)", "SUM(minutes)", "AVG(minutes)").indexOf(number);
          double truth = exact("SELECT " + number + ward).doubleValue();
          double given = Double.parseDouble(view.rows().get(row).get(column).toString());
          assertEquals(truth, given, truth / 4, number);
          assertTrue(view.interval(row, column).isPresent());
        }
      }
      // Each with its own cap; of AVG its sum and its count.
      Set<String> of = view.caps().stream().map(ContributionCap::of).collect(Collectors.toSet());
      assertTrue(of.containsAll(Set.of("COUNT (count)", "SUM (sum)")), of.toString());
      ContributionCap sum =
          view.caps().stream().filter(c -> c.of().equals("SUM (sum)")).findFirst().get();
      assertFalse(sum.rows());
      AnalystView years =
          asked.intervals("SELECT doctor_id, COUNT(*) FROM visits GROUP BY doctor_id", "4");
      assertEquals("clip-gaussian, gaussian", years.mechanism());
      assertTrue(years.rows().size() > 50, years.rows().size() + " labels");
    }
  }

  /** One number, few groups, values that are chosen, and other compositions stay as they are. */
  @Test
  void whatHasFewCellsOrIsChosenIsNot() throws SQLException {
    try (Asked asked = new Asked(ZCDP, "few.ledger")) {
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM visits",
              "SELECT ward, MEDIAN(minutes) FROM visits GROUP BY ward",
              "SELECT sex, COUNT(*) FROM visits v JOIN patients p ON v.patient_id = p.id GROUP BY"
                  + " sex",
              "SELECT ward, COUNT(*) FROM visits GROUP BY ROLLUP (ward)")) {
        assertEquals("clip", asked.intervals(sql, "1").mechanism(), sql);
      }
      assertEquals("clip", asked.intervals(COUNTS, "0.0000001").mechanism());
    }
    try (Asked asked = new Asked(ONE_KIND, "basic.ledger")) {
      assertEquals("clip", asked.intervals(COUNTS, "1").mechanism());
    }
  }

  /** A number by one way never stands for one by another. */
  @Test
  void repeatsAreOfTheSameWay() throws SQLException {
    try (Asked asked = new Asked(ZCDP, "again.ledger")) {
      AnalystView first = asked.intervals(COUNTS, "1");
      AnalystView again = asked.intervals(COUNTS, "1");
      assertTrue(again.repeat());
      assertEquals(first.rows(), again.rows());
      assertEquals(first.derived(), again.derived());
      for (int row = 0; row < 3; row++) {
        assertEquals(first.interval(row, 1), again.interval(row, 1));
      }
      AnalystView total = asked.intervals("SELECT COUNT(*) FROM visits WHERE ward = 'a'", "1");
      assertFalse(total.repeat());
      assertEquals("clip", total.mechanism());
    }
  }

  /** Beside the count of all rows, a count of some weighs people by all their rows. */
  @Test
  void countsThatShareWeightsStandForNoneByTheirOwnNorm() throws SQLException {
    String some = "COUNT(*) FILTER (WHERE minutes > 60)";
    try (Asked asked = new Asked(ONE_KIND, "weights.ledger")) {
      assertFalse(asked.intervals("SELECT " + some + ", COUNT(*) FROM visits", "1").repeat());
      assertFalse(asked.intervals("SELECT " + some + " FROM visits", "0.5").repeat());
      assertTrue(asked.intervals("SELECT COUNT(*) FROM visits", "0.5").repeat());
      assertTrue(asked.intervals("SELECT " + some + " * 1.0 / COUNT(*) FROM visits", "1").repeat());
    }
  }
}
