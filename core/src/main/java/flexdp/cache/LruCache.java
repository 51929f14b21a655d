package flexdp.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What was used lately, by key: what was used longest ago is forgotten first. Threads may share it.
 */
public final class LruCache<K, V> {
  private final Map<K, V> kept = new LinkedHashMap<>(64, 0.75f, true);
  private final int most;
  private final long heaviest;
  private final ToLongFunction<V> weighing;
  private long weight;

  /**
   * @param most how many are kept
   */
  public LruCache(int most) {
    this(most, 0, value -> 0);
  }

  /**
   * @param heaviest what all that is kept weighs at most
   * @param weighing gives the same for a value as long as it is kept
   */
  public LruCache(int most, long heaviest, ToLongFunction<V> weighing) {
    this.most = most;
    this.heaviest = heaviest;
    this.weighing = weighing;
  }

  public synchronized Optional<V> get(K key) {
    return Optional.ofNullable(kept.get(key));
  }

  public synchronized void put(K key, V value) {
    remove(key);
    kept.put(key, value);
    weight += weighing.applyAsLong(value);
    while (kept.size() > most || weight > heaviest) {
      remove(kept.keySet().iterator().next());
    }
  }

  public synchronized void remove(K key) {
    V gone = kept.remove(key);
    if (gone != null) {
      weight -= weighing.applyAsLong(gone);
    }
  }

  /** What is kept, or else is made now: two threads may make it at once. */
  public V of(K key, Supplier<? extends V> making) {
    Optional<V> known = get(key);
    if (known.isPresent()) {
      return known.get();
    }
    V made = making.get();
    put(key, made);
    return made;
  }
}
