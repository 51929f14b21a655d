package flexdp.server.door;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many connections each user has; nobody takes all of them. */
final class Seats {
  private final int most;
  private final Map<String, Integer> taken = new ConcurrentHashMap<>();

  Seats(int most) {
    this.most = most;
  }

  /** Whether there was one left for this user. */
  boolean take(String user) {
    if (taken.merge(user, 1, Integer::sum) > most) {
      leave(user);
      return false;
    }
    return true;
  }

  void leave(String user) {
    taken.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }
}
