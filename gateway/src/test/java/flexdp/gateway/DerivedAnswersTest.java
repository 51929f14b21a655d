package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import flexdp.query.Bins;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What follows from released cells is free; what does not is paid for. */
class DerivedAnswersTest {
  private static final String BY_STATUS = "SELECT status, COUNT(*) FROM trips GROUP BY status";
  private static final String FAR =
      "SELECT distance > 10 AS far, COUNT(*), SUM(fare) FROM trips GROUP BY distance > 10";
  private static final String BY_NAME =
      "SELECT c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.name";
  private static final String BY_DAY = "SELECT day, COUNT(*) FROM trips GROUP BY day";

  @TempDir Path folder;
  private SmallRides rides;

  @BeforeEach
  void open() throws Exception {
    rides = new SmallRides(folder, SmallRides.noise(1));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private AnalystView ask(String sql, String epsilon, Optional<Bins> bins) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(new BigDecimal(epsilon)), Optional.empty(), bins);
    return rides.gateway.ask(new QueryRequest(sql, options, "ann", Set.of(), false));
  }

  private AnalystView ask(String sql) {
    return ask(sql, "0.01", Optional.empty());
  }

  private AnalystView free(String sql) {
    BigDecimal before = spent();
    AnalystView view = ask(sql);
    assertTrue(view.repeat(), sql);
    assertEquals(before, spent(), sql);
    return view;
  }

  private void paid(String sql) {
    assertFalse(ask(sql).repeat(), sql);
  }

  private BigDecimal spent() {
    return rides.ledger.standing(new Account.Table("trips")).spent().epsilon();
  }

  private static Object value(AnalystView view, Object... labels) {
    return view.rows().stream()
        .filter(row -> row.subList(0, labels.length).equals(Arrays.asList(labels)))
        .findFirst()
        .orElseThrow()
        .get(labels.length);
  }

  private static Object only(AnalystView view) {
    assertEquals(1, view.rows().size());
    return view.rows().getFirst().getLast();
  }

  @Test
  void aFilterOnALabelSelectsItsBin() {
    AnalystView all = ask(BY_STATUS);
    assertEquals(
        value(all, "completed"),
        only(free("SELECT COUNT(*) FROM trips t WHERE t.status = 'completed'")));
    assertEquals(
        value(all, new Object[] {null}),
        only(free("SELECT COUNT(*) FROM trips WHERE status IS NULL")));
    AnalystView two =
        free(
            "SELECT status AS s, COUNT(*) FROM trips WHERE status IN ('completed', 'cancelled')"
                + " GROUP BY status");
    assertEquals(2, two.rows().size());
    assertEquals(value(all, "cancelled"), value(two, "cancelled"));
    AnalystView one =
        free("SELECT COUNT(CASE WHEN status = 'requested' THEN 1 END) AS n FROM trips");
    assertEquals(value(all, "requested"), only(one));
    assertFalse(one.derived().isPresent());
  }

  @Test
  void binsThatAQuestionListsAddUp() {
    AnalystView all = ask(BY_STATUS);
    AnalystView both =
        free("SELECT COUNT(*) FROM trips WHERE status = 'completed' OR status = 'cancelled'");
    assertEquals(
        ((BigDecimal) value(all, "completed")).add((BigDecimal) value(all, "cancelled")),
        only(both));
    assertEquals(
        "sums of up to 2 released bins, with the noise of each", both.derived().orElseThrow());
  }

  @Test
  void aDomainMayMissRowsSoItsBinsAreNotTheTotal() {
    ask(BY_STATUS);
    paid("SELECT COUNT(*) FROM trips");
    paid("SELECT COUNT(*) FROM trips WHERE status IS NOT NULL");
    paid("SELECT COUNT(*) FROM trips WHERE status <> 'completed'");
    paid("SELECT COUNT(*) FROM trips WHERE status = 'flying'");
    paid(
        "SELECT CASE WHEN status = 'completed' THEN 'done' ELSE 'open' END AS s, COUNT(*)"
            + " FROM trips GROUP BY 1");
  }

  @Test
  void completeLabelsAddUpToTheTotal() {
    AnalystView far = ask(FAR);
    BigDecimal sum = BigDecimal.ZERO;
    for (List<Object> row : far.rows()) {
      sum = sum.add((BigDecimal) row.get(1));
    }
    assertEquals(3, far.rows().size(), "NULL is a label");
    assertEquals(sum, only(ask("SELECT COUNT(*) FROM trips", "0.005", Optional.empty())));
    assertEquals(value(far, true), only(half("SELECT COUNT(*) FROM trips WHERE distance > 10")));
    assertFalse(
        ask("SELECT COUNT(*) FROM trips WHERE distance > 11", "0.005", Optional.empty()).repeat());
  }

  private AnalystView half(String sql) {
    AnalystView view = ask(sql, "0.005", Optional.empty());
    assertTrue(view.repeat(), sql);
    return view;
  }

  @Test
  void rowsOfAPublicTableAreComplete() {
    AnalystView names = ask(BY_NAME);
    free("SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.name = 'SF'");
    AnalystView total = free("SELECT COUNT(*) FROM cities c, trips t WHERE c.id = t.city_id");
    BigDecimal sum = BigDecimal.ZERO;
    for (List<Object> row : names.rows()) {
      sum = sum.add((BigDecimal) row.get(1));
    }
    assertEquals(sum, only(total));
    paid("SELECT COUNT(*) FROM trips");
    paid("SELECT COUNT(*) FROM cities c LEFT JOIN trips t ON c.id = t.city_id");
  }

  @Test
  void labelsThatWereFilteredAreNotComplete() {
    ask(
        "SELECT c.name, COUNT(*) FROM trips t JOIN (SELECT * FROM cities WHERE name = 'SF') c"
            + " ON t.city_id = c.id GROUP BY c.name");
    paid("SELECT COUNT(*) FROM cities c, trips t WHERE c.id = t.city_id");
    free("SELECT COUNT(*) FROM cities c, trips t WHERE c.id = t.city_id AND c.name = 'SF'");
  }

  @Test
  void aStretchOfDaysIsTheSumOfItsDays() {
    ask(BY_DAY);
    free("SELECT COUNT(*) FROM trips WHERE day >= '2024-01-14' AND day < '2024-01-21'");
    free("SELECT COUNT(*) FROM trips WHERE day BETWEEN '2024-01-14' AND '2024-01-21'");
    free("SELECT COUNT(*) FROM trips WHERE day = '2024-01-15'");
    free("SELECT day, COUNT(*) FROM trips WHERE day >= '2024-12-01' GROUP BY day ORDER BY 2 DESC");
    paid("SELECT COUNT(*) FROM trips WHERE day >= '2024-12-30'");
    paid("SELECT COUNT(*) FROM trips WHERE day BETWEEN '2024-12-30' AND '2025-01-02'");
    paid("SELECT COUNT(*) FROM trips WHERE day BETWEEN '2024-02-01' AND '2024-08-01'");
  }

  @Test
  void keysThatAreLeftOutHaveToBeComplete() {
    ask("SELECT status, distance > 10 AS far, COUNT(*) FROM trips GROUP BY 1, 2");
    free(BY_STATUS);
    free("SELECT COUNT(*) FROM trips WHERE status = 'completed' AND distance > 10");
    paid("SELECT distance > 10 AS far, COUNT(*) FROM trips GROUP BY 1");
  }

  @Test
  void partsOfAggregatesAreFoundInOthers() {
    ask("SELECT AVG(fare), COUNT(*), MEDIAN(fare) FROM trips WHERE driver_id = 1", "0.04", none());
    free("SELECT COUNT(*) FROM trips WHERE driver_id = 1");
    free("SELECT COUNT(fare) FROM trips WHERE 1 = driver_id");
    free("SELECT MEDIAN(fare) FROM trips WHERE driver_id = 1");
    assertTrue(ask("SELECT AVG(fare) FROM trips WHERE driver_id = 1", "0.02", none()).repeat());
    paid("SELECT SUM(fare) FROM trips WHERE driver_id = 1");
    paid("SELECT COUNT(*) FROM trips WHERE driver_id = 2");
    paid("SELECT COUNT(distance) FROM trips WHERE driver_id = 1");
  }

  private static Optional<Bins> none() {
    return Optional.empty();
  }

  @Test
  void fewerLabelsOfTheAnalyst() {
    String sql = "SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id";
    AnalystView many = ask(sql, "0.01", bins(1, 2, 3, 4));
    AnalystView fewer = ask(sql, "0.01", bins(3, 1));
    assertTrue(fewer.repeat());
    assertEquals(2, fewer.rows().size());
    assertEquals(value(many, BigDecimal.ONE), value(fewer, BigDecimal.ONE));
    assertFalse(ask(sql, "0.01", bins(4, 5)).repeat());
    paid("SELECT COUNT(*) FROM trips WHERE driver_id IS NULL");
    free("SELECT COUNT(*) FROM trips WHERE driver_id IN (1, 2, 3)");
  }

  private static Optional<Bins> bins(int... ids) {
    return Optional.of(
        new Bins(
            List.of("driver_id"),
            Arrays.stream(ids).mapToObj(i -> List.<Object>of(BigDecimal.valueOf(i))).toList()));
  }

  @Test
  void distinctValuesDoNotAddUp() {
    ask("SELECT status, COUNT(DISTINCT driver_id) FROM trips GROUP BY status");
    free("SELECT COUNT(DISTINCT driver_id) FROM trips WHERE status = 'completed'");
    paid("SELECT COUNT(DISTINCT driver_id) FROM trips WHERE status IN ('completed', 'cancelled')");
  }

  @Test
  void anotherFilterTableOrSnapshotIsAnotherQuestion() throws Exception {
    ask("SELECT status, COUNT(*) FROM trips WHERE fare > 5 GROUP BY status");
    free("SELECT COUNT(*) FROM trips WHERE status = 'completed' AND fare > 5");
    paid("SELECT COUNT(*) FROM trips WHERE status = 'completed'");
    paid("SELECT COUNT(*) FROM trips WHERE status = 'completed' AND fare > 6");
    paid("SELECT COUNT(*) FROM trips WHERE status = 'completed' AND fare > 5 AND fare < 9");
    paid(
        "SELECT COUNT(*) FROM trips t JOIN cities c ON c.id = t.city_id"
            + " WHERE status = 'completed' AND fare > 5");
    rides.close();
    rides =
        new SmallRides(
            folder,
            SmallRides.noise(2),
            SmallRides.POLICY.replace("range: [0, 500]", "range: [0, 400]"));
    paid("SELECT COUNT(*) FROM trips WHERE fare > 5 AND status = 'completed'");
  }

  @Test
  void moreAccuracyIsPaidFor() {
    ask(BY_STATUS);
    assertFalse(
        ask("SELECT COUNT(*) FROM trips WHERE status = 'completed'", "0.02", none()).repeat());
  }

  @Test
  void somebodyElsePaysForTheCellsOnce() {
    ask(BY_STATUS);
    String sql = "SELECT COUNT(*) FROM trips WHERE status = 'completed'";
    QueryRequest bobs = new QueryRequest(sql, QueryOptions.DEFAULT, "bob", Set.of(), false);
    AnalystView first = rides.gateway.ask(bobs);
    assertFalse(first.repeat(), "the default asks for more");
    BigDecimal before = spent();
    QueryRequest cheap =
        new QueryRequest(
            "SELECT COUNT(*) FROM trips WHERE status = 'cancelled'",
            new QueryOptions(
                MechanismChoice.AUTO,
                Optional.of(new BigDecimal("0.01")),
                Optional.empty(),
                none()),
            "bob",
            Set.of(),
            false);
    assertEquals(0, new BigDecimal("0.01").compareTo(rides.gateway.ask(cheap).epsilon()));
    assertEquals(0, rides.gateway.ask(cheap).epsilon().signum());
    assertEquals(before, spent(), "the table pays once");
  }

  @Test
  void aHistogramWithoutBinsHasNoRows() {
    ask(BY_STATUS);
    AnalystView none =
        free(
            "SELECT status, COUNT(*) FROM trips WHERE status = 'completed' AND status IS NULL"
                + " GROUP BY status");
    assertEquals(List.of(), none.rows());
  }

  @Test
  void ownAnswersAreNotPaidAgain() {
    String count = "SELECT COUNT(*) FROM trips WHERE driver_id = 1";
    String sum = "SELECT SUM(fare) FROM trips WHERE driver_id = 1";
    String both = "SELECT COUNT(*), SUM(fare) FROM trips WHERE driver_id = 1";
    ask(count);
    ask(sum);
    assertPaid("0.01", bob(count, "0.01"));
    assertPaid("0.01", bob(both, "0.02"));
    assertPaid("0", bob(both, "0.02"));
    assertPaid("0", bob(sum, "0.01"));
  }

  @Test
  void aDearerAnswerOfAnotherIsNotBoughtInPlaceOfOnesOwn() {
    String count = "SELECT COUNT(*) FROM trips WHERE driver_id = 1";
    String both = "SELECT COUNT(*), SUM(fare) FROM trips WHERE driver_id = 1";
    bob(count, "0.01");
    ask(count, "0.05", none());
    ask("SELECT SUM(fare) FROM trips WHERE driver_id = 1");
    assertPaid("0.01", bob(both, "0.02"));
  }

  private static void assertPaid(String epsilon, AnalystView view) {
    assertTrue(view.repeat());
    assertEquals(0, new BigDecimal(epsilon).compareTo(view.epsilon()), view.epsilon().toString());
  }

  private AnalystView bob(String sql, String epsilon) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(new BigDecimal(epsilon)), Optional.empty(), none());
    return rides.gateway.ask(new QueryRequest(sql, options, "bob", Set.of(), false));
  }
}
