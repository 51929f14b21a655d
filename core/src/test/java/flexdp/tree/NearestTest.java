package flexdp.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {
  @Test
  void aSlipOfThePenFindsTheNameThatWasMeant() {
    List<String> known = List.of("trips", "drivers", "cities");
    assertEquals(Optional.of("trips"), Nearest.to("tirps", known));
    assertEquals(Optional.of("drivers"), Nearest.to("DRIVER", known));
    assertEquals(Optional.of("cities"), Nearest.to("citys", known));
  }

  @Test
  void aDifferentWordFindsNothing() {
    assertEquals(Optional.empty(), Nearest.to("payments", List.of("trips", "cities")));
    assertEquals(Optional.empty(), Nearest.to("x".repeat(1_000_000), List.of("trips")));
    assertEquals(Optional.empty(), Nearest.to("ab", List.of("xy")));
  }
}
