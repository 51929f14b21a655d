package flexdp.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
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

  /** Writes down what it is told. */
  private record Told(List<String> all) implements Patience.Waiting {
    @Override
    public void run() {
      all.add("asked");
    }

    @Override
    public void aside() {
      all.add("aside");
    }

    @Override
    public void back() {
      all.add("back");
    }
  }

  @Test
  void whatGoesAsideIsNobodysTime() {
    Told told = new Told(new ArrayList<>());
    try (Patience.Limit outer = Patience.limit(told);
        Patience.Limit inner = Patience.limit(() -> {})) {
      steps(64);
      try (Patience.Limit aside = Patience.aside()) {
        steps(640);
      }
      steps(64);
    }
    assertEquals(List.of("asked", "aside", "back", "asked"), told.all());
  }
}
