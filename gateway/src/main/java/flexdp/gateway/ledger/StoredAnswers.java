package flexdp.gateway.ledger;

import flexdp.cache.LruCache;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.LedgerStore.AnswerRows;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Released answers of a ledger: found lately, not written yet, or in its store. */
final class StoredAnswers implements AnswerStore {
  private final RecentAnswers recent = new RecentAnswers();
  private final LedgerStore store;
  private final ReentrantLock lock;
  private final PendingSettlements settlements;

  /**
   * @param lock under which the store is used
   */
  StoredAnswers(LedgerStore store, ReentrantLock lock, PendingSettlements settlements) {
    this.store = store;
    this.lock = lock;
    this.settlements = settlements;
  }

  void add(ReleasedAnswer answer) {
    recent.add(answer);
  }

  @Override
  public List<ReleasedAnswer> find(String key, String snapshot) {
    List<ReleasedAnswer> known = recent.find(key, snapshot);
    if (!known.isEmpty()) {
      return known;
    }
    lock.lock();
    try {
      List<ReleasedAnswer> found =
          new ArrayList<>(unwritten(a -> a.key().equals(key) && a.snapshot().equals(snapshot)));
      found.addAll(store.reading(session -> session.find(key, snapshot)));
      recent.keep(key, snapshot, found);
      return List.copyOf(found);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<ReleasedAnswer> family(String family, String snapshot, Optional<String> analyst) {
    List<ReleasedAnswer> known = recent.family(family, snapshot, analyst);
    if (!known.isEmpty() || family.isEmpty()) {
      return known;
    }
    lock.lock();
    try {
      List<ReleasedAnswer> found =
          new ArrayList<>(
              unwritten(
                  a ->
                      a.family().equals(family)
                          && a.snapshot().equals(snapshot)
                          && analyst.map(a.analyst()::equals).orElse(true)));
      found.addAll(store.reading(session -> session.family(family, snapshot, analyst)));
      recent.keepFamily(family, snapshot, analyst, found);
      return List.copyOf(found);
    } finally {
      lock.unlock();
    }
  }

  /** Answers released here that are not in the store yet, newest first; under the lock. */
  private List<ReleasedAnswer> unwritten(Predicate<ReleasedAnswer> wanted) {
    return settlements.waiting().reversed().stream()
        .flatMap(ending -> ending.answers().stream())
        .filter(wanted)
        .toList();
  }

  /** Answers found or released lately, in memory; safe for several threads. */
  static final class RecentAnswers {
    private static final int MOST = 2_000;
    private static final long MOST_CHARACTERS = 32_000_000;

    private enum By {
      KEY,
      FAMILY
    }

    /** The answers of one analyst, or those of all. */
    private record Place(By by, String name, String snapshot, Optional<String> analyst) {
      static Place ofKey(String key, String snapshot) {
        return new Place(By.KEY, key, snapshot, Optional.empty());
      }
    }

    private final LruCache<Place, List<ReleasedAnswer>> recent =
        new LruCache<>(MOST, MOST_CHARACTERS, RecentAnswers::size);

    synchronized List<ReleasedAnswer> find(String key, String snapshot) {
      return recent.get(Place.ofKey(key, snapshot)).orElse(List.of());
    }

    synchronized List<ReleasedAnswer> family(
        String family, String snapshot, Optional<String> analyst) {
      return recent.get(new Place(By.FAMILY, family, snapshot, analyst)).orElse(List.of());
    }

    synchronized void keep(String key, String snapshot, List<ReleasedAnswer> answers) {
      keep(Place.ofKey(key, snapshot), answers);
    }

    synchronized void keepFamily(
        String family, String snapshot, Optional<String> analyst, List<ReleasedAnswer> answers) {
      keep(new Place(By.FAMILY, family, snapshot, analyst), answers);
    }

    private void keep(Place place, List<ReleasedAnswer> answers) {
      if (size(answers) > MOST_CHARACTERS / 8) {
        recent.remove(place);
      } else {
        recent.put(place, List.copyOf(answers));
      }
    }

    /** An answer that was just released: its key is read anew, a known family grows. */
    synchronized void add(ReleasedAnswer answer) {
      recent.remove(Place.ofKey(answer.key(), answer.snapshot()));
      grow(answer, Optional.empty());
      grow(answer, Optional.of(answer.analyst()));
    }

    private void grow(ReleasedAnswer answer, Optional<String> analyst) {
      Place place = new Place(By.FAMILY, answer.family(), answer.snapshot(), analyst);
      List<ReleasedAnswer> known = recent.get(place).orElse(List.of());
      if (!known.isEmpty()) {
        List<ReleasedAnswer> more = new ArrayList<>(known.size() + 1);
        more.add(answer);
        more.addAll(known);
        keep(place, more.subList(0, Math.min(more.size(), AnswerRows.MOST_OF_A_FAMILY)));
      }
    }

    private static long size(List<ReleasedAnswer> answers) {
      return answers.stream().mapToLong(a -> 200L + a.body().length()).sum();
    }
  }

  /**
   * How questions ended, until it is on disk. Losing an ending costs an answer that could have been
   * shown again, and never budget: the charge was durable before the question ran. So an ending
   * need not wait for the disk by itself: it goes there with the next charge, or alone when none
   * comes.
   */
  static final class PendingSettlements implements AutoCloseable {
    /** A question that ended. */
    record Ending(
        Reservation reservation,
        ChargeOutcome outcome,
        Set<String> failed,
        List<ReleasedAnswer> answers,
        long since) {}

    /** How long an ending waits for a charge that takes it along. */
    private static final Duration PATIENCE = Duration.ofMillis(20);

    private final Deque<Ending> waiting = new ArrayDeque<>();
    private final Runnable write;
    private final ScheduledThreadPoolExecutor alarm =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "flexdp-ledger");
              thread.setDaemon(true);
              return thread;
            });
    private boolean alarmed;

    /**
     * @param write writes what waits, and calls {@link #written}
     */
    PendingSettlements(Runnable write) {
      this.write = write;
      alarm.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    synchronized void add(
        Reservation reservation,
        ChargeOutcome outcome,
        Set<String> failed,
        List<ReleasedAnswer> answers) {
      waiting.add(
          new Ending(
              reservation, outcome, Set.copyOf(failed), List.copyOf(answers), System.nanoTime()));
      if (!alarmed) {
        alarmed = true;
        alarm.schedule(this::ring, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
      }
    }

    /** Oldest first. */
    synchronized List<Ending> waiting() {
      return List.copyOf(waiting);
    }

    /** The oldest of them are on disk. */
    synchronized void written(int count) {
      for (int i = 0; i < count; i++) {
        waiting.remove();
      }
    }

    /** Those who wait for less than they may are left for a charge to take along. */
    private void ring() {
      Optional<Ending> oldest = oldest();
      long rest = oldest.map(e -> e.since() + PATIENCE.toNanos() - System.nanoTime()).orElse(0L);
      if (oldest.isPresent() && rest <= 0) {
        write.run();
      }
      synchronized (this) {
        alarmed = !waiting.isEmpty();
        if (alarmed && !alarm.isShutdown()) {
          alarm.schedule(this::ring, rest > 0 ? rest : PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        }
      }
    }

    private synchronized Optional<Ending> oldest() {
      return Optional.ofNullable(waiting.peek());
    }

    /** Stops the clock; what waits is the caller's to write. */
    @Override
    public void close() {
      alarm.shutdown();
    }
  }
}
