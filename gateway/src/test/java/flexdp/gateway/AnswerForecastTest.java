package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
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

/** That an answer will be noise is said before it is paid for; 40 rows of trips are released. */
class AnswerForecastTest {
  private static final String ALL = "SELECT COUNT(*) AS n FROM trips";
  private static final String BY_STATUS = "SELECT status, COUNT(*) AS n FROM trips GROUP BY status";

  private SmallRides rides;

  @BeforeEach
  void open(@TempDir Path folder) throws SQLException {
    rides = new SmallRides(folder, () -> new SmallRides.Replayed(3));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private static QueryRequest ask(String sql, String epsilon) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of(), false);
  }

  private static QueryRequest limited(String sql, String epsilon, String limit) {
    QueryRequest request = ask(sql, epsilon);
    return new QueryRequest(
        sql,
        request.options().limited(Optional.of(NoiseLimit.parse(limit))),
        "ann",
        Set.of(),
        false);
  }

  private List<String> warnings(String sql, String epsilon) {
    return rides.gateway.explain(ask(sql, epsilon)).warnings();
  }

  private static List<Note> warned(AnalystView view) {
    return view.notes().stream().filter(n -> n.code() == Note.Code.WILL_BE_NOISE).toList();
  }

  @Test
  void explainingSaysWhatAskingSays() {
    List<String> before = warnings(BY_STATUS, "0.1");
    assertEquals(1, before.size());
    assertTrue(
        before
            .getFirst()
            .startsWith("n: it will be noise: the noise in each of 4 cells is about ± 30, 300 %"),
        before.getFirst());
    assertTrue(before.getFirst().contains("released numbers of trips"), before.getFirst());
    assertTrue(before.getFirst().endsWith("or with about 60 times the epsilon"), before.getFirst());
    List<Note> beside = warned(rides.gateway.ask(ask(BY_STATUS, "0.1")));
    assertEquals(before, beside.stream().map(Note::text).toList());
    assertEquals(0, new BigDecimal(3).compareTo(beside.getFirst().numbers().get("share")));
  }

  @Test
  void theEpsilonThatIsNamedIsEnough() {
    assertEquals(1, warnings(BY_STATUS, "0.1").size());
    assertEquals(List.of(), warnings(BY_STATUS, "6"));
    assertEquals(List.of(), warned(rides.gateway.ask(ask(BY_STATUS, "6"))));
  }

  @Test
  void fewerCellsAreLessNoisy() {
    assertTrue(warnings(ALL, "0.1").getFirst().contains("75 % of the about 40"));
    assertEquals(List.of(), warnings(ALL, "0.6"));
    assertEquals(1, warnings(BY_STATUS, "0.6").size());
  }

  @Test
  void conditionsLeaveFewerRows() {
    assertEquals(List.of(), warnings(ALL, "0.6"));
    assertEquals(1, warnings(ALL + " WHERE status = 'completed'", "0.6").size());
    assertEquals(1, warnings(ALL + " WHERE day < DATE '2024-02-01'", "0.6").size());
    assertEquals(List.of(), warnings(ALL + " WHERE day >= DATE '2024-01-15' AND fare >= 0", "0.6"));
    assertEquals(
        1,
        warnings("SELECT COUNT(*) FILTER (WHERE status = 'cancelled') FROM trips", "0.6").size());
  }

  @Test
  void averagesAndQuotientsAreForetoldAsTheyAreComputed() {
    assertEquals(1, warnings("SELECT AVG(fare) AS a FROM trips", "0.1").size());
    assertEquals(List.of(), warnings("SELECT AVG(fare) AS a FROM trips", "10"));
    String share =
        "SELECT 100.0 * COUNT(*) FILTER (WHERE status = 'cancelled') / COUNT(*) FROM trips";
    assertEquals(1, warnings(share, "1").size());
    assertEquals(List.of(), warnings(share, "20"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id",
        "SELECT c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.name",
        "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id",
      })
  void aJoinByAUniqueKeyHasNoMoreRows(String sql) {
    assertEquals(1, warnings(sql, "0.02").size(), sql);
    assertEquals(List.of(), warnings(sql, "100"), sql);
  }

  @Test
  void aChosenValueIsForetoldByItsRank() {
    String median = "SELECT MEDIAN(fare) AS m FROM trips";
    String told = warnings(median, "0.1").getFirst();
    assertTrue(told.startsWith("m: it will be noise: the value is chosen with up to "), told);
    assertTrue(told.contains("of about 40 in all"), told);
    assertEquals(List.of(), warnings(median, "10"));
  }

  @Test
  void valuesAreTakenForWhatTheirExpressionSays() {
    String share = "SELECT AVG(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) AS s FROM trips";
    // A quarter of the rows: 0.25, and not 1.
    Explanation told = rides.gateway.explain(ask(share, "5"));
    double value = told.errors().getFirst().foretold().orElseThrow().value().doubleValue();
    assertEquals(0.25, value, 0.01);
  }

  private double foretold(String expression) {
    Explanation told = rides.gateway.explain(ask("SELECT " + expression + " FROM trips", "5"));
    return told.errors().getFirst().foretold().orElseThrow().value().doubleValue();
  }

  /** Averages are of values less the middle of their range, which must not be taken for large. */
  @Test
  void whatIsCentredIsForetoldWithItsSign() {
    String share = "AVG(CASE WHEN %s THEN 1.0 ELSE 0.0 END)";
    assertEquals(0.25, foretold(share.formatted("status = 'cancelled'")), 0.01);
    assertEquals(0.5, foretold(share.formatted("status IN ('cancelled', 'completed')")), 0.01);
    assertEquals(0.75, foretold(share.formatted("NOT status = 'completed'")), 0.01);
    // Nothing is known of the condition: neither all rows nor none.
    assertEquals(0.25, foretold(share.formatted("id % 3 = 1")), 0.01);
  }

  /** What follows from the ranges of two columns is far more than they differ by. */
  @Test
  void differencesAreTakenForSmall() {
    assertEquals(50, foretold("AVG(fare - distance)"), 1);
    Explanation below =
        rides.gateway.explain(
            ask("SELECT AVG(d) AS a FROM (SELECT fare - distance AS d FROM trips) t", "5"));
    assertEquals(50, below.errors().getFirst().foretold().orElseThrow().value().doubleValue(), 1);
  }

  @Test
  void quotientsByWhatIsNoiseAreSaidToBeNoise() {
    String arpu = "SELECT SUM(fare) / COUNT(DISTINCT driver_id) AS arpu FROM trips";
    List<String> before = warnings(arpu, "0.05");
    assertEquals(1, before.size());
    assertTrue(
        before
            .getFirst()
            .startsWith(
                "arpu: it will be noise: the number that it is divided by does not stand out of its"
                    + " noise"),
        before.getFirst());
  }

  @Test
  void nothingIsForetoldOfWhatNobodyReleased() {
    assertEquals(List.of(), warnings("SELECT COUNT(*) FROM drivers", "0.0001"));
    Explanation told = rides.gateway.explain(ask("SELECT COUNT(*) FROM drivers", "0.0001"));
    assertTrue(told.errors().getFirst().foretold().isEmpty());
    assertTrue(told.errors().getFirst().error().isPresent());
  }

  @Test
  void aLimitRefusesBeforeTheCharge() {
    long before = charges();
    for (String sql : List.of(BY_STATUS, ALL)) {
      QueryRequest asked = limited(sql, "0.1", "50%");
      Rejection asking = assertThrows(Rejection.class, () -> rides.gateway.ask(asked));
      Rejection explaining = assertThrows(Rejection.class, () -> rides.gateway.explain(asked));
      assertEquals(RejectionCode.TOO_NOISY, asking.code());
      assertEquals(asking.getMessage(), explaining.getMessage());
      assertTrue(asking.getMessage().contains("will be noise"), asking.getMessage());
    }
    assertEquals(before, charges());
    rides.gateway.explain(limited(ALL, "0.1", "100%"));
    rides.gateway.ask(limited(ALL, "0.1", "100%"));
    assertEquals(before + 1, charges());
  }

  @Test
  void whatIsFreeIsGivenHoweverNoisy() {
    rides.gateway.ask(ask(BY_STATUS, "0.1"));
    rides.gateway.explain(limited(BY_STATUS, "0.1", "50%"));
    assertTrue(rides.gateway.ask(limited(BY_STATUS, "0.1", "50%")).repeat());
  }

  @Test
  void nothingOfTheDataIsInIt() throws SQLException {
    List<String> before = warnings(BY_STATUS, "0.1");
    rides.execute(
        "INSERT INTO trips SELECT i, 1, 1, 5, 1, 'completed', DATE '2024-05-05'"
            + " FROM range(1000, 9000) r(i)");
    assertEquals(before, warnings(BY_STATUS, "0.1"));
  }

  @Test
  void statementsOfAWorkloadAreForetoldToo() {
    Workload both = Workload.of(List.of(BY_STATUS, "SELECT COUNT(*) FROM drivers"));
    List<String> warnings = rides.gateway.explain(both, ask("", "0.2")).warnings();
    assertEquals(1, warnings.size());
    assertTrue(
        warnings.getFirst().startsWith("statement 1, n: it will be noise"), warnings.getFirst());
    List<AnalystView> answers = rides.gateway.ask(both, ask("", "0.2")).answers();
    assertEquals(1, warned(answers.getFirst()).size());
    assertEquals(0, warned(answers.getLast()).size());
    assertThrows(
        ConfigurationError.class, () -> rides.gateway.ask(both, limited("", "0.2", "50%")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "0%", "-1%", "100", "1e3%", "abc", "1 0%"})
  void alimitIsAShare(String text) {
    assertThrows(ConfigurationError.class, () -> NoiseLimit.parse(text));
  }

  @Test
  void aLimitIsRead() {
    assertEquals(0, BigDecimal.ONE.compareTo(NoiseLimit.parse("100%").share()));
    assertEquals(0, new BigDecimal("0.125").compareTo(NoiseLimit.parse(" 12.5 % ").share()));
    assertFalse(NoiseLimit.parse(".5%").share().signum() <= 0);
  }

  private long charges() {
    long[] count = {0};
    rides.ledger.read(
        entry -> {
          if (entry.event() instanceof flexdp.gateway.ledger.entry.LedgerEvent.Reserved) {
            count[0]++;
          }
        });
    return count[0];
  }
}
