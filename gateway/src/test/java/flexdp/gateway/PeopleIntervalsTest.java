package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MetricRelease;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Error bars of answers by people, from SQL to the answer, and metrics released for a kind. */
class PeopleIntervalsTest extends Hospital {
  /** Some patients come often, and one has 135 visits. */
  @BeforeEach
  void heavier() throws SQLException {
    execute(
        "INSERT INTO visits SELECT (20000 + range)::INTEGER, CASE WHEN range < 135 THEN 1 ELSE"
            + " (floor(4000 * pow((range * 7919 % 10007) / 10007.0, 2)))::INTEGER END,"
            + " (range % 100)::INTEGER, (range * 31 % 120)::INTEGER,"
            + " ['a', 'b', 'c'][(1 + range % 3)::INTEGER] FROM range(20000)");
  }

  /** The counts of wards where nobody counts for more than so many rows. */
  private Map<String, Double> counted(int most) throws SQLException {
    Map<String, Double> counts = new TreeMap<>();
    for (String ward : List.of("a", "b", "c")) {
      counts.put(
          ward,
          exact(
                  "SELECT SUM(n * LEAST(1.0, "
                      + most
                      + " / rows)) FROM (SELECT ward, COUNT(*) AS n, SUM(COUNT(*)) OVER (PARTITION"
                      + " BY patient_id) AS rows FROM visits GROUP BY patient_id, ward) WHERE ward ="
                      + " '"
                      + ward
                      + "'")
              .doubleValue());
    }
    return counts;
  }

  private static final Pattern MOST = Pattern.compile("counts for at most (\\d+)");

  private static int most(AnalystView view) {
    Matcher found = MOST.matcher(view.derived().orElseThrow());
    assertTrue(found.find(), view.derived().orElseThrow());
    assertTrue(view.derived().orElseThrow().contains("error bars are those of the capped numbers"));
    return Integer.parseInt(found.group(1));
  }

  /** A count beside a mean, by groups: bars of the capped counts, as the answer says. */
  @Test
  void barsOfGroupedCountsHoldWhatTheySayAndAreOfUse() throws SQLException {
    int held = 0;
    int means = 0;
    int all = 0;
    List<Double> widths = new ArrayList<>();
    double mean = exact("SELECT AVG(minutes) FROM visits").doubleValue();
    try (Asked asked = new Asked(ONE_KIND, "bars.ledger")) {
      for (int i = 0; i < 40; i++) {
        AnalystView view =
            asked.intervals(
                "SELECT ward, COUNT(*) AS n, AVG(minutes) FROM visits WHERE minutes < "
                    + (120 + i)
                    + " GROUP BY ward ORDER BY ward",
                "2");
        Map<String, Double> truth = counted(most(view));
        for (int row = 0; row < 3; row++) {
          AnalystView.Bar bar = view.interval(row, 1).orElseThrow();
          AnalystView.Bar average = view.interval(row, 2).orElseThrow();
          double count = truth.get((String) view.rows().get(row).get(0));
          held += bar.low().doubleValue() <= count && count <= bar.high().doubleValue() ? 1 : 0;
          means +=
              average.low().doubleValue() <= mean + 1 && mean - 1 <= average.high().doubleValue()
                  ? 1
                  : 0;
          all++;
          widths.add(bar.high().subtract(bar.low()).doubleValue() / 2 / count);
        }
      }
    }
    widths.sort(null);
    // Of 120 intervals that hold by 95 %, fewer than 92 do so once in 10⁹ runs.
    assertTrue(held >= 92 && means >= 0.92 * all, held + ", " + means + " of " + all);
    // Now and then a high level is chosen: then few of them are wide, and nothing says how wide.
    assertTrue(widths.get(all / 2) < 0.15 && widths.get(all * 9 / 10) < 1.5, widths.toString());
  }

  @Test
  void sqlMayAskForThem() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "sql.ledger")) {
      for (String sql :
          List.of(
              "SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM visits",
              "SELECT SUM(minutes) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM visits",
              "SELECT AVG(minutes) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM visits",
              "SELECT n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n) FROM (SELECT ward, COUNT(*) AS n"
                  + " FROM visits GROUP BY ward) w ORDER BY ward")) {
        AnalystView view = asked.intervals(sql, "2");
        AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
        assertEquals(bar.low().doubleValue(), number(view, 1), 1e-6, sql);
        assertEquals(bar.high().doubleValue(), number(view, 2), 1e-6, sql);
        assertTrue(number(view, 0) >= number(view, 1) && number(view, 0) <= number(view, 2), sql);
        // What is cut off is missing.
        assertTrue(
            sql.contains("AVG")
                || number(view, 2) - number(view, 0) >= number(view, 0) - number(view, 1),
            sql);
      }
    }
    try (Asked asked = new Asked(TWO_KINDS, "two.ledger")) {
      Rejection refused =
          assertThrows(
              Rejection.class,
              () -> asked.ask("SELECT DP_INTERVAL_LOW(COUNT(*)) FROM visits", "2"));
      assertEquals("INTERVAL_UNAVAILABLE", refused.codeName());
    }
  }

  private static double number(AnalystView view, int column) {
    return Double.parseDouble(view.rows().getFirst().get(column).toString());
  }

  /** Histograms of many labels over people mixed need a public scale: released for the kind. */
  @Test
  void metricsReleasedForAKindAnswerHistograms() throws SQLException {
    String yaml = ONE_KIND.replace("patient_id}", "patient_id}\n    rowsPerPerson: 4");
    Policy policy = PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy)
            .and(ColumnNames.parse("visits.doctor_id, visits.minutes", policy));
    Metrics measured =
        new Collector(policy, wanted, Progress.NONE, Clock.systemUTC())
            .collect(connection)
            .metrics();
    assertEquals(
        policy.table("visits").orElseThrow().ownership().rowsPerPerson(),
        measured.table("visits").rowsPerPerson());
    String sql =
        "SELECT v.minutes, COUNT(*) FROM visits v JOIN visits w ON v.doctor_id = w.doctor_id"
            + " GROUP BY v.minutes";
    try (Asked asked = new Asked(yaml, "unreleased.ledger", measured)) {
      Rejection refused = assertThrows(Rejection.class, () -> asked.ask(sql, "2"));
      assertEquals("MECHANISM_UNSUITABLE", refused.codeName());
    }
    Metrics released =
        MetricRelease.release(
            measured,
            List.of(
                new MetricRelease.Metric(
                    "visits", MetricRelease.Kind.MAX_FREQUENCY, Set.of("doctor_id"))),
            new PrivacyParameters(BigDecimal.ONE, new BigDecimal("1e-6")),
            policy,
            new SmallRides.Replayed(4));
    try (Asked asked = new Asked(yaml, "released.ledger", released)) {
      AnalystView view = asked.ask(sql, "2");
      assertEquals("released", view.mechanism());
      assertEquals(122, view.rows().size());
    }
  }
}
