package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.failure.LedgerError.Code;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.store.SqliteStore;
import flexdp.policy.Policy;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to the ledger's file, nothing is answered until the owner has repaired it. */
class LedgerFaultsTest {
  private static final Account TRIPS = new Account.Table("trips");
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("100", "1e-6"));

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("p.ledger");
  }

  private Ledger open() {
    return LedgerOpening.file(file, ALLOWANCES, false);
  }

  private void charge(int times) {
    try (Ledger ledger = open()) {
      for (int i = 0; i < times; i++) {
        ledger.settle(ledger.reserve(Requests.pure("0.5", "trips")), ChargeOutcome.RELEASED);
      }
    }
  }

  private LedgerError assertRefused(Code code) {
    LedgerError error = assertThrows(LedgerError.class, () -> open().close());
    assertEquals(code, error.code(), error::getMessage);
    assertTrue(error.hint().contains("./flexdp budget"), error::hint);
    assertEquals(2, error.exitCode());
    return error;
  }

  private BigDecimal spent() {
    try (Ledger ledger = open()) {
      return ledger.standing(TRIPS).spent().epsilon();
    }
  }

  private void sql(String... statements) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  @Test
  void aLedgerThatIsGone() throws Exception {
    charge(3);
    Files.delete(file);
    assertRefused(Code.LEDGER_MISSING);
    assertFalse(Files.exists(file), "nothing is begun in its place");
    assertEquals(0, LedgerRepair.of(file).acceptLoss("owner", "disk died"));
    try (Ledger ledger = LedgerOpening.file(file, ALLOWANCES, true)) {
      ledger.reserve(Requests.pure("0.5", "trips"));
    }
  }

  @Test
  void aLedgerThatWasNeverThereAlthoughMetricsWereReleased() {
    LedgerError error =
        assertThrows(LedgerError.class, () -> LedgerOpening.file(file, ALLOWANCES, true));
    assertEquals(Code.LEDGER_MISSING, error.code());
    assertFalse(Files.exists(file));
    open().close();
    assertThrows(LedgerError.class, () -> LedgerOpening.file(file, ALLOWANCES, true));
  }

  @Test
  void aLedgerTakenAwayWhileInUse() throws Exception {
    try (Ledger ledger = open()) {
      ledger.reserve(Requests.pure("0.5", "trips"));
      Files.delete(file);
      LedgerError error =
          assertThrows(LedgerError.class, () -> ledger.reserve(Requests.pure("0.5", "trips")));
      assertEquals(Code.LEDGER_MISSING, error.code());
      Files.createFile(file);
      assertThrows(LedgerError.class, () -> ledger.reserve(Requests.pure("0.5", "trips")));
    }
  }

  @Test
  void aFileCutOffAnywhere() throws Exception {
    charge(40);
    byte[] whole = Files.readAllBytes(file);
    byte[] anchor = Files.readAllBytes(Anchor.beside(file));
    Random random = new Random(4);
    for (int i = 0; i < 25; i++) {
      int length = i == 0 ? 0 : random.nextInt(whole.length);
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      Files.write(Anchor.beside(file), anchor);
      assertThrows(LedgerError.class, () -> open().close(), "cut to " + length);
    }
    long saved = LedgerRepair.of(file).acceptLoss("owner", "cut off");
    assertTrue(saved <= 82);
    spent();
  }

  @Test
  void bytesOverwrittenAnywhere() throws Exception {
    charge(40);
    BigDecimal before = spent();
    byte[] whole = Files.readAllBytes(file);
    byte[] anchor = Files.readAllBytes(Anchor.beside(file));
    Random random = new Random(5);
    int refused = 0;
    for (int i = 0; i < 60; i++) {
      byte[] broken = whole.clone();
      int at = random.nextInt(broken.length);
      for (int k = at; k < Math.min(at + 1 + random.nextInt(40), broken.length); k++) {
        broken[k] = (byte) random.nextInt(256);
      }
      Files.write(file, broken);
      Files.write(Anchor.beside(file), anchor);
      try {
        assertEquals(before, spent(), "an unused byte at " + at);
      } catch (LedgerError e) {
        refused++;
      }
      Files.deleteIfExists(folder.resolve("p.ledger-wal"));
      Files.deleteIfExists(folder.resolve("p.ledger-shm"));
    }
    assertTrue(refused > 20, "refused " + refused);
  }

  @Test
  void somethingElseInItsPlace() throws Exception {
    Files.writeString(file, "dear diary, ".repeat(1000));
    assertRefused(Code.LEDGER_CORRUPT);
    Files.delete(file);
    sql("CREATE TABLE t (a INTEGER)");
    assertRefused(Code.LEDGER_CORRUPT);
  }

  @Test
  void anEntryThatWasChanged() throws Exception {
    charge(10);
    sql("DROP TRIGGER no_UPDATE", "UPDATE entry SET epsilon = '0.1' WHERE seq = 9");
    assertRefused(Code.LEDGER_CORRUPT);
    assertEquals(8, LedgerRepair.of(file).acceptLoss("owner", "tampered"));
    assertEquals(0, new BigDecimal("1.5").compareTo(spent()));
    try (var files = Files.list(folder)) {
      assertTrue(files.anyMatch(f -> f.toString().contains(".damaged-")), "the evidence is kept");
    }
  }

  @Test
  void anEntryThatWasRemoved() throws Exception {
    charge(10);
    sql("DROP TRIGGER no_DELETE", "DELETE FROM entry WHERE seq = 8");
    assertRefused(Code.LEDGER_CORRUPT);
    sql("DELETE FROM entry WHERE seq > 7");
    assertRefused(Code.LEDGER_ROLLED_BACK);
  }

  @Test
  void entriesAreNotChangedByAccident() {
    charge(1);
    assertThrows(Exception.class, () -> sql("UPDATE entry SET epsilon = '0.1'"));
    assertThrows(Exception.class, () -> sql("DELETE FROM entry"));
  }

  @Test
  void anOlderCopy() throws Exception {
    charge(2);
    Path copy = folder.resolve("backup");
    Files.copy(file, copy);
    charge(1);
    Files.copy(copy, file, StandardCopyOption.REPLACE_EXISTING);
    assertRefused(Code.LEDGER_ROLLED_BACK);
    LedgerRepair.of(file).acceptLoss("owner", "restored yesterday's backup");
    assertEquals(0, BigDecimal.ONE.compareTo(spent()));
    charge(1);
  }

  @Test
  void aLostWriteAheadLog() throws Exception {
    Path copy = folder.resolve("copy.ledger");
    try (Ledger ledger = open()) {
      ledger.reserve(Requests.pure("0.5", "trips"));
      Files.copy(file, copy);
    }
    Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
    LedgerError error = assertThrows(LedgerError.class, () -> open().close());
    assertTrue(
        error.code() == Code.LEDGER_ROLLED_BACK || error.code() == Code.LEDGER_MISSING,
        error::getMessage);
  }

  @Test
  void aDamagedAnchor() throws Exception {
    charge(1);
    Files.writeString(Anchor.beside(file), "x".repeat(1024));
    assertRefused(Code.LEDGER_CORRUPT);
    LedgerRepair.of(file).acceptLoss("owner", "anchor overwritten");
    assertEquals(0, new BigDecimal("0.5").compareTo(spent()));
  }

  @Test
  void aNewerVersion() throws Exception {
    charge(1);
    sql("PRAGMA user_version = 99");
    LedgerError error = assertThrows(LedgerError.class, () -> open().close());
    assertEquals(Code.LEDGER_NEWER, error.code());
  }

  @Test
  void aFolderThatCannotBeWritten() {
    // Even root cannot write here.
    Path nowhere = Path.of("/proc/p.ledger");
    LedgerError error =
        assertThrows(LedgerError.class, () -> LedgerOpening.file(nowhere, ALLOWANCES, false));
    assertEquals(Code.LEDGER_READ_ONLY, error.code());
    assertTrue(error.hint().contains("chmod"), error::hint);
  }

  @Test
  void aFullDisk() throws Exception {
    SqliteStore store = SqliteStore.open(file);
    store.limitPages(20);
    LedgerOpening opening =
        new LedgerOpening(ALLOWANCES, Clock.systemUTC(), Anchor.beside(file), false);
    int charged = 0;
    try (Ledger ledger = opening.over(store, Optional.empty())) {
      LedgerError error = null;
      while (error == null) {
        try {
          ledger.reserve(Requests.pure("0.01", "trips"));
          charged++;
        } catch (LedgerError e) {
          error = e;
        }
      }
      assertEquals(Code.LEDGER_FULL, error.code());
      assertTrue(charged > 10, "charged " + charged);
      assertThrows(LedgerError.class, () -> ledger.reserve(Requests.pure("0.01", "trips")));
      store.limitPages(1000);
      ledger.reserve(Requests.pure("0.01", "trips"));
      charged++;
    }
    assertEquals(0, BigDecimal.valueOf(charged, 2).compareTo(spent()));
  }

  @Test
  void aLedgerThatSomebodyHolds() throws Exception {
    charge(1);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      LedgerError error =
          assertThrows(LedgerError.class, () -> SqliteStore.open(file, Duration.ofMillis(50)));
      assertEquals(Code.LEDGER_BUSY, error.code());
    }
  }

  @Test
  void aClockThatGoesBack() {
    MovableClock clock = new MovableClock(Instant.parse("2026-03-01T12:00:00Z"));
    LedgerOpening opening = new LedgerOpening(ALLOWANCES, clock, Anchor.beside(file), false);
    try (Ledger ledger = opening.sqlite(file)) {
      ledger.reserve(Requests.pure("0.5", "trips"));
      clock.advance(Duration.ofSeconds(-30));
      ledger.reserve(Requests.pure("0.5", "trips"));
      assertEquals(Optional.empty(), ledger.fault());
      clock.advance(Duration.ofDays(-1));
      assertEquals(Optional.of(Code.LEDGER_CLOCK), ledger.fault().map(LedgerError::code));
      LedgerError error =
          assertThrows(LedgerError.class, () -> ledger.reserve(Requests.pure("0.5", "trips")));
      assertEquals(Code.LEDGER_CLOCK, error.code());
      assertTrue(error.hint().contains("--accept-clock"), error::hint);
    }
    new LedgerRepair(file, Anchor.beside(file), clock)
        .acceptClock("owner", "the battery was empty");
    try (Ledger ledger = opening.sqlite(file)) {
      ledger.reserve(Requests.pure("0.5", "trips"));
      List<Instant> times = new ArrayList<>();
      ledger.read(entry -> times.add(entry.at()));
      assertEquals(times.get(2), times.get(3), "a small step back repeats the time");
      assertTrue(times.get(4).isBefore(times.get(3)));
      assertEquals(0, new BigDecimal("1.5").compareTo(ledger.standing(TRIPS).spent().epsilon()));
    }
  }

  @Test
  void anotherCompositionThanTheOneChosenUpFront() {
    charge(1);
    Allowances other =
        Allowances.eachTable(
            new Allowance(
                BigDecimal.TEN,
                new BigDecimal("1e-6"),
                Policy.Composition.ADAPTIVE,
                Optional.empty()));
    LedgerError error =
        assertThrows(LedgerError.class, () -> LedgerOpening.file(file, other, false).close());
    assertEquals(Code.LEDGER_POLICY, error.code());
    try (Ledger before = open()) {
      LedgerRepair.of(file).acceptPolicy(other, "owner");
      try (Ledger after = LedgerOpening.file(file, other, false)) {
        after.reserve(Requests.pure("0.5", "trips"));
      }
      assertThrows(LedgerError.class, () -> before.reserve(Requests.pure("0.5", "trips")));
    }
    assertRefused(Code.LEDGER_POLICY);
  }

  @Test
  void aDirectoryInItsPlace() throws IOException {
    Files.createDirectory(file);
    assertThrows(LedgerError.class, () -> open().close());
  }
}
