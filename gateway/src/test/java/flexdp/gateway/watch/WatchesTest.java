package flexdp.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.Verdict;
import flexdp.gateway.ledger.WatchRegister.WatchState;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches look once in each period, and what they found stays found. */
class WatchesTest {
  @TempDir Path folder;
  private WatchedTrips trips;

  @BeforeEach
  void create() throws Exception {
    trips = new WatchedTrips(folder, "{epsilon: 20000}");
  }

  private static WatchView run(FlexDp flexdp) {
    return flexdp.watches().run("ann", Optional.of("many")).getFirst();
  }

  private void arm(String epsilon, long above, int hits) {
    try (FlexDp flexdp = trips.open(0)) {
      flexdp
          .watches()
          .add(WatchedTrips.order(WatchedTrips.WEEK, above, hits), WatchedTrips.ask(epsilon));
    }
  }

  private static BigDecimal spent(FlexDp flexdp) {
    return flexdp.ledger().standing(new Account.Table("trips")).spent().epsilon();
  }

  @Test
  void armingCostsOnceMissesCostNothingAndAHitEndsIt() {
    arm(WatchedTrips.LOUD, 100, 1);
    for (int week = 0; week < 2; week++) {
      try (FlexDp flexdp = trips.open(week)) {
        WatchView view = run(flexdp);
        assertEquals(WatchView.State.ARMED, view.state());
        assertEquals(Verdict.MISS, view.last().orElseThrow().verdict());
        assertEquals(week + 1, view.turns().size());
      }
    }
    try (FlexDp flexdp = trips.open(2)) {
      WatchView view = run(flexdp);
      assertEquals(Verdict.HIT, view.last().orElseThrow().verdict());
      assertEquals("2026-11-16T00:00", view.last().orElseThrow().from());
      assertEquals(0, new BigDecimal(40).compareTo(view.last().orElseThrow().gap().orElseThrow()));
      assertEquals(WatchView.State.CLOSED, view.state());
      assertThrows(ConfigurationError.class, () -> run(flexdp));
      assertEquals(List.of(), flexdp.watches().run("ann", Optional.empty()));
      assertEquals(0, new BigDecimal(WatchedTrips.LOUD).compareTo(spent(flexdp)));
    }
  }

  @Test
  void itStrikesAsOftenAsItWasOrdered() {
    arm(WatchedTrips.LOUD, 50, 2);
    for (int week = 0; week < 2; week++) {
      try (FlexDp flexdp = trips.open(week)) {
        assertEquals(Verdict.HIT, run(flexdp).last().orElseThrow().verdict());
      }
    }
    try (FlexDp flexdp = trips.open(2)) {
      assertThrows(ConfigurationError.class, () -> run(flexdp));
      WatchView view = flexdp.watches().list("ann").getFirst();
      assertEquals(WatchView.State.CLOSED, view.state());
      assertEquals(2, view.turns().size());
    }
  }

  @Test
  void inOnePeriodItLooksOnce() {
    arm("0.01", 70, 3);
    for (int day = 0; day < 7; day++) {
      try (FlexDp flexdp = trips.at(WatchedTrips.MONDAY.plusDays(day))) {
        WatchView first = run(flexdp);
        assertEquals(first, run(flexdp));
        assertEquals(1, first.turns().size());
      }
    }
  }

  @Test
  void aClockThatGoesBackIsNotBelieved() {
    arm(WatchedTrips.LOUD, 100, 1);
    try (FlexDp flexdp = trips.open(1)) {
      run(flexdp);
    }
    try (FlexDp flexdp = trips.open(0)) {
      WatchView view = run(flexdp);
      assertEquals(1, view.turns().size());
      assertTrue(view.note().contains("clock"), view.note());
    }
  }

