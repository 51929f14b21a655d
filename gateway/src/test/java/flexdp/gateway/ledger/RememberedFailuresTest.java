package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.failure.DatabaseError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure is remembered by its meaning, and counted against who asked. */
class RememberedFailuresTest {
  private static final Allowances ALLOWANCES = limited(3, Duration.ofHours(24));

  @TempDir Path folder;
  private Path file;
  private final MovableClock clock = new MovableClock(Instant.parse("2024-05-01T00:00:00Z"));

  private static Allowances limited(int atMost, Duration window) {
    return new Allowances(
        Neighbors.ADD_REMOVE_ONE,
        Optional.of(Allowance.basic("1000", "0")),
        Map.of(),
        new Policy.Failures(atMost, window),
        flexdp.budget.PrivacyUnitKey.ROW);
  }

  @BeforeEach
  void name() {
    file = folder.resolve("p.ledger");
  }

  private Ledger open() {
    return open(ALLOWANCES);
  }

  private Ledger open(Allowances allowances) {
    return new LedgerOpening(allowances, clock, Anchor.beside(file), false).sqlite(file);
  }

  private static ChargeRequest question(String analyst, String... meanings) {
    return Requests.of(analyst, Set.of(), Cost.pure(BigDecimal.ONE), "t")
        .measuring(Set.of(meanings));
  }

  private static void fail(Ledger ledger, String analyst, String meaning) {
    ledger.fail(ledger.reserve(question(analyst, meaning)), ChargeOutcome.FAILED, Set.of(meaning));
  }

  private static DatabaseError assertRemembered(Ledger ledger, ChargeRequest request) {
    BigDecimal before = ledger.standing(new Account.Table("t")).spent().epsilon();
    DatabaseError error = assertThrows(DatabaseError.class, () -> ledger.reserve(request));
    assertEquals(before, ledger.standing(new Account.Table("t")).spent().epsilon());
    return error;
  }

  private static void assertStopped(Ledger ledger, String analyst) {
    TooManyFailures error =
        assertThrows(TooManyFailures.class, () -> ledger.reserve(question(analyst, "new")));
    assertEquals("TOO_MANY_FAILURES", error.codeName());
    assertEquals(4, error.exitCode());
    assertTrue(error.hint().contains("clear-failures --analyst " + analyst), error::hint);
  }

  @Test
  void whatFailedIsNotRunAgainByAnybody() {
    try (Ledger one = open();
        Ledger other = open()) {
      fail(one, "ann", "m");
      for (Ledger ledger : List.of(one, other)) {
        assertEquals(
            DatabaseError.NO_ANSWER, assertRemembered(ledger, question("ann", "m")).message());
        assertRemembered(ledger, question("bob", "m"));
        assertRemembered(ledger, question("bob", "n", "m"));
      }
      other.settle(other.reserve(question("bob", "n")), ChargeOutcome.RELEASED);
    }
    try (Ledger later = open()) {
      assertRemembered(later, question("ann", "m"));
      assertEquals(Map.of("ann", new FailureCount(1, 3, false)), later.failures());
      later.clearFailures(Optional.of("bob"), "owner", "");
      assertRemembered(later, question("ann", "m"));
      later.clearFailures(Optional.of("ann"), "owner", "");
      later.settle(later.reserve(question("ann", "m")), ChargeOutcome.RELEASED);
    }
  }

  @Test
  void nobodyIsBlockedByTermsOfAnother() {
    try (Ledger ledger = open()) {
      ledger.fail(ledger.reserve(tiny("mallory", "m")), ChargeOutcome.FAILED, Set.of("m"));
      assertRemembered(ledger, tiny("bob", "m"));
      assertRemembered(ledger, question("mallory", "m"));
      ledger.settle(ledger.reserve(question("bob", "m")), ChargeOutcome.RELEASED);
      ledger.reserve(tiny("mallory", "left"));
      clock.advance(QueryFailures.LONG.plusSeconds(1));
      assertRemembered(ledger, question("mallory", "left"));
      ledger.settle(ledger.reserve(question("bob", "left")), ChargeOutcome.RELEASED);
    }
  }

  private static ChargeRequest tiny(String analyst, String meaning) {
    return Requests.of(analyst, Set.of(), Cost.pure(new BigDecimal("1e-9")), "t")
        .measuring(Set.of(meaning));
  }

