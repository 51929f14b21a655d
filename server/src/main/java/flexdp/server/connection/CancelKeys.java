package flexdp.server.connection;

import flexdp.server.login.Secrets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which connection may be told to stop what it does, and the key that it takes. A wrong key does
 * nothing and says nothing, as in PostgreSQL.
 */
final class CancelKeys {
  /** A connection's number and key. */
  record Key(int process, int secret) {}

  private final AtomicInteger numbers = new AtomicInteger(1_000);
  private final Map<Key, Runnable> running = new ConcurrentHashMap<>();

  Key add(Runnable cancel) {
    Key key = new Key(numbers.incrementAndGet(), Secrets.randomInt());
    running.put(key, cancel);
    return key;
  }

  void remove(Key key) {
    running.remove(key);
  }

  /** Whether there is such a connection. */
  boolean cancel(Key key) {
    Runnable cancel = running.get(key);
    if (cancel != null) {
      cancel.run();
    }
    return cancel != null;
  }
}
