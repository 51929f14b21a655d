package flexdp.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static void steps(int count) {
    for (int i = 0; i < count; i++) {
      Patience.step();
    }
  }

  @Test
  void whoeverWaitsIsAskedNowAndThen() {
    AtomicInteger looks = new AtomicInteger();
    steps(1_000);
    try (Patience.Limit ignored = Patience.limit(looks::incrementAndGet)) {
      steps(640);
    }
    steps(1_000);
    assertEquals(10, looks.get());
    assertEquals(Optional.empty(), Patience.present());
  }

  @Test
  void allWhoWaitAreAskedAndNobodyForWhatIsCharged() {
    AtomicInteger outer = new AtomicInteger();
    Runnable over =
        () -> {
          throw new IllegalStateException("over");
        };
    try (Patience.Limit one = Patience.limit(outer::incrementAndGet);
        Patience.Limit two = Patience.limit(over)) {
      assertThrows(IllegalStateException.class, () -> steps(64));
      assertEquals(1, outer.get());
      try (Patience.Limit none = Patience.unlimited()) {
        steps(640);
      }
      assertThrows(IllegalStateException.class, () -> steps(64));
    }
    assertEquals(2, outer.get());
  }
}
