package flexdp.gateway;

import flexdp.gateway.pause.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The one way in which tests wait: for a condition, however slow the machine is.
 *
 * <p>Nothing that a test asserts may hang on how long a pause is. The system property {@code
 * flexdp.test.pace} makes all of them shorter or longer ({@code 0.1}, {@code 10}), to show it.
 */
public final class Await {
  /** Longer than anything takes that ever comes, also on one busy core. */
  public static final Duration LIMIT = Duration.ofMinutes(10);

  private static final long FIRST_NANOS = 1_000_000;
  private static final long WIDEST_NANOS = 50_000_000;

  private Await() {}

  /** Waits until a condition holds; a condition that throws ends the wait with what it throws. */
  public static void until(Callable<Boolean> condition, String what) {
    value(() -> condition.call() ? Optional.of(true) : Optional.empty(), what);
  }

  /** Waits for a value. */
  public static <T> T value(Callable<Optional<T>> source, String what) {
    long started = System.nanoTime();
    long pause = FIRST_NANOS;
    while (true) {
      Optional<T> value = called(source, what);
      if (value.isPresent()) {
        return value.get();
      }
      if (System.nanoTime() - started > LIMIT.toNanos()) {
        throw new AssertionError("waited " + LIMIT.toMinutes() + " minutes in vain until " + what);
      }
      pause(Duration.ofNanos(pause));
      pause = Math.min(2 * pause, WIDEST_NANOS);
    }
  }

  private static <T> T called(Callable<T> source, String what) {
    try {
      return source.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("while waiting until " + what, e);
    }
  }

  /** Gives others a while, times the pace. Whatever is asserted must hold without it, too. */
  public static void pause(Duration about) {
    try {
      Pause.of(about);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }

  /** Passes the pace on to a Java process. */
  public static String paceOption() {
    return "-D" + Pause.PROPERTY + "=" + Pause.pace();
  }
}
