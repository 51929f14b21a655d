package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.BudgetError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A question that is asked again on the same snapshot gets its answer again at no cost. */
class AnswerCacheTest {
  private static final String BY_STATUS = "SELECT status, COUNT(*) AS n FROM trips GROUP BY status";

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

  private static QueryRequest ask(String analyst, String sql, String epsilon, boolean fresh) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, analyst, Set.of(), fresh);
  }

  private AnalystView ann(String sql) {
    return rides.gateway.ask(ask("ann", sql, "0.001", false));
  }

  private BigDecimal spent(Account account) {
    return rides.ledger.standing(account).spent().epsilon();
  }

  private void assertTrips(String epsilon) {
    assertEquals(
        0, new BigDecimal(epsilon).compareTo(spent(new Account.Table("trips"))), "table trips");
  }

  @Test
  void inOtherWordsItIsFree() {
    AnalystView first = ann("SELECT COUNT(*) FROM trips WHERE fare > 5 AND driver_id IN (1, 2)");
    assertFalse(first.repeat());
    AnalystView again =
        ann("SELECT COUNT(*) AS c FROM trips t WHERE t.driver_id IN (2, 1) AND 5.00 < t.fare");
    assertTrue(again.repeat());
    assertEquals(first.rows(), again.rows());
    assertEquals(0, again.epsilon().signum());
    assertTrips("0.001");
  }

  @Test
  void whatFollowsFromAReleasedHistogramIsFree() {
    AnalystView all = ann(BY_STATUS);
    AnalystView top = ann(BY_STATUS + " ORDER BY n DESC LIMIT 1");
    AnalystView twice = ann("SELECT 2 * COUNT(*), status FROM trips GROUP BY status");
    assertTrue(top.repeat());
    assertTrue(twice.repeat());
    assertTrue(all.rows().contains(top.rows().getFirst()));
    assertEquals(all.rows().size(), twice.rows().size());
    assertTrips("0.001");
  }

  @Test
  void lessAccuracyIsFreeAndMoreIsNot() {
    AnalystView first = ann(BY_STATUS);
    AnalystView less = rides.gateway.ask(ask("ann", BY_STATUS, "0.0005", false));
    assertEquals(first.rows(), less.rows());
    assertTrips("0.001");
    assertFalse(rides.gateway.ask(ask("ann", BY_STATUS, "0.002", false)).repeat());
    assertTrips("0.003");
    assertTrue(rides.gateway.ask(ask("ann", BY_STATUS, "0.002", false)).repeat());
  }

  @Test
  void otherQuestionsAndFreshOnesPay() {
    AnalystView first = ann("SELECT COUNT(*) FROM trips");
    assertFalse(ann("SELECT COUNT(*) FROM trips WHERE fare > 5").repeat());
    assertFalse(ann("SELECT COUNT(fare) FROM trips").repeat());
    AnalystView fresh = rides.gateway.ask(ask("ann", "SELECT COUNT(*) FROM trips", "0.001", true));
    assertFalse(fresh.repeat());
    assertNotEquals(first.rows(), fresh.rows(), "noise of scale 1000 rarely agrees");
    assertTrips("0.004");
  }

  @Test
  void anotherAnalystPaysFromTheirOwnAccountOnce() {
    AnalystView first = ann(BY_STATUS);
    AnalystView bobs = rides.gateway.ask(ask("bob", BY_STATUS, "0.001", false));
    assertEquals(first.rows(), bobs.rows());
    assertTrue(bobs.repeat());
    assertEquals(0, new BigDecimal("0.001").compareTo(bobs.epsilon()));
    assertTrips("0.001");
    assertEquals(0, new BigDecimal("0.001").compareTo(spent(new Account.Analyst("bob"))));
    AnalystView again = rides.gateway.ask(ask("bob", BY_STATUS, "0.001", false));
    assertEquals(0, again.epsilon().signum());
    assertEquals(0, new BigDecimal("0.001").compareTo(spent(new Account.Analyst("bob"))));
  }

  @Test
  void surviveARestart() throws Exception {
    AnalystView first = ann("SELECT city_id, AVG(fare), COUNT(*) FROM trips GROUP BY city_id");
    rides.close();
    rides = new SmallRides(folder, SmallRides.noise(2));
    AnalystView again = ann("SELECT city_id, AVG(fare), COUNT(*) FROM trips GROUP BY 1");
    assertTrue(again.repeat());
    assertEquals(first.rows(), again.rows());
  }

  @Test
  void aPolicyThatAddsAColumnOrATableMakesNobodyPayAgain() throws Exception {
    String without = SmallRides.POLICY.replaceFirst("(?m)^ +fare: .*\\R", "");
    assertNotEquals(SmallRides.POLICY, without);
    rides.close();
    rides = new SmallRides(folder, SmallRides.noise(2), without);
    AnalystView first = ann(BY_STATUS);
    rides.close();
    rides = new SmallRides(folder, SmallRides.noise(3));
    AnalystView again = ann(BY_STATUS);
    assertTrue(again.repeat());
    assertEquals(first.rows(), again.rows());
    assertTrue(ann("SELECT COUNT(*) FROM trips WHERE status = 'completed'").repeat(), "a part");
    AnalystView fares = ann("SELECT status, SUM(fare) FROM trips GROUP BY status");
    assertFalse(fares.repeat());
    rides.close();
    rides = new SmallRides(folder, SmallRides.noise(4), without);
    assertTrue(ann(BY_STATUS).repeat(), "the column is gone, and was not there before");
    rides.close();
    // Another range is another sum, be it in the same words.
    String narrower = SmallRides.POLICY.replaceFirst("(fare: .*range: \\[)[^\\]]*", "$10, 7");
    assertNotEquals(SmallRides.POLICY, narrower);
    rides = new SmallRides(folder, SmallRides.noise(5), narrower);
    assertFalse(ann("SELECT status, SUM(fare) FROM trips GROUP BY status").repeat());
  }

  /** A star stands for the columns that there are: with one more the question is another. */
  @Test
  void questionsThatStandForAllColumnsAreOthersWithOneMore() throws Exception {
    String without = SmallRides.POLICY.replaceFirst("(?m)^ +fare: .*\\R", "");
    List<String> questions =
        List.of(
            "SELECT COUNT(*) FROM (SELECT DISTINCT * FROM trips) t",
            "SELECT COUNT(*) FROM (SELECT * FROM trips UNION SELECT * FROM trips) t",
            "SELECT COUNT(*) FROM (SELECT * FROM trips EXCEPT SELECT * FROM trips) t");
    rides.close();
    rides = new SmallRides(folder, SmallRides.noise(2), without);
    for (String question : questions) {
      assertFalse(ann(question).repeat(), question);
      assertTrue(ann(question).repeat(), question);
    }
    rides.close();
    rides = new SmallRides(folder, SmallRides.noise(3));
    for (String question : questions) {
      assertFalse(ann(question).repeat(), question);
    }
  }

  @Test
  void aRepeatNeedsNoDatabaseAndNothingIsChargedWithoutOne() {
    AnalystView first = ann(BY_STATUS);
    rides.loseDatabase();
    assertEquals(first.rows(), ann(BY_STATUS).rows());
    assertTrue(ann("SELECT COUNT(*) FROM trips WHERE status = 'completed'").repeat());
    assertThrows(RuntimeException.class, () -> ann("SELECT COUNT(*) FROM trips"));
    assertTrips("0.001");
  }

  @Test
  void rolesOfThePolicyPay() throws Exception {
    rides.close();
    String yaml =
        SmallRides.POLICY.replace(
            "  epsilon: 0.1\n",
            "  epsilon: 0.1\n"
                + "  roles: {interns: {budget: {epsilon: 0.0015}}}\n"
                + "  analysts: {ann: {roles: [interns]}, eve: {roles: [interns]}}\n");
    Path other = java.nio.file.Files.createDirectory(folder.resolve("other"));
    rides = new SmallRides(other, SmallRides.noise(3), yaml);
    ann("SELECT COUNT(*) FROM trips");
    QueryRequest eves = ask("eve", "SELECT COUNT(*) FROM drivers", "0.001", false);
    assertThrows(BudgetError.class, () -> rides.gateway.ask(eves));
  }
}
