package flexdp.experiments.utility;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClassesTest {
  @Test
  void anErrorBelongsToTheClassThatEndsAboveIt() {
    assertEquals(0, Classes.of(0.99));
    assertEquals(1, Classes.of(1));
    assertEquals(4, Classes.of(99.9));
    assertEquals(5, Classes.of(100));
  }

  @Test
  void sharesAddUpToAHundred() {
    assertEquals(
        List.of(50.0, 0.0, 25.0, 0.0, 0.0, 25.0), Classes.shares(List.of(0.1, 0.2, 7.0, 1e9)));
  }
}
