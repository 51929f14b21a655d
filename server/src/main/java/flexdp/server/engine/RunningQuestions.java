package flexdp.server.engine;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** The questions that are being answered now, and how to give them up. */
public final class RunningQuestions {
  /**
   * A question that is being answered.
   *
   * @param tag what its asker calls it
   * @param door through which it came
   */
  public record Running(
      long id,
      Optional<String> tag,
      String analyst,
      String database,
      String sql,
      Instant since,
      String door) {}

  private record Entry(Running question, Runnable cancel) {}

  private final Map<Long, Entry> entries = new ConcurrentSkipListMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** Notes a question; what is returned ends it. */
  public Runnable begin(
      Optional<String> tag,
      String analyst,
      String database,
      String sql,
      String door,
      Runnable cancel) {
    long id = numbers.incrementAndGet();
    Instant now = Clock.systemUTC().instant();
    entries.put(id, new Entry(new Running(id, tag, analyst, database, sql, now, door), cancel));
    return () -> entries.remove(id);
  }

  public List<Running> all() {
    return entries.values().stream().map(Entry::question).toList();
  }

  /** Whether there was one; its asker is told, and what had begun stays charged. */
  public boolean cancel(Predicate<Running> which) {
    List<Entry> found = entries.values().stream().filter(e -> which.test(e.question())).toList();
    found.forEach(e -> e.cancel().run());
    return !found.isEmpty();
  }
}
