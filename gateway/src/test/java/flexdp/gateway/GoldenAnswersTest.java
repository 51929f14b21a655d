package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import flexdp.query.Bins;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers at an ε so large that the noise is nearly always zero, which leaves everything else to be
 * seen: labels, order, types, arithmetic.
 */
class GoldenAnswersTest {
  private static final BigDecimal HUGE = new BigDecimal("3000");

  @TempDir Path folder;
  private SmallRides rides;

  @BeforeEach
  void open() throws Exception {
    rides = new SmallRides(folder, () -> new SmallRides.Replayed(7));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private static QueryRequest ask(String sql, Optional<Bins> bins) {
    QueryOptions options =
        new QueryOptions(MechanismChoice.AUTO, Optional.of(HUGE), Optional.empty(), bins);
    return new QueryRequest(sql, options, "ann", Set.of());
  }

  private void gives(String sql, String... rows) {
    gives(sql, Optional.empty(), rows);
  }

  private void gives(String sql, Optional<Bins> bins, String... rows) {
    AnalystView view = rides.gateway.ask(ask(sql, bins));
    List<String> shown = new ArrayList<>();
    for (List<Object> row : view.rows()) {
      shown.add(row.stream().map(GoldenAnswersTest::shown).collect(Collectors.joining("|")));
    }
    assertEquals(Arrays.asList(rows), shown);
  }

  private static String shown(Object value) {
    return value instanceof BigDecimal number ? number.toPlainString() : String.valueOf(value);
  }

  @Test
  void counts() {
    gives("SELECT COUNT(*) FROM trips", "6");
    gives("SELECT COUNT(fare), COUNT(DISTINCT driver_id) FROM trips", "5|3");
    gives("SELECT COUNT(*) FILTER (WHERE status = 'completed') AS done FROM trips", "2");
    gives("SELECT COUNT(*) FROM trips WHERE fare > 15", "2");
  }

  @Test
  void sumsAreClamped() {
    gives("SELECT ROUND(SUM(fare), 0) FROM trips", "537");
    gives("SELECT ROUND(SUM(distance)) FROM trips", "111.0");
    gives("SELECT SUM(CASE WHEN fare > 5 THEN 1 ELSE 0 END) FROM trips", "3");
  }

  @Test
  void anEmptySumIsZero() throws Exception {
    rides.execute("DELETE FROM trips");
    gives("SELECT ROUND(SUM(fare) / 10), COUNT(*), ROUND(AVG(fare)) FROM trips", "0.0|0|null");
    gives(
        "SELECT status, COUNT(*) FROM trips GROUP BY status",
        "requested|0",
        "completed|0",
        "cancelled|0",
        "null|0");
  }

  @Test
  void everyLabelAppearsAndUnlistedOnesAreDropped() {
    gives(
        "SELECT status, COUNT(*) FROM trips GROUP BY status",
        "requested|1",
        "completed|2",
        "cancelled|1",
        "null|1");
    gives(
        "SELECT c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.name"
            + " ORDER BY 2 DESC, 1",
        "SF|3",
        "Oslo|2",
        "Rome|0",
        "null|0");
  }

  @Test
  void suppliedLabels() {
    Bins bins =
        new Bins(
            List.of("driver_id"),
            List.of(List.of(BigDecimal.ONE), List.of("1"), List.of(BigDecimal.valueOf(9))));
    gives(
        "SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id",
        Optional.of(bins),
        "1|3",
        "9|0");
  }

  @Test
  void havingOrderAndLimitRunOnTheNoisyValues() {
    gives(
        "SELECT status FROM trips GROUP BY status HAVING COUNT(*) > 1 ORDER BY status",
        "completed");
    gives(
        "SELECT status, COUNT(*) AS n FROM trips GROUP BY status ORDER BY n DESC, status DESC"
            + " NULLS LAST LIMIT 2",
        "completed|2",
        "requested|1");
  }

  @Test
  void arithmeticAboveTheAggregate() {
    gives("SELECT COUNT(*) * 2 + 1, COUNT(*) / 4, -COUNT(*) FROM trips", "13|1|-6");
    gives("SELECT ROUND(AVG(fare)) FROM trips WHERE driver_id = 1", "177.0");
    gives(
        "SELECT status, CASE WHEN COUNT(*) > 1 THEN 'many' ELSE 'few' END FROM trips"
            + " GROUP BY status ORDER BY 1 NULLS FIRST LIMIT 2",
        "null|few",
        "cancelled|few");
  }

  @Test
  void joinsAndUnionsOfReleasedAggregates() {
    gives(
        "SELECT a.n, b.n FROM (SELECT COUNT(*) AS n FROM trips) a CROSS JOIN"
            + " (SELECT COUNT(*) AS n FROM drivers) b",
        "6|3");
    gives("SELECT COUNT(*) FROM trips UNION ALL SELECT COUNT(*) FROM drivers", "6", "3");
  }

  @Test
  void joinsBelowTheAggregate() {
    gives(
        "SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id WHERE a.id < b.id",
        "3");
    gives(
        "SELECT COUNT(*) FROM drivers d WHERE NOT EXISTS"
            + " (SELECT 1 FROM trips t WHERE t.driver_id = d.id AND t.status = 'completed')",
        "2");
    gives(
        "SELECT COUNT(*) FROM (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) x"
            + " WHERE n > 2",
        "1");
  }

  @Test
  void histogramsOverJoinsUseReleasedMetrics() {
    AnalystView view =
        rides.gateway.ask(
            ask(
                    "SELECT t.status, COUNT(*) FROM trips t JOIN trips u ON t.driver_id ="
                        + " u.driver_id GROUP BY t.status",
                    Optional.empty())
                .withIntervals(true));
    assertEquals("released", view.mechanism());
    assertTrue(view.hasIntervals(1));
  }

  @Test
  void groupingSetsAreHistogramsOfTheirOwn() {
    gives(
        "SELECT status, GROUPING(status), COUNT(*) FROM trips WHERE status IN ('completed',"
            + " 'cancelled') GROUP BY ROLLUP(status) ORDER BY 2, 1",
        "cancelled|0|1",
        "completed|0|2",
        "null|1|3");
  }

  @Test
  void datesAreLabelsToo() {
    gives(
        "SELECT EXTRACT(QUARTER FROM day) AS q, COUNT(*) FROM trips WHERE day IS NOT NULL GROUP BY"
            + " 1 ORDER BY 1",
        "1|3",
        "2|1",
        "3|0",
        "4|1");
  }

  @Test
  void publicTablesAreAnsweredExactlyAndFree() {
    gives("SELECT name FROM cities ORDER BY id DESC LIMIT 2", "null", "Rome");
    assertEquals(0, rides.ledger.standings().size());
  }

  @Test
  void quantilesLieOnTheGrid() {
    gives("SELECT MEDIAN(fare) FROM trips WHERE driver_id = 1", "20.3");
    gives("SELECT MIN(fare) BETWEEN 1 AND 5, MAX(fare) BETWEEN 20 AND 500 FROM trips", "true|true");
  }

  @Test
  void everyAnswerIsCharged() {
    gives("SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id", "5");
    assertEquals(
        0, rides.ledger.standing(new Account.Table("drivers")).epsilonSpent().compareTo(HUGE));
    assertEquals(
        0, rides.ledger.standing(new Account.Table("trips")).epsilonSpent().compareTo(HUGE));
  }

  @Test
  void aFailureOfTheDatabaseStaysChargedAndSaysNothing() throws Exception {
    rides.execute("DROP TABLE drivers");
    QueryRequest request = ask("SELECT COUNT(*) FROM drivers", Optional.empty());
    DatabaseError error = assertThrows(DatabaseError.class, () -> rides.gateway.ask(request));
    assertEquals(5, ((Failure) error).exitCode());
    assertTrue(!error.getMessage().contains("drivers"), error.getMessage());
    assertEquals(
        0, rides.ledger.standing(new Account.Table("drivers")).epsilonSpent().compareTo(HUGE));
    assertEquals(1, rides.log.size());
  }

  @Test
  void rejectionsCostNothing() {
    QueryRequest request =
        ask("SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id", Optional.empty());
    Rejection rejection = assertThrows(Rejection.class, () -> rides.gateway.ask(request));
    assertEquals(RejectionCode.LABELS_NOT_ENUMERABLE, rejection.code());
    assertEquals(0, rides.ledger.standings().size());
  }
}
