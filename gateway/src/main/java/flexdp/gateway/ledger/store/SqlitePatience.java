package flexdp.gateway.ledger.store;

import flexdp.gateway.pause.Pause;
import java.time.Duration;
import org.sqlite.BusyHandler;

/**
 * Waits for the lock of another process by asking again every half millisecond. SQLite's own
 * waiting grows to a tenth of a second, in which a busy process takes the lock a hundred times.
 */
final class SqlitePatience extends BusyHandler {
  private static final Duration PAUSE = Duration.ofNanos(500_000);

  private final long most;
  private long since;

  SqlitePatience(Duration most) {
    this.most = most.toNanos();
  }

  @Override
  protected int callback(int asked) {
    if (asked == 0) {
      since = System.nanoTime();
    }
    if (System.nanoTime() - since > most) {
      return 0;
    }
    Pause.briefly(PAUSE);
    return 1;
  }
}
