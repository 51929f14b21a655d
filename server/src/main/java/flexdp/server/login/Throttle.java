package flexdp.server.login;

import flexdp.cache.LruCache;
import flexdp.gateway.pause.Pause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Slows down guessing, and nobody else. A right password is answered at once, whoever guessed from
 * the same address before: behind a proxy or a BI server everybody has one address. A wrong one is
 * answered later each time. Whoever guesses may leave before the answer comes, so a delay alone
 * would bound nothing: until it is over, the guess keeps its place, and there are few places for a
 * name from an address, and some more for all names from it. With {@value #OF_ONE_NAME} places and
 * a delay of 6.4 seconds, fewer than two passwords a second are tried for a name from an address.
 * Only while all places are taken does a right password wait for one, with few others, and not as
 * long as a login may take; whoever comes when enough wait is refused at once. Names are not
 * counted over all addresses: strangers could keep their owners out. Names that are not known count
 * like others.
 */
public final class Throttle {
  static final int OF_ONE_NAME = 8;
  static final int OF_ONE_ADDRESS = 64;

  /** Who waits holds a connection that nobody has vouched for. */
  static final int WAITING_OF_ONE_ADDRESS = 32;

  private static final int REMEMBERED = 10_000;
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);
  private static final long FIRST_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 6;

  /** With the delay of a wrong guess less than the half minute in which a login has to be over. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

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
  private final Duration longest;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();
  private final Map<String, Integer> waiting = new HashMap<>();
  private final Map<Guesser, Integer> guessing = new HashMap<>();
  private final Map<String, Integer> addresses = new HashMap<>();
  private final LruCache<Guesser, Failures> failures = new LruCache<>(REMEMBERED);

  public Throttle(Clock clock) {
    this(clock, Pause::quietly, LONGEST_WAIT);
  }

  /**
   * @param pause how a wrong guess waits
   * @param longest how long a guess waits for a place
   */
  Throttle(Clock clock, Consumer<Duration> pause, Duration longest) {
    this.clock = clock;
    this.pause = pause;
    this.longest = longest;
  }

  /**
   * Looks whether a secret is right. If it is wrong, the caller waits here.
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

  private void take(Guesser guesser) {
    lock.lock();
    try {
      if (isFull(guesser)) {
        await(guesser);
      }
      guessing.merge(guesser, 1, Integer::sum);
      addresses.merge(guesser.address(), 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull(Guesser guesser) {
    return guessing.getOrDefault(guesser, 0) >= OF_ONE_NAME
        || addresses.getOrDefault(guesser.address(), 0) >= OF_ONE_ADDRESS;
  }

  /** Waits for a place, if not too many from the address do so already. */
  private void await(Guesser guesser) {
    if (waiting.getOrDefault(guesser.address(), 0) >= WAITING_OF_ONE_ADDRESS) {
      throw new Crowded();
    }
    waiting.merge(guesser.address(), 1, Integer::sum);
    try {
      long nanos = longest.toNanos();
      while (isFull(guesser)) {
        if (nanos <= 0) {
          throw new Crowded();
        }
        nanos = left.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Crowded();
    } finally {
      less(waiting, guesser.address());
    }
  }

  private static <K> void less(Map<K, Integer> counts, K key) {
    counts.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1);
  }

  private void giveBack(Guesser guesser) {
    lock.lock();
    try {
      less(guessing, guesser);
      less(addresses, guesser.address());
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many from an address wait for a place. */
  int waiting(String address) {
    lock.lock();
    try {
      return waiting.getOrDefault(address, 0);
    } finally {
      lock.unlock();
    }
  }

  /** How long the answer to this wrong guess has to wait. */
  private Duration failed(Guesser guesser) {
    lock.lock();
    try {
      int before =
          failures
              .get(guesser)
              .filter(known -> !known.last().plus(FORGOTTEN).isBefore(clock.instant()))
              .map(Failures::count)
              .orElse(0);
      failures.put(guesser, new Failures(before + 1, clock.instant()));
      return before == 0
          ? Duration.ZERO
          : Duration.ofMillis(FIRST_MILLIS << Math.min(before - 1, MOST_DOUBLINGS));
    } finally {
      lock.unlock();
    }
  }
}