  @Test
  void aTurnThatDiedIsNeitherHitNorMissAndIsNotLookedAtAgain() {
    arm(WatchedTrips.LOUD, 50, 1);
    try (FlexDp flexdp = trips.open(0)) {
      WatchState state = flexdp.ledger().watches().all().getFirst();
      flexdp.ledger().watches().begin(state.charge(), "2026-11-02T00:00", 1);
    }
    try (FlexDp flexdp = trips.open(0)) {
      WatchView view = run(flexdp);
      assertEquals(Verdict.UNFINISHED, view.last().orElseThrow().verdict());
      assertEquals(WatchView.State.ARMED, view.state());
      assertEquals(1, view.turns().size());
    }
    try (FlexDp flexdp = trips.open(1)) {
      assertEquals(Verdict.HIT, run(flexdp).last().orElseThrow().verdict());
    }
  }

  @Test
  void aHitWhoseEndWasNotWrittenEndsItTheNextTime() {
    arm(WatchedTrips.LOUD, 50, 1);
    try (FlexDp flexdp = trips.open(0)) {
      WatchState state = flexdp.ledger().watches().all().getFirst();
      flexdp.ledger().watches().begin(state.charge(), "2026-11-02T00:00", 1);
      flexdp
          .ledger()
          .watches()
          .end(state.charge(), "2026-11-02T00:00", Optional.of(BigDecimal.TEN), 1);
    }
    try (FlexDp flexdp = trips.open(1)) {
      WatchView view = run(flexdp);
      assertEquals(1, view.turns().size());
      assertEquals(WatchView.State.CLOSED, view.state());
    }
  }

  @Test
  void noiseThatIsLostIsNotDrawnAgain() throws Exception {
    arm(WatchedTrips.LOUD, 100, 1);
    Path file = folder.resolve("rides.ledger.watches");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    String kept = Files.readString(file);
    Files.delete(file);
    try (FlexDp flexdp = trips.open(0)) {
      WatchView view = run(flexdp);
      assertEquals(WatchView.State.LOST, view.state());
      assertEquals(List.of(), view.turns());
    }
    Files.writeString(file, kept);
    try (FlexDp flexdp = trips.open(1)) {
      assertThrows(ConfigurationError.class, () -> run(flexdp));
      assertEquals(WatchView.State.CLOSED, flexdp.watches().list("ann").getFirst().state());
    }
  }

  @Test
  void otherNoiseThanWasDrawnIsNotTaken() throws Exception {
    arm("0.5", 100, 1);
    Path file = folder.resolve("rides.ledger.watches");
    String kept = Files.readString(file);
    Files.writeString(file, kept.replaceFirst("\"rho\":\"[^\"]*\"", "\"rho\":\"-100000\""));
    try (FlexDp flexdp = trips.open(0)) {
      assertEquals(WatchView.State.LOST, run(flexdp).state());
    }
  }

  @Test
  void theNoiseOfAWatchIsNowhereInTheLedger() throws Exception {
    arm("0.001", 100, 1);
    String kept = Files.readString(folder.resolve("rides.ledger.watches"));
    String rho = kept.replaceFirst("(?s).*\"rho\":\"-?([0-9]+)\".*", "$1");
    String salt = kept.replaceFirst("(?s).*\"salt\":\"([^\"]+)\".*", "$1");
    try (FlexDp flexdp = trips.open(0)) {
      flexdp
          .ledger()
          .read(
              entry -> {
                String all = entry.fields().values().toString();
                assertFalse(all.contains(salt), all);
                assertFalse(rho.length() > 2 && all.matches(".*\\b" + rho + "\\b.*"), all);
              });
    }
  }

  @Test
  void whatCannotPayIsNotArmed() throws Exception {
    trips = new WatchedTrips(Files.createDirectory(folder.resolve("poor")), "{epsilon: 1}");
    try (FlexDp flexdp = trips.open(0)) {
      assertThrows(
          BudgetError.class,
          () ->
              flexdp
                  .watches()
                  .add(WatchedTrips.order(WatchedTrips.WEEK, 100, 1), WatchedTrips.ask("9999")));
    }
  }

