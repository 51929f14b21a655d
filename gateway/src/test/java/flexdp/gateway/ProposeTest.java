package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.ledger.BudgetExhausted;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Propose-test-release, from the question to the ledger. */
class ProposeTest {
  private static final String HISTOGRAM =
      "SELECT c.name, COUNT(*) FROM trips t JOIN drivers d ON t.city_id = d.city_id"
          + " JOIN cities c ON t.city_id = c.id GROUP BY c.name";
  private static final String ENOUGH = "trips.city_id=400, drivers.city_id=400";

  @TempDir Path folder;

  private SmallRides rides(String policy) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(3);
    return new SmallRides(folder, () -> source, policy);
  }

  private SmallRides rides() throws Exception {
    return rides(SmallRides.POLICY);
  }

  private static QueryRequest ask(String sql, String epsilon, String propose) {
    QueryOptions options =
        new QueryOptions(
                MechanismChoice.AUTO,
                Optional.of(new BigDecimal(epsilon)),
                Optional.of(new BigDecimal("1e-6")),
                Optional.empty())
            .proposing(Optional.of(propose));
    return new QueryRequest(sql, options, "ann", Set.of(), false, true, Optional.empty());
  }

  private static BigDecimal spent(SmallRides rides) {
    Balance balance = rides.ledger.standing(new Account.Table("trips"));
    return balance.spent().epsilon();
  }

  @Test
  void aConfirmedProposalIsAnsweredWithErrorBars() throws Exception {
    try (SmallRides rides = rides()) {
      AnalystView view = rides.gateway.ask(ask(HISTOGRAM, "1", ENOUGH));
      assertEquals("propose", view.mechanism());
      assertEquals(4, view.rows().size());
      assertEquals(0, BigDecimal.ONE.compareTo(view.epsilon()));
      assertEquals(0, new BigDecimal("1e-6").compareTo(view.delta()));
      assertTrue(view.interval(0, 1).isPresent(), "the scale is public");
      assertEquals(0, BigDecimal.ONE.compareTo(spent(rides)), "test and answer together");
      assertTrue(rides.gateway.ask(ask(HISTOGRAM, "1", ENOUGH)).repeat());
      String closer = "trips.city_id=300, drivers.city_id=300";
      assertFalse(rides.gateway.ask(ask(HISTOGRAM, "0.9", closer)).repeat(), "less noise");
      assertTrue(rides.gateway.ask(ask(HISTOGRAM, "0.9", ENOUGH)).repeat());
      assertEquals(0, new BigDecimal("1.9").compareTo(spent(rides)));
    }
  }

  @Test
  void aWrongGuessIsToldAndPaysForItsTestOnly() throws Exception {
    try (SmallRides rides = rides()) {
      Rejection e =
          assertThrows(
              Rejection.class,
              () -> rides.gateway.ask(ask(HISTOGRAM, "1", "trips.city_id=1, drivers.city_id=1")));
      assertEquals(RejectionCode.PROPOSAL_NOT_CONFIRMED, e.code());
      assertTrue(e.hint().contains("epsilon 0.3"), e.hint());
      assertEquals(0, new BigDecimal("0.3").compareTo(spent(rides)));
      assertEquals(
          0,
          new BigDecimal("1e-6")
              .compareTo(rides.ledger.standing(new Account.Table("drivers")).spent().delta()));
    }
  }

  /** What is said is the same whatever the data are: only the test knows. */
  @Test
  void theRefusalSaysNothingElseOfTheData() throws Exception {
    String said = null;
    for (String change :
        List.of("DELETE FROM trips WHERE id > 4", "INSERT INTO drivers VALUES (9, 'Eve', 1)")) {
      Path place = java.nio.file.Files.createTempDirectory(folder, "p");
      SmallRides.Replayed source = new SmallRides.Replayed(8);
      try (SmallRides rides =
          new SmallRides(place, () -> source, SmallRides.POLICY, List.of(change))) {
        Rejection e =
            assertThrows(
                Rejection.class,
                () -> rides.gateway.ask(ask(HISTOGRAM, "1", "trips.city_id=2, drivers.city_id=1")));
        String words = e.message() + e.hint() + e.at() + e.code();
        assertTrue(said == null || said.equals(words));
        said = words;
      }
    }
  }

  @Test
  void aProposalMustNameEveryMetricAndExistingColumns() throws Exception {
    try (SmallRides rides = rides()) {
      Rejection e =
          assertThrows(
              Rejection.class, () -> rides.gateway.ask(ask(HISTOGRAM, "1", "trips.city_id=400")));
      assertEquals(RejectionCode.PROPOSAL_KEYS, e.code());
      assertTrue(e.hint().contains("drivers.city_id"), e.hint());
      for (String wrong :
          List.of(
              "trips.town=3",
              "cities.name=3",
              "trips.city_id=-1",
              "trips.city_id=2.5",
              "trips.city_id=1, trips.city_id=2",
              "trips.*=3",
              "trips.city_id",
              " ",
              "rows(cities)=4",
              "rows(nothing)=4")) {
        assertThrows(
            ConfigurationError.class, () -> rides.gateway.ask(ask(HISTOGRAM, "1", wrong)), wrong);
      }
      assertEquals(0, spent(rides).signum());
    }
  }

  @Test
  void withoutRoomForTheAnswerTheTestIsNotPaidEither() throws Exception {
    String poor =
        SmallRides.POLICY.replace("{epsilon: 1000000, delta: 0.1,", "{epsilon: 0.9, delta: 0.1,");
    try (SmallRides rides = rides(poor)) {
      assertThrows(BudgetExhausted.class, () -> rides.gateway.ask(ask(HISTOGRAM, "1", ENOUGH)));
      assertEquals(0, spent(rides).signum());
    }
  }

  @Test
  void everyCompositionTakesIt() throws Exception {
    for (String composition : List.of("basic", "adaptive", "zcdp")) {
      Path place = java.nio.file.Files.createTempDirectory(folder, composition);
      String policy =
          SmallRides.POLICY.replace("composition: basic", "composition: " + composition);
      SmallRides.Replayed source = new SmallRides.Replayed(4);
      try (SmallRides rides = new SmallRides(place, () -> source, policy)) {
        AnalystView view = rides.gateway.ask(ask(HISTOGRAM, "1", ENOUGH));
        assertEquals("propose", view.mechanism());
        assertEquals(
            0,
            new BigDecimal("1e-6")
                .compareTo(rides.ledger.standing(new Account.Table("trips")).spent().delta()));
      }
    }
  }

  @Test
  void itIsForOneQuestionAtAnEpsilonAndChoosesItsOwnMechanism() throws Exception {
    try (SmallRides rides = rides()) {
      QueryRequest request = ask(HISTOGRAM, "1", ENOUGH);
      assertThrows(
          ConfigurationError.class,
          () -> rides.gateway.ask(Workload.of(List.of(HISTOGRAM)), request));
      assertThrows(
          ConfigurationError.class,
          () -> rides.gateway.ask(request.within(ErrorTarget.parse("100"))));
      QueryOptions o = request.options();
      QueryRequest lomax =
          new QueryRequest(
              HISTOGRAM,
              new QueryOptions(MechanismChoice.LOMAX, o.epsilon(), o.delta(), o.bins())
                  .proposing(o.propose()),
              "ann",
              Set.of());
      assertThrows(ConfigurationError.class, () -> rides.gateway.ask(lomax));
      assertEquals(0, spent(rides).signum());
    }
  }

  @Test
  void explainingShowsTheErrorThatAConfirmedProposalHas() throws Exception {
    try (SmallRides rides = rides()) {
      var explained = rides.gateway.explain(ask(HISTOGRAM, "1", ENOUGH));
      assertEquals(Optional.of("propose"), explained.noise().get(0).mechanism());
      assertTrue(explained.noise().get(0).error().isPresent());
      assertEquals(0, new BigDecimal("1e-6").compareTo(explained.delta()));
      assertFalse(explained.noise().get(0).formula().contains("400"));
      assertEquals(0, spent(rides).signum());
    }
  }
}
