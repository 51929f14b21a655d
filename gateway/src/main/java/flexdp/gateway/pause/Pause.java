package flexdp.gateway.pause;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * All sleeping of the program and of its tests. The system property {@code flexdp.test.pace}, 1
 * unless the tests say otherwise, makes every pause longer or shorter: what works at 0.1 and at 10
 * does not depend on how long somebody sleeps.
 */
public final class Pause {
  public static final String PROPERTY = "flexdp.test.pace";

  private static final double PACE = Double.parseDouble(System.getProperty(PROPERTY, "1"));
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  private Pause() {}

  /** Something that comes about while others work. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /** How much longer than usual pauses are. */
  public static double pace() {
    return PACE;
  }

  public static void of(Duration time) throws InterruptedException {
    Thread.sleep(paced(time));
  }

  /** For threads that have nowhere to tell that they were interrupted. */
  public static void quietly(Duration time) {
    try {
      of(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As short as it gets; an interruption ends it and stays. */
  public static void briefly(Duration time) {
    LockSupport.parkNanos(paced(time).toNanos());
  }

  /**
   * Looks again and again until a condition holds, so long at most or until it is interrupted.
   *
   * @return whether it holds
   */
  public static <E extends Exception> boolean until(Condition<E> condition, Duration most)
      throws E {
    // A limit is there for what hangs: a quick pace does not shorten it.
    long end = System.nanoTime() + (long) (most.toNanos() * Math.max(1, PACE));
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      quietly(LOOK_AGAIN);
    }
    return true;
  }

  private static Duration paced(Duration time) {
    return PACE == 1 ? time : Duration.ofNanos((long) (time.toNanos() * PACE));
  }
}