  /** Of eight questions asked at once as many fail before their analyst's eyes as one by one. */
  @Test
  void ofQuestionsInFlightNoMoreFailuresAreToldThanAllowed() {
    try (Ledger one = open();
        Ledger other = open()) {
      List<Reservation> here = new ArrayList<>();
      List<Reservation> there = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        here.add(one.reserve(question("ann", "h" + i)));
        there.add(other.reserve(question("ann", "t" + i)));
      }
      Reservation ofBob = other.reserve(question("bob", "t0"));
      Reservation unmeasured = one.reserve(question("ann"));
      one.fail(here.get(0), ChargeOutcome.FAILED, Set.of("h0"));
      other.fail(there.get(0), ChargeOutcome.TIMED_OUT, Set.of("t0"));
      one.fail(here.get(1), ChargeOutcome.FAILED, Set.of("h1"));
      assertThrows(
          TooManyFailures.class, () -> one.fail(here.get(2), ChargeOutcome.FAILED, Set.of("h2")));
      assertThrows(TooManyFailures.class, () -> one.settle(here.get(3), ChargeOutcome.RELEASED));
      assertThrows(
          TooManyFailures.class,
          () -> other.fail(there.get(1), ChargeOutcome.FAILED, Set.of("t1")));
      clock.advance(Duration.ofSeconds(2));
      assertThrows(TooManyFailures.class, () -> other.settle(there.get(2), ChargeOutcome.RELEASED));
      other.settle(ofBob, ChargeOutcome.RELEASED);
      one.settle(unmeasured, ChargeOutcome.RELEASED);
      assertEquals(3, one.failures().get("ann").recent());
      // Nor can it be had from what is remembered.
      one.settle(one.reserve(question("bob", "h2")), ChargeOutcome.RELEASED);
      one.settle(one.reserve(question("bob", "h3")), ChargeOutcome.RELEASED);
    }
  }

  @Test
  void ofSeveralMeasurementsOnlyTheOneThatFailedIsRemembered() {
    try (Ledger ledger = open()) {
      Reservation both = ledger.reserve(question("ann", "good", "bad"));
      ledger.fail(both, ChargeOutcome.TIMED_OUT, Set.of("bad"));
      assertEquals(
          DatabaseError.TOO_LATE, assertRemembered(ledger, question("ann", "bad")).message());
      ledger.settle(ledger.reserve(question("ann", "good")), ChargeOutcome.RELEASED);
    }
  }

  @Test
  void anAnalystIsStoppedAndTheOthersAreNot() {
    try (Ledger ledger = open();
        Ledger other = open()) {
      fail(ledger, "ann", "1");
      fail(other, "ann", "2");
      fail(ledger, "ann", "3");
      assertStopped(ledger, "ann");
      assertStopped(other, "ann");
      assertTrue(ledger.failures().get("ann").stopped());
      ledger.settle(ledger.reserve(question("bob", "new")), ChargeOutcome.RELEASED);
      // What is not put to the database goes on: answers of others may still be bought.
      ledger.settle(ledger.reserve(question("ann")), ChargeOutcome.RELEASED);
      clock.advance(Duration.ofDays(30));
      assertStopped(other, "ann");
      other.clearFailures(Optional.empty(), "owner", "a broken disk");
      ledger.settle(ledger.reserve(question("ann", "1")), ChargeOutcome.RELEASED);
      fail(ledger, "ann", "4");
    }
    try (Ledger ledger = open()) {
      assertEquals(new FailureCount(1, 3, false), ledger.failures().get("ann"));
      assertEquals(1, FailedQuestion.of(ledger).size());
    }
  }

  @Test
  void failuresFarApartDoNotStop() {
    try (Ledger ledger = open()) {
      for (int i = 0; i < 6; i++) {
        fail(ledger, "ann", "m" + i);
        clock.advance(Duration.ofHours(13));
      }
      assertFalse(ledger.failures().get("ann").stopped());
    }
    try (Ledger strict = open(limited(1, Duration.ofHours(1)))) {
      assertStopped(strict, "ann");
    }
  }

  @Test
  void lostConnectionsAndCancelledQuestionsDoNotCount() {
    try (Ledger ledger = open()) {
      for (ChargeOutcome outcome :
          List.of(
              ChargeOutcome.LOST,
              ChargeOutcome.CANCELLED,
              ChargeOutcome.LOST,
              ChargeOutcome.LOST)) {
        ledger.fail(ledger.reserve(question("ann", "m")), outcome, Set.of("m"));
      }
      assertEquals(Map.of(), ledger.failures());
      ledger.settle(ledger.reserve(question("ann", "m")), ChargeOutcome.RELEASED);
    }
  }

  @Test
  void aProcessThatDiedLeavesItsQuestionAsideAndStopsNobody() {
    try (Ledger ledger = open()) {
      for (int i = 0; i < 5; i++) {
        ledger.reserve(question("ann", "m" + i));
      }
    }
    try (Ledger ledger = open()) {
      // It may be running still, elsewhere.
      ledger.settle(ledger.reserve(question("bob", "m1")), ChargeOutcome.RELEASED);
      clock.advance(QueryFailures.LONG.plusSeconds(1));
      assertRemembered(ledger, question("bob", "m0"));
      ledger.settle(ledger.reserve(question("ann", "other")), ChargeOutcome.RELEASED);
      assertEquals(Map.of(), ledger.failures());
      ledger.clearFailures(Optional.of("ann"), "owner", "kill -9");
      ledger.settle(ledger.reserve(question("bob", "m0")), ChargeOutcome.RELEASED);
    }
  }

  @Test
  void onPostgresToo() throws Exception {
    try (FreshPostgres server = FreshPostgres.durable()) {
      String url = server.url();
      LedgerOpening opening =
          new LedgerOpening(ALLOWANCES, clock, folder.resolve("p.anchor"), false);
      try (Ledger one = opening.postgres(url, new Properties());
          Ledger other = opening.postgres(url, new Properties())) {
        fail(one, "ann", "1");
        assertRemembered(other, question("bob", "1"));
        fail(other, "ann", "2");
        fail(one, "ann", "3");
        assertStopped(other, "ann");
        one.clearFailures(Optional.of("ann"), "owner", "");
        other.settle(other.reserve(question("ann", "1")), ChargeOutcome.RELEASED);
      }
    }
  }

  /** Random courses over two open ledgers, against what the words of the documents say. */
  @Test
  void randomCourses() {
    Random random = new Random(11);
    Set<String> failed = new HashSet<>();
    Map<String, String> by = new HashMap<>();
    Map<String, List<Instant>> times = new HashMap<>();
    Set<String> stopped = new HashSet<>();
    try (Ledger one = open();
        Ledger other = open()) {
      for (int i = 0; i < 400; i++) {
        Ledger ledger = random.nextBoolean() ? one : other;
        String analyst = "a" + random.nextInt(4);
        String meaning = "m" + random.nextInt(60);
        clock.advance(Duration.ofMinutes(random.nextInt(200)));
        if (random.nextInt(25) == 0) {
          ledger.clearFailures(Optional.of(analyst), "owner", "");
          stopped.remove(analyst);
          times.remove(analyst);
          failed.removeIf(m -> by.get(m).equals(analyst));
          continue;
        }
        if (stopped.contains(analyst)) {
          assertThrows(TooManyFailures.class, () -> ledger.reserve(question(analyst, meaning)));
          continue;
        }
        if (failed.contains(meaning)) {
          assertThrows(DatabaseError.class, () -> ledger.reserve(question(analyst, meaning)));
          continue;
        }
        Reservation charge = ledger.reserve(question(analyst, meaning));
        if (random.nextInt(3) == 0) {
          ledger.fail(charge, ChargeOutcome.TIMED_OUT, Set.of(meaning));
          failed.add(meaning);
          by.put(meaning, analyst);
          List<Instant> all = times.computeIfAbsent(analyst, a -> new ArrayList<>());
          all.add(clock.instant());
          Instant since = clock.instant().minus(Duration.ofHours(24));
          if (all.stream().filter(t -> t.isAfter(since)).count() >= 3) {
            stopped.add(analyst);
          }
        } else {
          ledger.settle(charge, ChargeOutcome.RELEASED);
          ledger.failures(); // written, before hours pass on the clock
        }
      }
      assertTrue(failed.size() > 5, "failed " + failed.size());
    }
  }
}
