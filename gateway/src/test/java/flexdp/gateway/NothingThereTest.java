package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statistics of groups without rows, and what is computed above noisy groups. */
class NothingThereTest {
  private SmallRides rides;
  private int draws;

  @BeforeEach
  void open(@TempDir Path folder) throws SQLException {
    rides = new SmallRides(folder, () -> new SmallRides.Replayed(draws++));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private static QueryRequest question(String sql, String epsilon) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of(), true).withIntervals(true);
  }

  private AnalystView ask(String sql, String epsilon) {
    return rides.gateway.ask(question(sql, epsilon));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AVG(fare)",
        "VAR_POP(fare)",
        "STDDEV_SAMP(fare)",
        "COUNT(*), AVG(fare)",
        "MIN(fare)",
        "MAX(fare)",
        "MEDIAN(fare)",
        "MODE(status) FILTER (WHERE fare > 0)",
        "COUNT(*), MIN(fare)",
        "COUNT(fare), MEDIAN(fare)",
        "AVG(fare), MAX(fare)",
        "CORR(fare, fare)",
        "COVAR_POP(fare, fare)",
        "REGR_AVGX(fare, fare)",
        "REGR_SLOPE(fare, fare)",
        "SKEWNESS(fare)"
      })
  void aStatisticOfNothingIsNullWithoutABar(String aggregates) {
    AnalystView view = ask("SELECT " + aggregates + " FROM trips WHERE fare IS NULL", "5000");
    int last = view.columns().size() - 1;
    if (aggregates.startsWith("COUNT(*)")) {
      // A row is there, its fare is not.
      assertEquals(BigDecimal.ONE, view.rows().getFirst().getFirst());
    }
    assertNull(view.rows().getFirst().get(last));
    assertTrue(view.interval(0, last).isEmpty());
  }

  @Test
  void theAnswerSaysWhatItsNumbersAreNot() {
    String steps = "max is found in steps of 0.1";
    assertEquals(Optional.of(steps), ask("SELECT MAX(fare) FROM trips", "5000").derived());
    assertEquals(
        Optional.of("windows go over all labels, those without rows too"),
        ask(
                "SELECT status, AVG(COUNT(*)) OVER () FROM trips GROUP BY status ORDER BY status",
                "5000")
            .derived());
    assertEquals(
        Optional.empty(),
        ask("SELECT status, SUM(COUNT(*)) OVER () FROM trips GROUP BY status", "5000").derived());
  }

  @Test
  void aSampleOfOneRowHasNoDeviation() {
    AnalystView view =
        ask(
            "SELECT STDDEV_SAMP(fare), STDDEV_POP(fare), AVG(fare) FROM trips WHERE id = 1",
            "5000");
    assertNull(view.rows().getFirst().get(0));
    assertNotNull(view.rows().getFirst().get(1));
    assertNotNull(view.rows().getFirst().get(2));
  }

  /** A constant, and what cannot be told from one, has no correlation. */
  @Test
  void aConstantHasNoCorrelation() {
    for (String statistic :
        List.of(
            "CORR(distance, distance - distance)",
            "CORR(distance - distance, distance)",
            "REGR_SLOPE(distance, distance - distance)",
            "REGR_INTERCEPT(distance, distance - distance)",
            "SKEWNESS(distance - distance)")) {
      AnalystView view = ask("SELECT " + statistic + " FROM trips WHERE id IN (1, 2, 4)", "5000");
      assertNull(view.rows().getFirst().getFirst(), statistic);
      assertTrue(view.interval(0, 0).isEmpty(), statistic);
    }
    AnalystView one = ask("SELECT CORR(distance, fare) FROM trips WHERE id = 1", "5000");
    assertNull(one.rows().getFirst().getFirst());
    AnalystView same =
        ask("SELECT CORR(distance, distance) FROM trips WHERE id IN (1, 2, 4, 6)", "10000");
    assertEquals(1.0, (Double) same.rows().getFirst().getFirst(), 0.05);
  }

  /** What is added up of all groups that are shown is the sum of what is shown. */
  @Test
  void totalsOfShownGroupsAreThoseOfTheNoisyOnes() {
    AnalystView view =
        ask(
            "WITH t AS (SELECT status, COUNT(*) n FROM trips GROUP BY status HAVING COUNT(*) > 0)"
                + " SELECT n, (SELECT SUM(n) FROM t), (SELECT COUNT(*) FROM t),"
                + " (SELECT AVG(n) FROM t) FROM t",
            "5000");
    assertEquals(4, view.rows().size());
    BigDecimal sum =
        view.rows().stream()
            .map(row -> (BigDecimal) row.getFirst())
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    for (List<Object> row : view.rows()) {
      assertEquals(0, sum.compareTo((BigDecimal) row.get(1)));
      assertEquals(0, BigDecimal.valueOf(4).compareTo((BigDecimal) row.get(2)));
      assertEquals(sum.doubleValue() / 4, ((Number) row.get(3)).doubleValue(), 1e-9);
    }
  }

  @Test
  void emptyGroupsDoNotLeadAList() {
    String sql =
        "SELECT day, AVG(fare) a FROM trips WHERE day BETWEEN '2024-01-10' AND '2024-01-24'"
            + " GROUP BY day ORDER BY a DESC, day LIMIT 2";
    AnalystView view = ask(sql, "5000");
    assertEquals(
        List.of("2024-01-20", "2024-01-15"),
        view.rows().stream().map(row -> row.getFirst().toString()).toList());
    String highest =
        "SELECT day, MAX(fare) a FROM trips WHERE day BETWEEN '2024-01-10' AND '2024-01-24'"
            + " GROUP BY day HAVING MAX(fare) IS NOT NULL ORDER BY a DESC, day";
    assertEquals(2, ask(highest, "5000").rows().size());
    // With noise, a group that is shown has a count above its noise: nearly all are NULL.
    AnalystView noisy = ask("SELECT day, AVG(fare) a FROM trips GROUP BY day ORDER BY a DESC", "1");
    long shown = noisy.rows().stream().filter(row -> row.get(1) != null).count();
    assertTrue(shown < noisy.rows().size() / 10, shown + " of " + noisy.rows().size());
    assertNull(noisy.rows().getLast().get(1));
  }

  @Test
  void theLargestGroupIsOneOfTheNoisyGroups() {
    String groups = "(SELECT status, COUNT(*) n FROM trips GROUP BY status)";
    for (String sql :
        List.of(
            "WITH t AS " + groups + " SELECT status, n FROM t WHERE n = (SELECT MAX(n) FROM t)",
            "SELECT status, COUNT(*) n FROM trips GROUP BY status HAVING COUNT(*) ="
                + " (SELECT MAX(n) FROM "
                + groups
                + " t)")) {
      for (int i = 0; i < 20; i++) {
        assertFalse(ask(sql, "0.5").rows().isEmpty(), sql);
      }
    }
    AnalystView all =
        ask("WITH t AS " + groups + " SELECT n, (SELECT MAX(n) FROM t) FROM t", "0.5");
    BigDecimal most =
        all.rows().stream()
            .map(row -> (BigDecimal) row.getFirst())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    all.rows().forEach(row -> assertEquals(most, row.get(1)));
  }

  @Test
  void aProductOfNoisyResultsIsRefusedBeforeItIsCharged() {
    StringBuilder sql =
        new StringBuilder("WITH t AS (SELECT day, COUNT(*) n FROM trips GROUP BY day)");
    sql.append(" SELECT a0.n + a1.n + a2.n + a3.n + a4.n + a5.n + a6.n + a7.n FROM t a0");
    for (int i = 1; i < 8; i++) {
      sql.append(", t a").append(i);
    }
    QueryRequest request = question(sql + " LIMIT 1", "1");
    BigDecimal before = spent();
    assertEquals(
        RejectionCode.TOO_COMPLEX,
        assertThrows(Rejection.class, () -> rides.gateway.explain(request)).code());
    assertEquals(
        RejectionCode.TOO_COMPLEX,
        assertThrows(Rejection.class, () -> rides.gateway.ask(request)).code());
    assertEquals(before, spent());
  }

  @Test
  void joinsOfManyCopiesByTheirLabelsAreAnswered() {
    StringBuilder sql =
        new StringBuilder(
            "WITH t AS (SELECT day, status, COUNT(*) n FROM trips GROUP BY day, status) SELECT"
                + " a0.day, a0.n + a1.n + a2.n + a3.n + a4.n + a5.n + a6.n + a7.n FROM t a0");
    for (int i = 1; i < 8; i++) {
      sql.append(
          String.format(" JOIN t a%d ON a%d.day = a0.day AND a%d.status = 'completed'", i, i, i));
    }
    assertEquals(
        366, ask(sql + " WHERE a0.status = 'requested'", "1").rows().size(), sql.toString());
  }

  private BigDecimal spent() {
    return rides.ledger.standings().stream()
        .map(s -> s.spent().epsilon())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
