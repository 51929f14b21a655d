package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Released answers of a ledger: found lately, not written yet, or in its store. */
final class KeptAnswers implements AnswerCache {
  private final RecentAnswers recent = new RecentAnswers();
  private final Store store;
  private final ReentrantLock lock;
  private final Endings endings;

  /**
   * @param lock under which the store is used
   */
  KeptAnswers(Store store, ReentrantLock lock, Endings endings) {
    this.store = store;
    this.lock = lock;
    this.endings = endings;
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
    return endings.waiting().reversed().stream()
        .flatMap(ending -> ending.answers().stream())
        .filter(wanted)
        .toList();
  }
}
