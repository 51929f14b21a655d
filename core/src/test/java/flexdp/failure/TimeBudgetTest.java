package flexdp.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {
  private static void steps(int count) {
    for (int i = 0; i < count; i++) {
      TimeBudget.step();
    }
  }

  @Test
  void whoeverWaitsIsAskedNowAndThen() {
    AtomicInteger looks = new AtomicInteger();
    steps(1_000);
    try (TimeBudget.Limit ignored = TimeBudget.limit(looks::incrementAndGet)) {
      steps(640);
    }
    steps(1_000);
    assertEquals(10, looks.get());
    assertEquals(Optional.empty(), TimeBudget.present());
  }

  @Test
  void allWhoWaitAreAskedAndNobodyForWhatIsCharged() {
    AtomicInteger outer = new AtomicInteger();
    Runnable over =
        () -> {
          throw new IllegalStateException("over");
        };
    try (TimeBudget.Limit one = TimeBudget.limit(outer::incrementAndGet);
        TimeBudget.Limit two = TimeBudget.limit(over)) {
      assertThrows(IllegalStateException.class, () -> steps(64));
      assertEquals(1, outer.get());
      try (TimeBudget.Limit none = TimeBudget.unlimited()) {
        steps(640);
      }
      assertThrows(IllegalStateException.class, () -> steps(64));
    }
    assertEquals(2, outer.get());
  }

  /** Writes down what it is told. */
  private record Told(List<String> all) implements TimeBudget.Waiting {
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
    try (TimeBudget.Limit outer = TimeBudget.limit(told);
        TimeBudget.Limit inner = TimeBudget.limit(() -> {})) {
      steps(64);
      try (TimeBudget.Limit aside = TimeBudget.aside()) {
        steps(640);
      }
      steps(64);
    }
    assertEquals(List.of("asked", "aside", "back", "asked"), told.all());
  }
}
