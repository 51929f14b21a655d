package flexdp.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  @Test
  void aSlipOfThePenFindsTheNameThatWasMeant() {
    List<String> known = List.of("trips", "drivers", "cities");
    assertEquals(Optional.of("trips"), NearestName.to("tirps", known));
    assertEquals(Optional.of("drivers"), NearestName.to("DRIVER", known));
    assertEquals(Optional.of("cities"), NearestName.to("citys", known));
  }

  @Test
  void aDifferentWordFindsNothing() {
    assertEquals(Optional.empty(), NearestName.to("payments", List.of("trips", "cities")));
    assertEquals(Optional.empty(), NearestName.to("x".repeat(1_000_000), List.of("trips")));
    assertEquals(Optional.empty(), NearestName.to("ab", List.of("xy")));
  }
}
