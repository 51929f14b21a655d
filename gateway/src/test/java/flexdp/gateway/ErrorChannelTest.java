package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A question that would fail because of one row, and so tell of it, is not asked. */
class ErrorChannelTest {
  @TempDir Path folder;

  private SmallRides rides() throws Exception {
    return new SmallRides(folder, () -> new SmallRides.Replayed(3), SmallRides.POLICY, List.of());
  }

  /** A text that is 64 to the power of {@code levels} long for Ann and short for all others. */
  private static String grown(int levels) {
    String text = "REPLACE(name, 'Ann', '" + "n".repeat(64) + "')";
    for (int i = 1; i < levels; i++) {
      text = "REPLACE(" + text + ", 'n', '" + "n".repeat(64) + "')";
    }
    return text;
  }

  @Test
  void aTextThatGrowsForOneRowIsRefusedBeforeAnythingIsSpent() throws Exception {
    try (SmallRides rides = rides()) {
      for (int levels : new int[] {1, 2, 7}) {
        QueryRequest request =
            QueryRequest.of(
                "SELECT COUNT(*) FROM drivers WHERE " + grown(levels) + " = 'x'", "eve");
        Rejection e = assertThrows(Rejection.class, () -> rides.gateway.ask(request));
        assertEquals(RejectionCode.TOO_COMPLEX, e.code());
        assertTrue(e.hint().contains("LEFT("), e.hint());
      }
      assertEquals(List.of(), rides.log, "the database was not asked");
    }
  }

  @Test
  void ordinaryTextsAreAnswered() throws Exception {
    try (SmallRides rides = rides()) {
      for (String condition :
          List.of(
              "REPLACE(d.name, '-', '') = 'Ann'",
              "CONCAT(d.name, ' ', c.name, ' ', d.city_id) = 'Ann SF 1'",
              "UPPER(d.name || c.name) LIKE 'A%'")) {
        AnalystView view =
            rides.gateway.ask(
                QueryRequest.of(
                    "SELECT COUNT(*) FROM drivers d JOIN cities c ON d.city_id = c.id WHERE "
                        + condition,
                    "ann"));
        assertEquals(1, view.rows().size());
      }
    }
  }
}
