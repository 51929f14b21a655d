package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.failure.LedgerError.Code;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.store.SqliteStore;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A long ledger takes long to verify; what others do to it meanwhile. */
class LedgerOpeningTest {
  private static final Account TRIPS = new Account.Table("trips");
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("10", "0"));
  private static final Consumer<LedgerEntry> NOTHING = entry -> {};

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("p.ledger");
  }

  /** Without patience: whoever had to wait for the write lock would be refused. */
  private Ledger open(Consumer<LedgerEntry> whileReading, Runnable beforeWriting) {
    SqliteStore store = SqliteStore.open(file, Duration.ofMillis(1));
    Path anchor = Anchor.beside(file);
    return new LedgerOpening(ALLOWANCES, Clock.systemUTC(), anchor, false)
        .over(new ObservedStore(store, whileReading, beforeWriting), Anchor.read(anchor));
  }

  private Ledger open() {
    return open(NOTHING, () -> {});
  }

  private static void charge(Ledger ledger) {
    ledger.settle(ledger.reserve(Requests.pure("0.5", "trips")), ChargeOutcome.RELEASED);
  }

  /** With its ending written, so that nothing is written later by itself. */
  private static void chargeFully(Ledger ledger) {
    charge(ledger);
    ledger.standings();
  }

  private static void assertSpent(String epsilon, Ledger ledger) {
    BigDecimal spent = ledger.standing(TRIPS).spent().epsilon();
    assertEquals(0, new BigDecimal(epsilon).compareTo(spent), spent::toString);
  }

  private void sql(String... statements) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void othersChargeWhileTheChainIsVerified() {
    try (Ledger other = open()) {
      chargeFully(other);
      AtomicInteger charged = new AtomicInteger(1);
      Consumer<LedgerEntry> meanwhile =
          entry -> {
            chargeFully(other);
            charged.incrementAndGet();
          };
      try (Ledger ledger = open(meanwhile, () -> {})) {
        int before = charged.get();
        assertTrue(before >= 5, "one charge with each entry that was verified: " + before);
        try (Ledger third = open()) {
          assertEquals(before, Audit.of(third).charges());
        }
        charge(ledger);
        assertEquals(before + 1L, Audit.of(other).charges());
      }
    }
  }

  @Test
  void whatWasChargedMeanwhileCounts() {
    try (Ledger other = open()) {
      chargeFully(other);
      try (Ledger ledger =
          open(
              NOTHING,
              () -> {
                if (Audit.of(other).charges() == 1) {
                  other.reserve(Requests.pure("9.5", "trips"));
                }
              })) {
        assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "trips")));
        assertSpent("10", ledger);
      }
    }
  }

  @Test
  void twoGatewaysBeginOneLedger() {
    AtomicInteger first = new AtomicInteger();
    String[] id = {""};
    Runnable overtaken =
        () -> {
          if (first.getAndIncrement() == 0) {
            try (Ledger other = open()) {
              chargeFully(other);
              id[0] = other.id();
            }
          }
        };
    try (Ledger ledger = open(NOTHING, overtaken)) {
      assertEquals(id[0], ledger.id());
      assertSpent("0.5", ledger);
    }
  }

  @Test
  void entriesLostAfterTheyWereVerified() {
    try (Ledger other = open()) {
      chargeFully(other);
    }
    Runnable loss = () -> sql("DROP TRIGGER no_DELETE", "DELETE FROM entry WHERE seq >= 3");
    LedgerError error = assertThrows(LedgerError.class, () -> open(NOTHING, loss).close());
    assertEquals(Code.LEDGER_ROLLED_BACK, error.code());
  }

  @Test
  void anEntryChangedAfterItWasVerified() {
    try (Ledger other = open()) {
      chargeFully(other);
    }
    Runnable change =
        () ->
            sql(
                "DROP TRIGGER no_UPDATE",
                "UPDATE entry SET outcome = 'failed' WHERE seq = (SELECT max(seq) FROM entry)");
    LedgerError error = assertThrows(LedgerError.class, () -> open(NOTHING, change).close());
    assertEquals(Code.LEDGER_CORRUPT, error.code());
  }

  @Test
  void othersChargeWhileEverythingIsReadAnewAfterAFailure() throws Exception {
    try (Ledger other = open()) {
      chargeFully(other);
      try (Ledger ledger = open(entry -> charge(other), () -> {});
          Connection holder = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = holder.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        LedgerError busy = assertThrows(LedgerError.class, () -> charge(ledger));
        assertEquals(Code.LEDGER_BUSY, busy.code());
        statement.execute("ROLLBACK");
        Audit before = Audit.of(other);
        charge(ledger);
        // One with each entry that was read anew, and its own.
        assertEquals(before.charges() + before.entries() + 1, Audit.of(other).charges());
      }
    }
  }
}
