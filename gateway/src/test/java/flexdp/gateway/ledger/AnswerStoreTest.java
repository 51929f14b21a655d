package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.StoredAnswers.RecentAnswers;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerStoreTest {
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("10", "0"));

  @TempDir Path folder;

  private Ledger open() {
    return LedgerOpening.file(folder.resolve("p.ledger"), ALLOWANCES, false);
  }

  private static ReleasedAnswer answer(String analyst, String epsilon, String body) {
    return new ReleasedAnswer(
        "key", "s1", analyst, "laplace", Cost.pure(new BigDecimal(epsilon)), body);
  }

  private static void release(Ledger ledger, ReleasedAnswer answer) {
    Reservation reservation = ledger.reserve(Requests.pure("0.5", "trips"));
    ledger.settle(reservation, ChargeOutcome.RELEASED, List.of(answer));
  }

  @Test
  void findsWhatWasReleasedAfterRestart() {
    ReleasedAnswer answer = answer("ann", "0.5", "[[\"Zürich\", 17]]");
    try (Ledger ledger = open()) {
      assertEquals(List.of(), ledger.find("key", "s1"));
      release(ledger, answer);
      assertEquals(List.of(answer), ledger.find("key", "s1"));
      assertEquals(List.of(answer), ledger.find("key", "s1"));
    }
    try (Ledger ledger = open()) {
      assertEquals(List.of(answer), ledger.find("key", "s1"));
      assertEquals(List.of(), ledger.find("key", "s2"), "another snapshot");
      assertEquals(List.of(), ledger.find("kez", "s1"), "another question");
    }
  }

  @Test
  void theNewestComesFirst() {
    try (Ledger one = open();
        Ledger other = open()) {
      release(one, answer("ann", "0.1", "1"));
      one.standings(); // reading writes what waits
      assertEquals(1, other.find("key", "s1").size());
      release(other, answer("bob", "0.5", "2"));
      release(other, answer("ann", "0.2", "3"));
      assertEquals(
          List.of("3", "2", "1"),
          other.find("key", "s1").stream().map(ReleasedAnswer::body).toList());
    }
  }

  @Test
  void othersDoNotCrowdOutOnesOwnAnswers() {
    ReleasedAnswer own = of("ann", 0);
    try (Ledger ledger = open()) {
      release(ledger, own);
      assertEquals(List.of(own), ledger.family("rows", "s1", Optional.of("ann")));
      Reservation reservation = ledger.reserve(Requests.pure("0.5", "trips"));
      List<ReleasedAnswer> many =
          IntStream.rangeClosed(1, 300).mapToObj(i -> of("bob", i)).toList();
      ledger.settle(reservation, ChargeOutcome.RELEASED, many);
      assertEquals(List.of(own), ledger.family("rows", "s1", Optional.of("ann")));
    }
    try (Ledger ledger = open()) {
      assertFalse(ledger.family("rows", "s1", Optional.empty()).contains(own), "too long ago");
      assertEquals(List.of(own), ledger.family("rows", "s1", Optional.of("ann")));
      assertEquals(List.of(), ledger.family("rows", "s1", Optional.of("eve")));
      release(ledger, of("eve", 7));
      assertEquals(List.of(of("eve", 7)), ledger.family("rows", "s1", Optional.of("eve")));
      assertEquals(of("eve", 7), ledger.family("rows", "s1", Optional.empty()).getFirst());
    }
  }

  private static ReleasedAnswer of(String analyst, int number) {
    return new ReleasedAnswer(
        "key" + number, "rows", "s1", analyst, "laplace", Cost.pure(BigDecimal.ONE), "" + number);
  }

  @Test
  void nothingIsKeptOfAQuestionThatIsNotOpen() {
    try (Ledger ledger = open()) {
      Reservation reservation = ledger.reserve(Requests.pure("0.5", "trips"));
      ledger.settle(reservation, ChargeOutcome.FAILED);
      try {
        ledger.settle(reservation, ChargeOutcome.RELEASED, List.of(answer("ann", "0.5", "1")));
      } catch (IllegalStateException expected) {
        assertTrue(expected.getMessage().contains("not open"));
      }
      assertEquals(List.of(), ledger.find("key", "s1"));
    }
  }

  @Test
  void anAnswerThatWasChangedIsNoAnswer() throws Exception {
    try (Ledger ledger = open()) {
      release(ledger, answer("ann", "0.5", "17"));
    }
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("p.ledger"));
        var statement = connection.createStatement()) {
      statement.execute("UPDATE released SET body = '18'");
    }
    try (Ledger ledger = open()) {
      assertEquals(List.of(), ledger.find("key", "s1"));
    }
  }

  @Test
  void manyAnswersDoNotFillTheMemory() {
    RecentAnswers recent = new RecentAnswers();
    String body = "x".repeat(1_000_000);
    for (int i = 0; i < 100; i++) {
      recent.keep("k" + i, "s", List.of(answer("ann", "0.5", body)));
    }
    long kept = IntStream.range(0, 100).filter(i -> !recent.find("k" + i, "s").isEmpty()).count();
    assertTrue(kept > 10 && kept < 40, "kept " + kept);
  }
}
