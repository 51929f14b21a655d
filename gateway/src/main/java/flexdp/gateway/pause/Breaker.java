package flexdp.gateway.pause;

import java.time.Duration;

/**
 * A circuit breaker: whether a server of somebody else is there. What is away is waited for, as
 * servers restart; after that nobody waits, and nothing is held, until it is back.
 */
public final class Breaker {
  /** How long what is away is waited for, unless somebody says otherwise. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Between two attempts once nobody waits any longer. */
  private static final Duration BETWEEN = Duration.ofSeconds(1);

  private final Duration patience;
  private boolean away;
  private long since;
  private long tried;

  /**
   * @param patience how long what is away is waited for
   */
  public Breaker(Duration patience) {
    this.patience = patience;
  }

  public Duration patience() {
    return patience;
  }

  /** Notes that the server was reached. */
  public synchronized void came() {
    away = false;
  }

  /** An attempt to reach it failed. */
  public synchronized void failed() {
    tried = System.nanoTime();
    since = away ? since : tried;
    away = true;
  }

  /** Whether the last attempt failed. */
  public synchronized boolean isAway() {
    return away;
  }

  /** Whether it has been away for so long that nobody waits any longer. */
  public synchronized boolean isOpen() {
    return away && System.nanoTime() - since >= patience.toNanos();
  }

  /** Whether another attempt may be made: not at once after one that failed when it is open. */
  public synchronized boolean mayTry() {
    return !isOpen() || System.nanoTime() - tried >= BETWEEN.toNanos();
  }
}
