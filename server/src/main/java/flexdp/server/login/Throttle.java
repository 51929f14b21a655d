package flexdp.server.login;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows down guessing: after each wrong password the next answer to the same address, or for the
 * same name, comes later. Names that are not known count like others.
 */
public final class Throttle {
  private static final int REMEMBERED = 10_000;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);
  private static final long FIRST_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 6;

  /** Guesses that came from one place. */
  private record Failures(int count, Instant last) {}

  private final Clock clock;
  private final Map<String, Failures> failures =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > REMEMBERED;
        }
      };

  public Throttle(Clock clock) {
    this.clock = clock;
  }

  /** How long to wait before the next answer. */
  public synchronized Duration delay(String address, String name) {
    int most = Math.max(count("a" + address), count("n" + name));
    return most == 0
        ? Duration.ZERO
        : Duration.ofMillis(FIRST_MILLIS << Math.min(most - 1, MOST_DOUBLINGS));
  }

  public synchronized void failed(String address, String name) {
    for (String key : new String[] {"a" + address, "n" + name}) {
      failures.put(key, new Failures(count(key) + 1, clock.instant()));
    }
  }

  /** The right password; the address may still be guessing other names. */
  public synchronized void succeeded(String name) {
    failures.remove("n" + name);
  }

  private int count(String key) {
    Failures known = failures.get(key);
    return known == null || known.last().plus(FORGOTTEN).isBefore(clock.instant())
        ? 0
        : known.count();
  }
}
