package flexdp.gateway.prepare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.SmallRides;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.json.AskLines;
import flexdp.plan.MechanismChoice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Questions that name an error instead of an epsilon, and errors that are said beforehand. */
class AccuracyTest {
  private SmallRides rides;
  private Path folder;

  @BeforeEach
  void open(@TempDir Path folder) throws SQLException {
    this.folder = folder;
    rides = new SmallRides(folder, () -> new SmallRides.Replayed(3));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private static QueryRequest question(String sql, MechanismChoice mechanism, String epsilon) {
    QueryOptions options =
        new QueryOptions(
            mechanism,
            Optional.of(epsilon).filter(e -> !e.isEmpty()).map(BigDecimal::new),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of(), false);
  }

  private AnalystView within(String error, String sql) {
    return rides.gateway.ask(
        question(sql, MechanismChoice.AUTO, "")
            .within(ErrorTarget.parse(error))
            .withIntervals(true));
  }

  private Rejection refused(String error, String sql) {
    Rejection rejection = assertThrows(Rejection.class, () -> within(error, sql));
    assertEquals(RejectionCode.ACCURACY_UNKNOWN, rejection.code(), rejection.getMessage());
    return rejection;
  }

  /** Half the widest error bar of a new answer at an epsilon. */
  private BigDecimal error(String sql, BigDecimal epsilon, MechanismChoice mechanism) {
    QueryRequest asked = question(sql, mechanism, epsilon.toPlainString());
    AnalystView view =
        rides.gateway.ask(
            new QueryRequest(sql, asked.options(), "ann", Set.of(), true).withIntervals(true));
    BigDecimal widest = BigDecimal.ZERO;
    for (int row = 0; row < view.rows().size(); row++) {
      for (int i = 0; i < view.columns().size(); i++) {
        Optional<AnalystView.Bar> bar = view.interval(row, i);
        if (bar.isPresent()) {
          BigDecimal width = bar.get().high().subtract(bar.get().low());
          widest = widest.max(width.divide(BigDecimal.TWO));
        }
      }
    }
    return widest;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM trips",
        "SELECT status, COUNT(*) FROM trips GROUP BY status",
        "SELECT SUM(fare) FROM trips",
        "SELECT SUM(fare) + 3 * COUNT(*) FROM trips",
        "SELECT COUNT(*), SUM(fare), COUNT(DISTINCT driver_id) FROM trips",
        "SELECT t.status, COUNT(*) FROM trips t JOIN trips u ON t.driver_id = u.driver_id"
            + " GROUP BY t.status",
        "SELECT COUNT(*) FROM trips t JOIN trips u ON t.driver_id = u.driver_id",
      })
  void theLeastEpsilonIsTaken(String sql) {
    for (String error : List.of("1000", "40")) {
      AnalystView view = within(error, sql);
      assertTrue(view.epsilon().signum() > 0 && view.epsilon().precision() <= 5, sql);
      BigDecimal allowed = new BigDecimal(error);
      // No more than allowed, and more than that with an epsilon a little smaller.
      assertTrue(error(sql, view.epsilon(), MechanismChoice.AUTO).compareTo(allowed) <= 0, sql);
      BigDecimal less = view.epsilon().multiply(new BigDecimal("0.97"));
      assertTrue(error(sql, less, MechanismChoice.AUTO).compareTo(allowed) > 0, sql);
    }
  }

  @Test
  void oneColumnMayBeNamed() {
    String sql = "SELECT COUNT(*) AS trips, AVG(fare) AS mean FROM trips";
    assertTrue(within("trips=10", sql).epsilon().signum() > 0);
    assertTrue(refused("10", sql).getMessage().contains("average"));
  }

  @Test
  void percentagesAreOfPublicNumbers() {
    // The released row count of trips is 40: 10 % of it is 4.
    AnalystView whole = within("10%", "SELECT COUNT(*) FROM trips");
    assertTrue(
        error("SELECT COUNT(*) FROM trips", whole.epsilon(), MechanismChoice.AUTO).intValue() <= 4);
    String sql = "SELECT COUNT(*) FROM trips WHERE fare > 3";
    assertTrue(refused("10%", sql).hint().contains("--within 100"));
    assertTrue(refused("10%", sql).hint().contains("With the policy's epsilon 0.1 the error"));
    // An earlier answer is public to whoever paid for it.
    AnalystView earlier = rides.gateway.ask(question(sql, MechanismChoice.AUTO, "5"));
    BigDecimal value = new BigDecimal(earlier.rows().get(0).get(0).toString());
    AnalystView again = within("100%", sql);
    BigDecimal width = error(sql, again.epsilon().max(new BigDecimal("5")), MechanismChoice.AUTO);
    assertTrue(width.compareTo(value.abs()) <= 0);
    QueryRequest other =
        new QueryRequest(sql, question(sql, MechanismChoice.AUTO, "").options(), "bob", Set.of());
    assertThrows(Rejection.class, () -> rides.gateway.ask(other.within(ErrorTarget.parse("100%"))));
  }

