package flexdp.server.login;

import flexdp.gateway.pause.Pause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Slows down guessing, and nobody else. A right password is answered at once, whoever guessed from
 * the same address before: behind a proxy or a BI server everybody has one address. A wrong one is
 * answered later each time. Whoever guesses may leave before the answer comes, so a delay alone
 * would bound nothing: until it is over, the guess keeps its place, and there are few places for a
 * name from an address, and some more for all names from it. With {@value #OF_ONE_NAME} places and
 * a delay of 6.4 seconds, fewer than two passwords a second are tried for a name from an address.
 * Only while all places are taken does a right password wait for one. Names are not counted over
 * all addresses: strangers could keep their owners out. Names that are not known count like others.
 */
public final class Throttle {
  static final int OF_ONE_NAME = 8;
  static final int OF_ONE_ADDRESS = 64;

  private static final int REMEMBERED = 10_000;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);
  private static final long FIRST_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 6;
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** All places for guesses from an address were taken all the time. */
  public static final class Crowded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Crowded() {
      super(
          "too many wrong passwords come from your address; try again in a minute",
          null,
          false,
          false);
    }
  }

  /** Guesses that came from one place. */
  private record Failures(int count, Instant last) {}

  private record Guesser(String address, String name) {}

  private final Clock clock;
  private final Consumer<Duration> pause;
  private final Map<Guesser, Integer> guessing = new HashMap<>();
  private final Map<String, Integer> addresses = new HashMap<>();
  private final Map<Guesser, Failures> failures =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Guesser, Failures> eldest) {
          return size() > REMEMBERED;
        }
      };

  public Throttle(Clock clock) {
    this(clock, Pause::quietly);
  }

  /**
   * @param pause how a wrong guess waits
   */
  Throttle(Clock clock, Consumer<Duration> pause) {
    this.clock = clock;
    this.pause = pause;
  }

  /**
   * Looks whether a secret is right. If it is wrong, whoever asks waits here.
   *
   * @param check gives what the secret opens; nothing for a wrong one
   * @throws Crowded when it was not looked at
   */
  public <T> Optional<T> guess(String address, String name, Supplier<Optional<T>> check) {
    Guesser guesser = new Guesser(address, name);
    take(guesser);
    try {
      Optional<T> opened = check.get();
      if (opened.isEmpty()) {
        pause.accept(failed(guesser));
      }
      return opened;
    } finally {
      giveBack(guesser);
    }
  }

  private synchronized void take(Guesser guesser) {
    long end = System.nanoTime() + LONGEST_WAIT_NANOS;
    while (guessing.getOrDefault(guesser, 0) >= OF_ONE_NAME
        || addresses.getOrDefault(guesser.address(), 0) >= OF_ONE_ADDRESS) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new Crowded();
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Crowded();
      }
    }
    guessing.merge(guesser, 1, Integer::sum);
    addresses.merge(guesser.address(), 1, Integer::sum);
  }

  private synchronized void giveBack(Guesser guesser) {
    guessing.computeIfPresent(guesser, (g, n) -> n == 1 ? null : n - 1);
    addresses.computeIfPresent(guesser.address(), (a, n) -> n == 1 ? null : n - 1);
    notifyAll();
  }

  /** How long the answer to this wrong guess has to wait. */
  private synchronized Duration failed(Guesser guesser) {
    Failures known = failures.get(guesser);
    boolean old = known == null || known.last().plus(FORGOTTEN).isBefore(clock.instant());
    int before = old ? 0 : known.count();
    failures.put(guesser, new Failures(before + 1, clock.instant()));
    return before == 0
        ? Duration.ZERO
        : Duration.ofMillis(FIRST_MILLIS << Math.min(before - 1, MOST_DOUBLINGS));
  }
}
