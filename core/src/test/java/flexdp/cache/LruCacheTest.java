package flexdp.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LruCacheTest {
  @Test
  void whatWasUsedLongestAgoIsForgottenFirst() {
    LruCache<String, Integer> recent = new LruCache<>(2);
    recent.put("a", 1);
    recent.put("b", 2);
    recent.get("a");
    recent.put("c", 3);
    assertEquals(Optional.of(1), recent.get("a"));
    assertEquals(Optional.empty(), recent.get("b"));
    assertEquals(Optional.of(3), recent.get("c"));
  }

  @Test
  void whatIsHeavierThanAllMayBeIsNotKept() {
    LruCache<String, Integer> recent = new LruCache<>(9, 10, weight -> weight);
    recent.put("a", 4);
    recent.put("b", 11);
    assertEquals(Optional.empty(), recent.get("b"));
    recent.put("c", 10);
    assertEquals(Optional.of(10), recent.get("c"));
  }

  /** Beside a list that is searched from its beginning. */
  @Test
  void randomUsesAgreeWithAListOfKeys() {
    Random random = new Random(7);
    LruCache<Integer, Integer> recent = new LruCache<>(5, 40, weight -> weight);
    Deque<Integer> order = new ArrayDeque<>();
    Map<Integer, Integer> values = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      int key = random.nextInt(12);
      switch (random.nextInt(4)) {
        case 0 -> {
          recent.remove(key);
          order.remove(key);
          values.remove(key);
        }
        case 1 -> {
          int value = random.nextInt(15);
          recent.put(key, value);
          order.remove(key);
          order.addLast(key);
          values.put(key, value);
          while (order.size() > 5 || values.values().stream().mapToInt(v -> v).sum() > 40) {
            values.remove(order.removeFirst());
          }
        }
        default -> {
          assertEquals(Optional.ofNullable(values.get(key)), recent.get(key));
          if (order.remove(key)) {
            order.addLast(key);
          }
        }
      }
    }
  }

  @Test
  void threadsShareIt() throws Exception {
    LruCache<Integer, Integer> recent = new LruCache<>(20, 1_000, weight -> weight);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(t);
      tasks.add(
          () -> {
            boolean right = true;
            for (int i = 0; i < 20_000; i++) {
              int key = random.nextInt(60);
              right &= recent.of(key, () -> 3 * key) == 3 * key;
            }
            return right;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (Future<Boolean> right : threads.invokeAll(tasks)) {
        assertTrue(right.get());
      }
    } finally {
      threads.shutdownNow();
    }
    int kept = 0;
    for (int key = 0; key < 60; key++) {
      kept += recent.get(key).isPresent() ? 1 : 0;
    }
    assertTrue(kept > 0 && kept <= 20, "kept " + kept);
  }
}