  @Test
  void removingEndsItAndGivesNothingBack() {
    arm(WatchedTrips.LOUD, 100, 1);
    try (FlexDp flexdp = trips.open(0)) {
      assertEquals(WatchView.State.CLOSED, flexdp.watches().remove("ann", "many").state());
      assertEquals(0, new BigDecimal(WatchedTrips.LOUD).compareTo(spent(flexdp)));
      assertThrows(ConfigurationError.class, () -> flexdp.watches().remove("ann", "many"));
    }
  }

  @Test
  void twoArmedWatchesOfOneAnalystHaveTwoNames() {
    arm("1", 100, 1);
    assertThrows(ConfigurationError.class, () -> arm("1", 100, 1));
  }

  @Test
  void whatOthersWatchIsNotShown() {
    arm("1", 100, 1);
    try (FlexDp flexdp = trips.open(0)) {
      assertEquals(List.of(), flexdp.watches().list("bob"));
      assertEquals(List.of(), flexdp.watches().run("bob", Optional.empty()));
      assertThrows(ConfigurationError.class, () -> flexdp.watches().remove("bob", "many"));
    }
  }

  /** Weeks that are parts of the table pay each for itself when they are asked plainly. */
  @Test
  void whoseWeeksArePartsIsToldToAskPlainly() throws Exception {
    trips =
        new WatchedTrips(
            Files.createDirectory(folder.resolve("parted")),
            "{epsilon: 20000}",
            "partition: {by: requested_at, each: week}");
    try (FlexDp flexdp = trips.open(0)) {
      WatchView weeks =
          flexdp
              .watches()
              .add(WatchedTrips.order(WatchedTrips.WEEK, 100, 1), WatchedTrips.ask("1"));
      assertTrue(weeks.note().contains("plainly"), weeks.note());
      flexdp.watches().remove("ann", "many");
      String overlapping = WatchedTrips.WEEK.replace("'7' DAY", "'8' DAY");
      assertEquals(
          "",
          flexdp
              .watches()
              .add(WatchedTrips.order(overlapping, 100, 1), WatchedTrips.ask("1"))
              .note());
      assertEquals(0, BigDecimal.TWO.compareTo(spent(flexdp)), "both charge the whole table");
    }
  }

  private RejectionCode refused(String sql) {
    try (FlexDp flexdp = trips.open(0)) {
      Rejection refusal =
          assertThrows(
              Rejection.class,
              () -> flexdp.watches().add(WatchedTrips.order(sql, 100, 1), WatchedTrips.ask("1")),
              sql);
      assertEquals(0, BigDecimal.ZERO.compareTo(spent(flexdp)), sql);
      return refusal.code();
    }
  }

  @Test
  void onlyOneBareNumberIsWatched() {
    for (String sql :
        List.of(
            "SELECT COUNT(*) + 1 FROM trips",
            "SELECT -COUNT(*) FROM trips",
            "SELECT AVG(fare) FROM trips",
            "SELECT MAX(fare) FROM trips",
            "SELECT COUNT(*), SUM(fare) FROM trips",
            "SELECT COUNT(*) FROM trips HAVING COUNT(*) > 10",
            "SELECT COUNT(*) FROM trips LIMIT 0",
            "SELECT balance, COUNT(*) FROM trips GROUP BY balance")) {
      assertEquals(RejectionCode.UNSUPPORTED, refused(sql), sql);
    }
  }

  @Test
  void privateScalesAreNotWatched() throws Exception {
    Files.writeString(
        folder.resolve("rides.metrics.json"),
        """
        {"trips": {"rows": 350, "columns": {"driver_id": {"maxFrequency": 18}}},
         "drivers": {"rows": 20, "columns": {"city_id": {"maxFrequency": 7}}}}
        """);
    assertEquals(
        RejectionCode.SENSITIVITY_NOT_PUBLIC,
        refused("SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id"));
  }
}
