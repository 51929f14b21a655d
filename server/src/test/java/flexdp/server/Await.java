package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import java.time.Duration;

/** Waiting in tests: for a condition, with a limit that only something which hangs can reach. */
public final class Await {
  private static final Duration HANGS = Duration.ofMinutes(5);

  private Await() {}

  public static <E extends Exception> void until(Pause.Condition<E> condition, String what)
      throws E {
    assertTrue(Pause.until(condition, HANGS), () -> what + ": not after " + HANGS);
  }
}
