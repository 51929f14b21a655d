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
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.marginals.StrategyChoice;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workloads by multiplicative weights: {@code --strategy mwem}. */
class MwemWorkloadTest {
  private static final Workload PAIRS =
      Workload.of(
          List.of(
              "SELECT status, COUNT(*) FROM trips GROUP BY status",
              "SELECT c.name, status, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id"
                  + " GROUP BY c.name, status",
              "SELECT c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id"
                  + " GROUP BY c.name",
              "SELECT COUNT(*) FROM trips WHERE status = 'completed'"));

  @TempDir Path folder;

  private static QueryRequest ask(String epsilon, StrategyChoice strategy) {
    QueryOptions d = QueryOptions.DEFAULT;
    QueryOptions options =
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins())
            .by(strategy);
    return new QueryRequest("", options, "ann", Set.of(), false, true, Optional.empty());
  }

  private SmallRides rides(String policy) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(6);
    return new SmallRides(Files.createTempDirectory(folder, "m"), () -> source, policy);
  }

  @Test
  void allStatementsAreAnsweredTogetherWithoutErrorBars() throws Exception {
    try (SmallRides rides = rides(SmallRides.POLICY)) {
      WorkloadView view = rides.gateway.ask(PAIRS, ask("4000", StrategyChoice.MWEM));
      for (AnalystView answer : view.answers()) {
        assertEquals("mwem", answer.mechanism());
        assertTrue(answer.derived().orElseThrow().contains("multiplicative weights"));
        for (int i = 0; i < answer.columns().size(); i++) {
          assertFalse(answer.hasIntervals(i));
        }
      }
      assertEquals(4, view.answers().get(0).rows().size());
      assertEquals(16, view.answers().get(1).rows().size());
      assertTrue(view.epsilon().compareTo(new BigDecimal("4000")) <= 0);
      assertTrue(view.epsilon().compareTo(new BigDecimal("3999")) > 0);
      assertEquals(
          0,
          rides
              .ledger
              .standing(new Account.Table("trips"))
              .spent()
              .epsilon()
              .compareTo(view.epsilon()));
    }
  }

  /** Ranges of one key have levels between all labels and each. */
  @Test
  void rangesAreAnsweredTogetherToo() throws Exception {
    Workload ranges =
        Workload.of(
            List.of(
                "SELECT COUNT(*) FROM trips WHERE day >= DATE '2024-01-01' AND day < DATE"
                    + " '2024-02-01'",
                "SELECT COUNT(*) FROM trips WHERE day >= DATE '2024-01-01' AND day < DATE"
                    + " '2024-07-01'",
                "SELECT status, COUNT(*) FROM trips GROUP BY status"));
    try (SmallRides rides = rides(SmallRides.POLICY)) {
      WorkloadView view = rides.gateway.ask(ranges, ask("5000", StrategyChoice.MWEM));
      int[] exact = {2, 4};
      for (int i = 0; i < exact.length; i++) {
        BigDecimal count = (BigDecimal) view.answers().get(i).rows().get(0).get(0);
        assertTrue(
            count.subtract(BigDecimal.valueOf(exact[i])).abs().compareTo(BigDecimal.TWO) <= 0,
            i + ": " + count);
      }
    }
  }

  @Test
  void itIsPaidForEachTime() throws Exception {
    try (SmallRides rides = rides(SmallRides.POLICY)) {
      rides.gateway.ask(PAIRS, ask("1", StrategyChoice.MWEM));
      AnalystView later =
          rides.gateway.ask(
              ask("0.01", StrategyChoice.AUTO)
                  .about("SELECT status, COUNT(*) FROM trips GROUP BY status"));
      assertFalse(later.repeat(), "a guess is nobody's repeat");
    }
  }

  @Test
  void everyCompositionCountsItsParts() throws Exception {
    for (String composition : List.of("adaptive", "zcdp")) {
      String policy =
          SmallRides.POLICY.replace("composition: basic", "composition: " + composition);
      try (SmallRides rides = rides(policy)) {
        WorkloadView view = rides.gateway.ask(PAIRS, ask("1", StrategyChoice.MWEM));
        BigDecimal squares = rides.ledger.standing(new Account.Table("trips")).spent().squares();
        assertTrue(squares.compareTo(BigDecimal.ONE) <= 0, squares.toString());
        assertTrue(squares.compareTo(new BigDecimal("0.99")) > 0, squares.toString());
        assertTrue(view.epsilon().compareTo(BigDecimal.ONE) > 0, "more for the same squares");
      }
    }
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeItIsCharged() throws Exception {
    try (SmallRides rides = rides(SmallRides.POLICY)) {
      Workload hidden =
          Workload.of(
              List.of(
                  "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.city_id = d.city_id",
                  "SELECT t.status, COUNT(*) FROM trips t JOIN drivers d ON t.city_id = d.city_id"
                      + " GROUP BY t.status"));
      assertEquals(RejectionCode.SENSITIVITY_NOT_PUBLIC, refused(rides, hidden));
      assertEquals(
          RejectionCode.MECHANISM_UNSUITABLE,
          refused(
              rides, Workload.of(List.of("SELECT status, COUNT(*) FROM trips GROUP BY status"))));
      assertEquals(
          RejectionCode.MECHANISM_UNSUITABLE,
          refused(
              rides,
              Workload.of(
                  List.of(
                      "SELECT status, SUM(5 - fare) FROM trips GROUP BY status",
                      "SELECT city_id IS NULL, SUM(5 - fare) FROM trips GROUP BY 1"))));
      assertThrows(
          ConfigurationError.class,
          () ->
              rides.gateway.ask(ask("1", StrategyChoice.MWEM).about("SELECT COUNT(*) FROM trips")));
      assertEquals(0, rides.ledger.standing(new Account.Table("trips")).spent().epsilon().signum());
    }
  }

  private static RejectionCode refused(SmallRides rides, Workload workload) {
    return assertThrows(
            Rejection.class, () -> rides.gateway.ask(workload, ask("1", StrategyChoice.MWEM)))
        .code();
  }

  @Test
  void anEvenStrategyMeasuresEachByItself() throws Exception {
    try (SmallRides rides = rides(SmallRides.POLICY)) {
      WorkloadExplanation even = rides.gateway.explain(PAIRS, ask("1", StrategyChoice.EVEN));
      assertEquals(List.of(), even.frames());
      even.questions().forEach(q -> assertEquals(q.alone(), q.error()));
      WorkloadExplanation mwem = rides.gateway.explain(PAIRS, ask("1", StrategyChoice.MWEM));
      mwem.questions().forEach(q -> assertEquals(Optional.empty(), q.error()));
    }
  }
}
