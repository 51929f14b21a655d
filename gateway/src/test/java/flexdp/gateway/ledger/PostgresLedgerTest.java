package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresLedgerTest {
  private static final Account TRIPS = new Account.Table("trips");
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("10", "0"));
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static EmbeddedPostgres server;

  @TempDir Path folder;
  private String url;
  private Path anchor;

  @BeforeAll
  static void start() throws Exception {
    server =
        FreshPostgres.own()
            .setServerConfig("fsync", "on")
            .setServerConfig("max_connections", "20")
            .start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void database() throws SQLException {
    String name = "ledger" + NUMBER.incrementAndGet();
    sql(server.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + name);
    url = server.getJdbcUrl("postgres", name);
    anchor = folder.resolve("p.anchor");
  }

  private static void sql(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  /** Whoever owns the schema could put triggers on the entries, which would run as we. */
  @Test
  void aSchemaOfOthersIsNotUsed() throws SQLException {
    sql(
        url,
        "CREATE ROLE mallory",
        "CREATE SCHEMA flexdp AUTHORIZATION mallory",
        "CREATE ROLE clerk");
    LedgerError refused = assertThrows(LedgerError.class, this::open);
    assertEquals(LedgerError.Code.LEDGER_UNAVAILABLE, refused.code());
    assertTrue(refused.message().contains("belongs to mallory"), refused.message());
    sql(url, "DROP SCHEMA flexdp");
    charge(1);
    sql(url, "GRANT USAGE ON SCHEMA flexdp TO clerk");
    charge(1);
    sql(url, "GRANT CREATE ON SCHEMA flexdp TO clerk");
    refused = assertThrows(LedgerError.class, this::open);
    assertTrue(refused.message().contains("others may create"), refused.message());
    sql(url, "DROP OWNED BY clerk", "DROP ROLE clerk", "DROP ROLE mallory");
  }

  private Ledger open() {
    return LedgerLoad.open(url, anchor, ALLOWANCES);
  }

  private void charge(int times) {
    try (Ledger ledger = open()) {
      for (int i = 0; i < times; i++) {
        ledger.settle(ledger.reserve(Requests.pure("0.5", "trips")), ChargeOutcome.RELEASED);
      }
    }
  }

  private void assertRefused(LedgerError.Code code) {
    LedgerError error = assertThrows(LedgerError.class, () -> open().close());
    assertEquals(code, error.code(), error::getMessage);
    assertTrue(!error.getMessage().contains("?"), "no parameters in messages");
  }

  @Test
  void remembersChargesAfterRestart() {
    charge(3);
    try (Ledger ledger = open()) {
      assertEquals(0, new BigDecimal("1.5").compareTo(ledger.standing(TRIPS).spent().epsilon()));
    }
  }

  @Test
  void othersChargeWhileTheChainIsVerified() {
    charge(2);
    try (Ledger other = open()) {
      LedgerStore store =
          new ObservedStore(
              PostgresStore.open(url, new Properties()),
              entry -> other.reserve(Requests.pure("0.5", "trips")),
              () -> {});
      LedgerOpening opening = new LedgerOpening(ALLOWANCES, Clock.systemUTC(), anchor, false);
      try (Ledger ledger = opening.over(store, Anchor.read(anchor))) {
        // Opened, declared, two charges and their ends: a charge with each of them.
        assertEquals(2 + 6, Audit.of(other).charges());
        ledger.reserve(Requests.pure("0.5", "trips"));
        assertEquals(2 + 6 + 1, Audit.of(other).charges());
      }
    }
  }

  @Test
  void findsReleasedAnswersAgain() {
    ReleasedAnswer answer =
        new ReleasedAnswer(
            "key", "s1", "ann", "laplace", flexdp.budget.Cost.pure(BigDecimal.ONE), "[[1]]");
    try (Ledger ledger = open()) {
      Reservation reservation = ledger.reserve(Requests.pure("1", "trips"));
      ledger.settle(reservation, ChargeOutcome.RELEASED, java.util.List.of(answer));
    }
    try (Ledger ledger = open()) {
      assertEquals(java.util.List.of(answer), ledger.find("key", "s1"));
    }
  }

  @Test
  void twoProcessesWithManyThreadsNeverExceedOneBudget() throws Exception {
    SharedBudget.isNeverExceeded(url, anchor, "50");
  }

  @Test
  void theLastOfItIsSpentOnce() throws Exception {
    SharedBudget.lastOfItIsSpentOnce(url, anchor);
  }

  @Test
  void refusesEntriesThatWereChanged() throws SQLException {
    charge(3);
    assertThrows(SQLException.class, () -> sql(url, "UPDATE flexdp.entry SET epsilon = '0.1'"));
    assertThrows(SQLException.class, () -> sql(url, "TRUNCATE flexdp.entry"));
    sql(
        url,
        "DROP TRIGGER append_only ON flexdp.entry",
        "UPDATE flexdp.entry SET epsilon = '0.1' WHERE seq = 4");
    assertRefused(LedgerError.Code.LEDGER_CORRUPT);
  }

  @Test
  void refusesALedgerThatWasEmptiedOrDropped() throws SQLException {
    charge(3);
    sql(url, "DROP TRIGGER append_only ON flexdp.entry", "DELETE FROM flexdp.entry WHERE seq > 4");
    assertRefused(LedgerError.Code.LEDGER_ROLLED_BACK);
    sql(url, "DROP SCHEMA flexdp CASCADE");
    assertRefused(LedgerError.Code.LEDGER_MISSING);
  }

  private LedgerRepair repair() {
    return LedgerRepair.postgres(url, new Properties(), anchor, java.time.Clock.systemUTC());
  }

  @Test
  void theOwnerMayAcceptALoss() throws SQLException {
    charge(3);
    sql(
        url,
        "DROP TRIGGER append_only ON flexdp.entry",
        "UPDATE flexdp.entry SET epsilon = '0.1' WHERE seq = 7");
    assertRefused(LedgerError.Code.LEDGER_CORRUPT);
    assertEquals(6, repair().acceptLoss("owner", "tampered"));
    try (Ledger ledger = open()) {
      assertEquals(0, BigDecimal.ONE.compareTo(ledger.standing(TRIPS).spent().epsilon()));
    }
    assertThrows(SQLException.class, () -> sql(url, "DELETE FROM flexdp.entry"));
    sql(url, "DROP SCHEMA flexdp CASCADE");
    assertRefused(LedgerError.Code.LEDGER_MISSING);
    assertEquals(0, repair().acceptLoss("owner", "dropped"));
    charge(1);
  }

  @Test
  void theDamagedEntriesAreKeptAside() throws SQLException {
    charge(1);
    sql(
        url,
        "DROP TRIGGER append_only ON flexdp.entry",
        "UPDATE flexdp.entry SET epsilon = '0.1' WHERE kind = 'reserved'");
    repair().acceptLoss("owner", "tampered");
    sql(
        url,
        "DO $$BEGIN IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'flexdp'"
            + " AND tablename LIKE 'entry_damaged_%') THEN RAISE EXCEPTION 'gone'; END IF; END$$");
  }

  @Test
  void theOwnerMayAcceptAClock() {
    MovableClock clock = new MovableClock(java.time.Instant.parse("2026-03-01T12:00:00Z"));
    LedgerOpening opening = new LedgerOpening(ALLOWANCES, clock, anchor, false);
    try (Ledger ledger = opening.postgres(url, new Properties())) {
      ledger.reserve(Requests.pure("0.5", "trips"));
      clock.advance(java.time.Duration.ofDays(-1));
      LedgerError error =
          assertThrows(LedgerError.class, () -> ledger.reserve(Requests.pure("0.5", "trips")));
      assertEquals(LedgerError.Code.LEDGER_CLOCK, error.code());
    }
    LedgerRepair.postgres(url, new Properties(), anchor, clock)
        .acceptClock("owner", "a new battery");
    try (Ledger ledger = opening.postgres(url, new Properties())) {
      ledger.reserve(Requests.pure("0.5", "trips"));
    }
  }

  @Test
  void aGatewayThatRunsNoticesThatEntriesWereLost() throws SQLException {
    try (Ledger ledger = open()) {
      for (int i = 0; i < 3; i++) {
        ledger.settle(ledger.reserve(Requests.pure("0.5", "trips")), ChargeOutcome.RELEASED);
      }
      sql(
          url,
          "DROP TRIGGER append_only ON flexdp.entry",
          "DELETE FROM flexdp.entry WHERE seq > 5");
      for (int again = 0; again < 2; again++) {
        LedgerError error =
            assertThrows(LedgerError.class, () -> ledger.reserve(Requests.pure("0.5", "trips")));
        assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, error.code(), error::getMessage);
        assertTrue(error.hint().contains("./flexdp budget repair"), error::hint);
      }
    }
  }

  @Test
  void goesOnAfterTheServerCutTheConnection() throws Exception {
    try (Ledger ledger = open()) {
      ledger.reserve(Requests.pure("0.5", "trips"));
      sql(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
      ledger.reserve(Requests.pure("0.5", "trips"));
      assertEquals(0, BigDecimal.ONE.compareTo(ledger.standing(TRIPS).spent().epsilon()));
    }
  }

  @Test
  void refusesAServerThatMayLoseCharges() throws Exception {
    try (FreshPostgres careless = FreshPostgres.create()) {
      url = careless.url();
      assertRefused(LedgerError.Code.LEDGER_UNAVAILABLE);
    }
  }

  @Test
  void refusesWhenTheServerIsAway() throws Exception {
    Files.deleteIfExists(anchor);
    url = "jdbc:postgresql://localhost:1/ledger?user=x&password=secret";
    assertRefused(LedgerError.Code.LEDGER_UNAVAILABLE);
    assertThrows(LedgerError.class, () -> PostgresStore.open(url, new Properties()));
  }
}