  @Test
  void whatIsPrivateOrUnknownIsRefusedWithAReason() {
    Rejection hidden =
        refused("100", "SELECT COUNT(*) FROM drivers a JOIN drivers b ON a.city_id = b.city_id");
    assertTrue(hidden.hint().contains("collect --release"), hidden.hint());
    refused("1", "SELECT MEDIAN(fare) FROM trips");
    refused("1", "SELECT COUNT(*) * COUNT(*) FROM trips");
    assertTrue(refused("1e-5", "SELECT SUM(fare) FROM trips").hint().contains("±"));
  }

  @Test
  void aBudgetThatIsTooSmallSaysWhatItAllows() throws SQLException {
    Path other = folder.resolve("small");
    assertTrue(other.toFile().mkdir());
    String policy = SmallRides.POLICY.replace("epsilon: 1000000", "epsilon: 0.3");
    try (SmallRides small = new SmallRides(other, () -> new SmallRides.Replayed(3), policy)) {
      QueryRequest request = question("SELECT COUNT(*) FROM trips", MechanismChoice.AUTO, "");
      BudgetError error =
          assertThrows(
              BudgetError.class, () -> small.gateway.ask(request.within(ErrorTarget.parse("1"))));
      assertTrue(
          error.hint().contains("With epsilon 0.3 the error would be count ± "), error.hint());
    }
  }

  @Test
  void badErrorsAreUsageErrors() {
    for (String bad : List.of("", "x", "-1", "0", "5%%", "n=", "1e999", "=", "NaN")) {
      assertThrows(ConfigurationError.class, () -> ErrorTarget.parse(bad), bad);
    }
    assertEquals(
        new ErrorTarget(Optional.of("n"), new BigDecimal("0.05"), true),
        ErrorTarget.parse("n = 5%"));
    QueryRequest both = question("SELECT COUNT(*) FROM trips", MechanismChoice.AUTO, "1");
    assertThrows(
        ConfigurationError.class, () -> rides.gateway.ask(both.within(ErrorTarget.parse("10"))));
    assertThrows(
        ConfigurationError.class, () -> within("nothing=10", "SELECT COUNT(*) FROM trips"));
  }

  @Test
  void linesNameErrorsToo() throws IOException {
    QueryRequest defaults = question("", MechanismChoice.AUTO, "");
    String lines =
        """
        {"id": 1, "sql": "SELECT COUNT(*) FROM trips", "within": 10}
        {"id": 2, "sql": "SELECT COUNT(*) FROM trips", "within": "count=25%"}
        {"id": 3, "sql": "SELECT AVG(fare) FROM trips", "within": "1"}
        {"id": 4, "sql": "SELECT COUNT(*) FROM trips", "within": true}
        {"id": 5, "sql": "SELECT COUNT(*) FROM trips", "within": 10, "epsilon": 1}
        """;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AskLines(
            rides.gateway::ask,
            (request, values) -> request,
            rides.gateway::ask,
            (workload, request, above) -> {
              throw new AssertionError("nothing is compared here");
            },
            defaults,
            true)
        .run(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), out);
    List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertTrue(answers.get(0).contains("\"spent\":{\"epsilon\":0.2"), answers.get(0));
    assertTrue(answers.get(0).contains("\"intervals\":[[{\"low\":"), answers.get(0));
    // A percentage of the first answer.
    assertTrue(answers.get(1).contains("\"status\":\"answered\""), answers.get(1));
    assertTrue(answers.get(2).contains("ACCURACY_UNKNOWN"), answers.get(2));
    assertTrue(answers.get(3).contains("\"status\":\"error\""), answers.get(3));
    assertTrue(answers.get(4).contains("\"status\":\"error\""), answers.get(4));
  }

  private Explanation explain(String sql) {
    return rides.gateway.explain(question(sql, MechanismChoice.AUTO, "1"));
  }

  @Test
  void explanationsPredictEveryColumn() {
    Explanation known =
        explain(
            "SELECT status, COUNT(*) AS n, SUM(fare) AS s, AVG(fare) AS m FROM trips"
                + " GROUP BY status");
    assertEquals(
        List.of("n", "s", "m"),
        known.errors().stream().map(Explanation.ColumnError::column).toList());
    assertTrue(known.errors().get(0).words().contains("5 % of an answer of"));
    assertTrue(known.errors().get(1).error().isPresent());
    assertTrue(known.errors().get(2).words().contains("number of rows"), known.errors().toString());
    assertTrue(
        explain("SELECT COUNT(*) FROM trips").errors().get(0).words().contains("row count 40"));
    assertTrue(
        explain("SELECT COUNT(*) FROM drivers a JOIN drivers b ON a.city_id = b.city_id")
            .errors()
            .get(0)
            .words()
            .contains("collect --release"));
    // The predicted error is that of the answer.
    String sql = "SELECT COUNT(*) FROM trips";
    assertEquals(
        0,
        explain(sql)
            .errors()
            .get(0)
            .error()
            .orElseThrow()
            .compareTo(error(sql, BigDecimal.ONE, MechanismChoice.AUTO)));
  }
}
