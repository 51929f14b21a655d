package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.LedgerError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a ledger, older ones too, and its way to other places and back. */
class LedgerCopiesTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              flexdp: 1
              privacy: {epsilon: 0.5, budget: {epsilon: 1000}}
              tables: {trips: {columns: {id: {type: integer}}}}
              """,
              ConfigurationError.Code.BAD_POLICY));
  private static final Account TRIPS = new Account.Table("trips");

  @TempDir Path folder;
  private Path backup;

  @BeforeEach
  void state() {
    System.setProperty(SeenLedgers.PROPERTY, folder.resolve("state").toString());
    backup = folder.resolve("copy.ledger");
  }

  @AfterEach
  void noState() {
    System.clearProperty(SeenLedgers.PROPERTY);
  }

  private LedgerPlace place() {
    return LedgerPlace.of(folder.resolve("rides.yaml"), Optional.empty());
  }

  private static Ledger open(LedgerPlace place) {
    return place.open(Allowances.of(POLICY), false);
  }

  private static void charge(Ledger ledger, int times) {
    for (int i = 0; i < times; i++) {
      ledger.settle(ledger.reserve(Requests.pure("0.5", "trips")), ChargeOutcome.RELEASED);
    }
  }

  private static void charge(LedgerPlace place, int times) {
    try (Ledger ledger = open(place)) {
      charge(ledger, times);
    }
  }

  private static double spent(LedgerPlace place) {
    try (Ledger ledger = open(place)) {
      return ledger.standing(TRIPS).epsilonSpent().doubleValue();
    }
  }

  private LedgerCopies.Restored restore(Optional<CoveringCharge> cover) {
    return LedgerCopies.restore(place(), backup, Optional.empty(), cover, "owner", "test");
  }

  private static CoveringCharge cover(String epsilon) {
    return new CoveringCharge(POLICY, new BigDecimal(epsilon), BigDecimal.ZERO, "owner");
  }

  private static LedgerError.Code refused(Runnable act) {
    return assertThrows(LedgerError.class, act::run).code();
  }

  @Test
  void aCopyIsMadeWhileTheLedgerIsUsedAndTakesItsPlace() throws Exception {
    LedgerCopies.Copied copied;
    try (Ledger ledger = open(place())) {
      charge(ledger, 3);
      copied = LedgerCopies.backup(place(), backup);
      assertEquals(3, copied.charges());
    }
    Files.delete(folder.resolve("rides.ledger"));
    assertEquals(LedgerError.Code.LEDGER_MISSING, refused(() -> open(place())));
    // The third ending was written after the copy, and is the one entry that it lacks.
    Optional<CoveringCharge> cover = Optional.of(cover("0.1"));
    LedgerCopies.Restored restored = restore(cover);
    assertEquals(copied, restored.copied());
    assertEquals(restored.missing().isPresent() ? 1.6 : 1.5, spent(place()));
    assertEquals(LedgerError.Code.LEDGER_UNAVAILABLE, refused(() -> copyAgain()));
  }

  private void copyAgain() {
    LedgerCopies.backup(place(), backup);
  }

  @Test
  void anOlderCopyIsRefusedUntilAChargeStandsForWhatItLacks() throws Exception {
    charge(place(), 3);
    LedgerCopies.backup(place(), backup);
    charge(place(), 4);
    LedgerError older = assertThrows(LedgerError.class, () -> restore(Optional.empty()));
    assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, older.code());
    assertTrue(older.message().contains("8 entries, of which 4 are charges"), older.message());
    assertEquals(3.5, spent(place()));
    assertEquals(
        LedgerError.Code.LEDGER_ROLLED_BACK, refused(() -> restore(Optional.of(cover("2")))));
    Files.delete(folder.resolve("rides.ledger"));
    assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, refused(() -> restore(Optional.empty())));
    assertTrue(restore(Optional.of(cover("2"))).missing().isPresent());
    assertEquals(3.5, spent(place()));
    charge(place(), 1);
  }

  @Test
  void aDamagedCopyIsRefused() throws Exception {
    charge(place(), 1);
    LedgerCopies.backup(place(), backup);
    Files.writeString(backup, "x", StandardOpenOption.APPEND);
    assertEquals(LedgerError.Code.LEDGER_CORRUPT, refused(() -> restore(Optional.empty())));
    Files.delete(LedgerCopies.checksum(backup));
    assertEquals(LedgerError.Code.LEDGER_MISSING, refused(() -> restore(Optional.empty())));
  }

  @Test
  void anOlderLedgerWithItsOlderAnchorIsNoticed() throws Exception {
    charge(place(), 2);
    Path old = Files.createDirectory(folder.resolve("old"));
    for (String name : new String[] {"rides.ledger", "rides.ledger.anchor"}) {
      Files.copy(folder.resolve(name), old.resolve(name));
    }
    charge(place(), 3);
    for (String name : new String[] {"rides.ledger", "rides.ledger.anchor"}) {
      Files.copy(old.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    LedgerError older = assertThrows(LedgerError.class, () -> open(place()));
    assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, older.code());
    assertTrue(older.message().contains("6 entries, of which 3 are charges"), older.message());
    assertTrue(older.message().contains(folder.resolve("state").toString()), older.message());
    LedgerRepair.Saved saved =
        place()
            .repair()
            .acceptLoss("owner", "", Optional.empty(), ledger -> cover("1.5").charge(ledger));
    assertTrue(saved.lost().orElseThrow().contains("3 are charges"), saved.toString());
    assertEquals(2.5, spent(place()));
  }

  /** Nobody has opened the ledger since it was restored or repaired: that is known all the same. */
  @Test
  void whatWasRestoredOrRepairedIsRemembered() throws Exception {
    charge(place(), 2);
    Path old = Files.createDirectory(folder.resolve("old"));
    List<String> names = List.of("rides.ledger", "rides.ledger.anchor");
    for (String name : names) {
      Files.copy(folder.resolve(name), old.resolve(name));
    }
    charge(place(), 3);
    LedgerCopies.backup(place(), backup);
    Runnable restored = () -> restore(Optional.of(cover("0.5")));
    Runnable repaired = () -> place().repair().acceptLoss("owner", "");
    for (Runnable anew : List.of(restored, repaired, restored)) {
      Files.delete(folder.resolve("rides.ledger"));
      Files.copy(backup, folder.resolve("rides.ledger"));
      anew.run();
      for (String name : names) {
        Files.copy(old.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
      assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, refused(() -> open(place())));
    }
  }

  @Test
  void itMovesToPostgresqlAndBackAndTheOldPlaceTakesNothing() throws Exception {
    charge(place(), 3);
    try (FreshPostgres postgres = FreshPostgres.durable()) {
      LedgerPlace shared =
          LedgerPlace.of(folder.resolve("rides.yaml"), Optional.of(postgres.url()));
      LedgerCopies.move(place(), shared);
      assertEquals(1.5, spent(shared));
      assertEquals(LedgerError.Code.LEDGER_MISSING, refused(() -> charge(place(), 1)));
      charge(shared, 2);
      LedgerCopies.move(shared, place());
      assertEquals(2.5, spent(place()));
      charge(place(), 1);
      assertEquals(LedgerError.Code.LEDGER_MISSING, refused(() -> spent(shared)));
      LedgerCopies.backup(place(), backup);
    }
  }

  /** Copies the ledger with its anchor, as nobody should, and lets both go on. */
  private LedgerPlace forked() throws Exception {
    Path there = Files.createDirectory(folder.resolve("fork"));
    for (String name : new String[] {"rides.ledger", "rides.ledger.anchor"}) {
      Files.copy(folder.resolve(name), there.resolve(name));
    }
    return LedgerPlace.of(there.resolve("rides.yaml"), Optional.empty());
  }

  private void withoutState(Runnable act) {
    System.clearProperty(SeenLedgers.PROPERTY);
    act.run();
    state();
  }

  @Test
  void aLongerCopyThatWentAnotherWayIsRefusedUntilAChargeStandsForWhatItLacks() throws Exception {
    charge(place(), 2);
    LedgerPlace fork = forked();
    charge(place(), 3);
    withoutState(
        () -> {
          charge(fork, 8);
          LedgerCopies.backup(fork, backup);
        });
    // The ledger that is there is whole: no charge makes up for giving it away.
    LedgerError whole = assertThrows(LedgerError.class, () -> restore(Optional.of(cover("1.5"))));
    assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, whole.code());
    assertTrue(whole.message().contains("went another way"), whole.message());
    withoutState(
        () -> assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, refused(this::withoutCharge)));
    assertEquals(2.5, spent(place()));
    Files.delete(folder.resolve("rides.ledger"));
    Files.delete(folder.resolve("rides.ledger.anchor"));
    // Only the state folder knows.
    assertEquals(LedgerError.Code.LEDGER_ROLLED_BACK, refused(this::withoutCharge));
    assertTrue(restore(Optional.of(cover("1.5"))).missing().isPresent());
    assertEquals(6.5, spent(place()));
  }

  private void withoutCharge() {
    restore(Optional.empty());
  }

  @Test
  void aPlaceThatWasMovedFromIsNotCopiedRestoredRepairedOrMovedAgain() throws Exception {
    charge(place(), 2);
    LedgerCopies.backup(place(), backup);
    LedgerPlace to = file("second.ledger");
    LedgerCopies.move(place(), to);
    LedgerCopies.move(place(), to); // as after an interruption
    charge(to, 1);
    Path other = folder.resolve("other.ledger");
    assertEquals(
        LedgerError.Code.LEDGER_MISSING,
        refused(() -> LedgerCopies.move(place(), file("third.ledger"))));
    assertEquals(
        LedgerError.Code.LEDGER_MISSING, refused(() -> LedgerCopies.backup(place(), other)));
    withoutState(
        () ->
            assertEquals(
                LedgerError.Code.LEDGER_MISSING, refused(() -> restore(Optional.of(cover("1"))))));
    assertEquals(
        LedgerError.Code.LEDGER_MISSING, refused(() -> place().repair().acceptLoss("owner", "")));
    assertEquals(1.5, spent(to));
    // The place that took it is moved from too: the first one must not open it again.
    LedgerCopies.move(to, file("third.ledger"));
    refused(() -> LedgerCopies.move(place(), to));
    assertEquals(LedgerError.Code.LEDGER_MISSING, refused(() -> charge(to, 1)));
    LedgerCopies.move(file("third.ledger"), place());
    assertEquals(1.5, spent(place()));
  }

  private LedgerPlace file(String name) {
    return LedgerPlace.of(
        folder.resolve("rides.yaml"), Optional.of(folder.resolve(name).toString()));
  }

  @Test
  void aMoveLeavesTheAnchorOfAnotherLedgerAsItIs() throws Exception {
    charge(place(), 1);
    charge(file("other.ledger"), 2);
    Files.delete(folder.resolve("other.ledger"));
    byte[] before = Files.readAllBytes(folder.resolve("other.ledger.anchor"));
    refused(() -> LedgerCopies.move(place(), file("other.ledger")));
    assertArrayEquals(before, Files.readAllBytes(folder.resolve("other.ledger.anchor")));
    charge(place(), 1);
  }

  /** As the server says at its start: nothing was ever charged, bring the ledger. */
  @Test
  void aLedgerThatWasBegunBySomeStartGivesWay() throws Exception {
    charge(place(), 2);
    try (FreshPostgres postgres = FreshPostgres.durable()) {
      LedgerPlace from = place();
      Path renamed = Files.createDirectory(folder.resolve("renamed")).resolve("taxis.yaml");
      for (Optional<String> where :
          List.of(Optional.<String>empty(), Optional.of(postgres.url()))) {
        LedgerPlace to =
            LedgerPlace.of(
                renamed.resolveSibling(where.isEmpty() ? "taxis.yaml" : "shared.yaml"), where);
        Ledger early = open(to);
        LedgerCopies.move(from, to);
        assertThrows(LedgerError.class, () -> charge(early, 1));
        early.close();
        assertEquals(1.0, spent(to));
        from = to;
      }
    }
  }

  /** Killed when the other was closed and its anchor removed, it is done again. */
  @Test
  void aLedgerThatWasGivingWayIsMetAgain() throws Exception {
    charge(place(), 2);
    LedgerPlace to = file("early.ledger");
    open(to).close();
    try (LedgerStore store = to.ground().open()) {
      store.exclusively(
          session -> {
            session.moved(true);
            return null;
          });
    }
    LedgerCopies.move(place(), to);
    assertEquals(1.0, spent(to));
  }

  @Test
  void aLedgerWithAGrantGivesNoWay() {
    charge(place(), 2);
    LedgerPlace to = file("early.ledger");
    try (Ledger early = open(to)) {
      early.grant(TRIPS, BigDecimal.ONE, BigDecimal.ZERO, "owner", "");
    }
    assertEquals(
        LedgerError.Code.LEDGER_UNAVAILABLE, refused(() -> LedgerCopies.move(place(), to)));
    assertEquals(1.0, spent(place()));
  }

  @Test
  void aLedgerThatANewerVersionWroteIsNotTakenForNone() throws Exception {
    charge(place(), 1);
    LedgerCopies.backup(place(), backup);
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("rides.ledger"));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = 1000");
    }
    assertEquals(LedgerError.Code.LEDGER_NEWER, refused(() -> restore(Optional.of(cover("1")))));
  }

  @Test
  void aChargeOfNothingCoversNothing() {
    for (String epsilon : new String[] {"0", "-1"}) {
      assertEquals(
          ConfigurationError.Code.BAD_USAGE,
          assertThrows(ConfigurationError.class, () -> cover(epsilon)).code());
    }
  }

  /** Killed at several moments, it is done again, and nothing is lost or there twice. */
  @Test
  void aMoveThatIsKilledCanBeDoneAgain() throws Exception {
    charge(place(), 300);
    LedgerPlace from = place();
    for (int round = 0; round < 3; round++) {
      Path file = folder.resolve("moved" + round + ".ledger");
      Path seen = round == 1 ? file : file.resolveSibling(file.getFileName() + "-wal");
      killed(round > 0, seen, "move", from.file().orElseThrow(), file);
      LedgerPlace to = LedgerPlace.of(folder.resolve("rides.yaml"), Optional.of(file.toString()));
      LedgerCopies.move(from, to);
      assertEquals(150, spent(to));
      from = to;
    }
  }

  /** Killed at several moments: a copy that is there is whole; otherwise it is done again. */
  @Test
  void aBackupThatIsKilledLeavesNoHalfCopy() throws Exception {
    charge(place(), 300);
    for (String moment : List.of(".part", "", ".anchor", ".sha256")) {
      Path copy = folder.resolve("at" + moment + ".ledger");
      Path seen = folder.resolve(copy.getFileName() + moment);
      killed(true, seen, "backup", folder.resolve("rides.ledger"), copy);
      backup = copy;
      if (!Files.exists(copy)) {
        LedgerCopies.backup(place(), copy);
      }
      assertEquals(300, restore(Optional.empty()).copied().charges());
      assertEquals(150, spent(place()));
    }
  }

  /** Killed at several moments: nobody is answered from half of it, and it is done again. */
  @Test
  void aRestoreThatIsKilledIsDoneAgain() throws Exception {
    charge(place(), 300);
    String id = LedgerCopies.backup(place(), backup).ledger();
    Optional<KnownLedger> named = Optional.of(new KnownLedger(id, Optional.empty()));
    for (String moment : List.of("", ".anchor.restoring", ".repairing", "", ".anchor")) {
      for (String ending : List.of("", "-wal", "-shm", ".anchor")) {
        Files.deleteIfExists(folder.resolve("rides.ledger" + ending));
      }
      Path seen = folder.resolve("rides.ledger" + moment);
      killed(true, seen, "restore", backup, folder.resolve("rides.ledger"));
      try (Ledger ledger = place().open(Allowances.of(POLICY), false, named)) {
        assertEquals(150, ledger.standing(TRIPS).epsilonSpent().doubleValue(), "whole, or nothing");
      } catch (LedgerError e) {
        assertEquals(LedgerError.Code.LEDGER_MISSING, e.code());
      }
      restore(Optional.empty());
      assertEquals(150, spent(place()));
    }
  }

  /** Does it in a process of its own, which is killed once a file is there. */
  private void killed(boolean waits, Path seen, String what, Path from, Path to) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dflexdp.state=" + System.getProperty(SeenLedgers.PROPERTY),
                "-cp",
                System.getProperty("java.class.path"),
                Mover.class.getName(),
                what,
                folder.resolve("rides.yaml").toString(),
                from.toString(),
                to.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      while (lines.readLine() instanceof String line && !line.equals("begun")) {
        // warnings of the runtime
      }
      while (waits && process.isAlive() && !Files.exists(seen)) {
        Thread.onSpinWait();
      }
      process.destroyForcibly().waitFor();
    }
  }

  /** Copies, restores or moves a ledger in a process of its own. */
  static final class Mover {
    private Mover() {}

    public static void main(String[] arguments) {
      Path policy = Path.of(arguments[1]);
      System.out.println("begun");
      System.out.flush();
      switch (arguments[0]) {
        case "backup" -> LedgerCopies.backup(place(policy, arguments[2]), Path.of(arguments[3]));
        case "restore" ->
            LedgerCopies.restore(
                place(policy, arguments[3]),
                Path.of(arguments[2]),
                Optional.empty(),
                Optional.empty(),
                "owner",
                "test");
        default -> LedgerCopies.move(place(policy, arguments[2]), place(policy, arguments[3]));
      }
    }

    private static LedgerPlace place(Path policy, String file) {
      return LedgerPlace.of(policy, Optional.of(file));
    }
  }
}
