package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void asksUntilItHolds() {
    AtomicInteger asked = new AtomicInteger();
    Await.until(() -> asked.incrementAndGet() == 5, "asked five times");
    assertEquals(5, asked.get());
    assertEquals(
        6, Await.value(() -> Optional.of(asked.incrementAndGet()).filter(n -> n > 5), "six"));
  }

  @Test
  void whatTheConditionThrowsEndsTheWait() {
    AssertionError error = new AssertionError("already over");
    assertSame(
        error,
        assertThrows(
            AssertionError.class,
            () ->
                Await.until(
                    () -> {
                      throw error;
                    },
                    "never")));
  }
}
