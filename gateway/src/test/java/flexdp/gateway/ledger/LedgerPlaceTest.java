package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.LedgerError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One rule for names, which never begins a second budget beside a ledger of the former name. */
class LedgerPlaceTest {
  private static final Allowances SOME = Allowances.eachTable(Allowance.basic("1", "0.1"));

  @TempDir Path folder;

  private LedgerPlace place(String policy) {
    return LedgerPlace.of(folder.resolve(policy), Optional.empty());
  }

  private Path file(String policy) {
    return place(policy).file().orElseThrow();
  }

  private void begin(String ledger) {
    LedgerOpening.file(folder.resolve(ledger), SOME, false).close();
  }

  @Test
  void theNameGoesUpToTheLastDot() {
    for (String policy : new String[] {"rides.yaml", "rides.json", "rides.conf", "rides"}) {
      assertEquals(folder.resolve("rides.ledger"), file(policy), policy);
    }
    assertEquals(folder.resolve("rides.v2.ledger"), file("rides.v2.yaml"));
  }

  @Test
  void aLedgerOfTheFormerNameGoesOn() {
    begin("rides.conf.ledger");
    assertEquals(folder.resolve("rides.conf.ledger"), file("rides.conf"));
    assertFalse(place("rides.conf").isNew());
    assertEquals(folder.resolve("rides.ledger"), file("rides.yaml"));
    begin("RIDES.YAML.ledger");
    assertEquals(folder.resolve("RIDES.YAML.ledger"), file("RIDES.YAML"));
    begin(".ledger");
    assertEquals(folder.resolve(".ledger"), file(".yaml"));
  }

  @Test
  void aLedgerOfTheFormerNameThatIsGoneIsMissedAndNotBegunAnew() throws Exception {
    begin("rides.conf.ledger");
    Files.delete(folder.resolve("rides.conf.ledger"));
    LedgerError e =
        assertThrows(LedgerError.class, () -> place("rides.conf").open(SOME, false).close());
    assertEquals(LedgerError.Code.LEDGER_MISSING, e.code());
    assertFalse(Files.exists(folder.resolve("rides.ledger")));
  }

  @Test
  void nobodyGuessesWhichOfTwoHoldsTheCharges() throws Exception {
    begin("rides.conf.ledger");
    begin("rides.ledger");
    ConfigurationError e = assertThrows(ConfigurationError.class, () -> place("rides.conf"));
    assertTrue(e.message().contains("rides.conf.ledger"), e.message());
    Files.delete(folder.resolve("rides.ledger"));
    assertThrows(ConfigurationError.class, () -> place("rides.conf"));
    assertEquals(folder.resolve("rides.ledger"), file("rides.yaml"));
    Path chosen = folder.resolve("rides.conf.ledger");
    assertEquals(
        Optional.of(chosen),
        LedgerPlace.of(folder.resolve("rides.conf"), Optional.of(chosen.toString())).file());
  }

  /** Charges that are on record elsewhere are no less charged because this one has some too. */
  @Test
  void aLedgerThatIsUsedByOthersIsNotTheOneThatMetricsName() throws Exception {
    KnownLedger own = place("rides.yaml").begun(SOME, Optional.empty());
    try (Ledger other = place("other.yaml").open(SOME, false)) {
      other.reserve(Requests.pure("0.5", "trips"));
    }
    LedgerError refused =
        assertThrows(
            LedgerError.class,
            () -> place("other.yaml").open(SOME, false, Optional.of(own)).close());
    assertEquals(LedgerError.Code.LEDGER_MISSING, refused.code());
    place("rides.yaml").open(SOME, false, Optional.of(own)).close();
  }

  @Test
  void theAnchorOfASharedLedgerKeepsItsFormerNameToo() {
    begin("rides.conf.ledger");
    LedgerPlace place =
        LedgerPlace.of(folder.resolve("rides.conf"), Optional.of("jdbc:postgresql://h/d"));
    assertEquals(folder.resolve("rides.conf.ledger.anchor"), place.anchor());
  }
}
