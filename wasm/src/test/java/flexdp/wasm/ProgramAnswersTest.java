package flexdp.wasm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.ProgramRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs over a table, from the question to the noisy answer. */
class ProgramAnswersTest {
  /** With so much ε hardly any noise is left. */
  private static final double LOUD = 5_000;

  private static final String OVER = "SELECT id, km, fare FROM trips";

  @TempDir Path folder;
  private TripsPrograms trips;

  @BeforeEach
  void slopes() throws IOException, SQLException {
    trips =
        new TripsPrograms(
            folder,
            Wat.bytes(Files.readString(Path.of("../docs/slope.wat"))),
            "INSERT INTO trips SELECT i, i % 50, (i * 37 % 200) / 10.0, 3 + 2.5 * ((i * 37 % 200) /"
                + " 10.0), 'completed', DATE '2026-01-01' FROM range(20000) t(i)",
            "INSERT INTO trips SELECT 20000 + i, 1, NULL, 499, 'lost', NULL FROM range(100) t(i)",
            "INSERT INTO drivers SELECT i, i / 10.0 FROM range(50) t(i)");
  }

  private static double number(AnalystView view, int row, int column) {
    return ((Number) view.rows().get(row).get(column)).doubleValue();
  }

  @Test
  void theMedianOfBlocksIsTheSlopeOfTheDocumentedExample() {
    try (FlexDp flexdp = trips.open()) {
      AnalystView view = flexdp.ask(trips.blocks(OVER, 400, "id", false, 1, "slope:0:10"));
      assertEquals("slope", view.columns().getFirst().column().name());
      assertEquals(2.5, number(view, 0, 0), 0.1);
      assertEquals(1, view.epsilon().doubleValue());
      assertFalse(view.repeat());
    }
  }

  @Test
  void theModuleBesideTheTextIsWhatTheTextSays() throws IOException {
    for (String name : List.of("slope", "kinds")) {
      assertArrayEquals(
          Wat.bytes(Files.readString(Path.of("../docs/" + name + ".wat"))),
          Files.readAllBytes(Path.of("../docs/" + name + ".wasm")),
          name);
    }
  }

  @Test
  void theMeanIsOverAllBlocksEmptyOnesAtTheDefault() {
    try (FlexDp flexdp = trips.open()) {
      AnalystView full = flexdp.ask(trips.blocks(OVER, 400, "id", true, LOUD, "slope:0:10"));
      assertEquals(2.5, number(full, 0, 0), 0.01);
      // Fifty drivers fill few of a thousand blocks.
      AnalystView few =
          flexdp.ask(
              trips.blocks(
                  "SELECT driver_id, km, fare FROM trips",
                  1_000,
                  "driver_id",
                  true,
                  LOUD,
                  "slope:0:10:7"));
      double filled = (7 - number(few, 0, 0)) / (7 - 2.5) * 1_000;
      assertTrue(filled > 35 && filled < 51, "blocks " + filled);
    }
  }

  @Test
  void eachAnswerIsChargedWhereNothingWasMeasuredAndExplainingIsFree() {
    try (FlexDp flexdp = trips.open()) {
      ProgramRequest asked = trips.blocks(OVER, 40, "id", false, 2, "slope:0:10");
      AnalystView first = flexdp.ask(asked);
      AnalystView second = flexdp.ask(asked);
      assertFalse(first.repeat() || second.repeat());
      assertEquals(4, spent(flexdp), 1e-9);
      Explanation explained = flexdp.explain(asked);
      assertEquals(4, spent(flexdp), 1e-9);
      assertEquals("trips", explained.charged());
      assertTrue(explained.operators().stream().anyMatch(line -> line.contains("S-GROUP")));
    }
  }

  private static double spent(FlexDp flexdp) {
    return flexdp.ledger().standing(new Account.Table("trips")).epsilonSpent().doubleValue();
  }

  @Test
  void overAJoinBlocksByItsKeyHaveAConstantBoundAndOthersAreRefused() {
    String over =
        "SELECT t.driver_id, t.id, t.km, d.rating FROM trips t JOIN drivers d ON t.driver_id ="
            + " d.id";
    try (FlexDp flexdp = trips.open()) {
      String pair = "SELECT driver_id, km, rating FROM (" + over + ") z";
      Explanation fine =
          flexdp.explain(trips.blocks(pair, 40, "driver_id", false, 1, "slope:0:10"));
      assertEquals("0.1 × (10)", fine.noise().getFirst().formula());
      String other = "SELECT id, km, rating FROM (" + over + ") z";
      Rejection refusal =
          assertThrows(
              Rejection.class,
              () -> flexdp.explain(trips.blocks(other, 40, "id", false, 1, "slope:0:10")));
      assertTrue(
          List.of(RejectionCode.SENSITIVITY_NOT_PUBLIC, RejectionCode.MISSING_METRIC)
              .contains(refusal.code()));
    }
  }

  @Test
  void whatIsNotRegisteredIsNotRun() throws IOException {
    trips.policy("0".repeat(64));
    try (FlexDp flexdp = trips.open()) {
      ProgramRequest asked = trips.blocks(OVER, 40, "id", false, 1, "slope:0:10");
      Rejection refusal = assertThrows(Rejection.class, () -> flexdp.ask(asked));
      assertEquals(RejectionCode.PROGRAM_UNKNOWN, refusal.code());
    }
  }

  @Test
  void rowsThatCannotBeReadAreRefusedBeforeTheyAreCharged() {
    try (FlexDp flexdp = trips.open()) {
      refused(flexdp, RejectionCode.TYPE_MISMATCH, "SELECT id, km, status FROM trips", "id");
      refused(flexdp, RejectionCode.PROGRAM_INVALID, "SELECT id, km FROM trips", "id");
      refused(flexdp, RejectionCode.PROGRAM_INVALID, "SELECT id, km, fare, day FROM trips", "id");
      refused(flexdp, RejectionCode.UNKNOWN_COLUMN, OVER, "driver_id");
      refused(flexdp, RejectionCode.UNKNOWN_TABLE, "SELECT id, km, fare FROM secrets", "id");
      refused(flexdp, RejectionCode.SYNTAX, "SELECT id, km, fare FROM trips) z, (SELECT 1", "id");
      refused(flexdp, RejectionCode.UNSUPPORTED, "SELECT 1 AS id, 2 AS km, 3 AS fare", "id");
      assertEquals(0, spent(flexdp));
    }
  }

  private void refused(FlexDp flexdp, RejectionCode code, String over, String by) {
    ProgramRequest asked = trips.blocks(over, 40, by, false, 1, "slope:0:10");
    Rejection refusal = assertThrows(Rejection.class, () -> flexdp.ask(asked), over);
    assertEquals(code, refusal.code(), over);
  }
}
