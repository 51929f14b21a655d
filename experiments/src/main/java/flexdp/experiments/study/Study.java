package flexdp.experiments.study;

import flexdp.Analyzer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;

/**
 * Examines a log with all processors. Entries pass in batches through a short queue, so that a log
 * of any length is studied in the same memory.
 */
public final class Study {
  private static final int BATCH = 200;
  private static final int BATCH_CHARACTERS = 400_000;
  private static final int WAITING = 8;

  /** Queries that programs wrote are deep; a parser by recursive descent needs room for them. */
  private static final long STACK = 64L << 20;

  private static final Batch END = new Batch(0, List.of());

  /** Some entries; the first has this place in the log. */
  private record Batch(long first, List<LogRecord> entries) {}

  /** A log: one entry after the other. */
  @FunctionalInterface
  public interface Source {
    /** The next entry; nothing at the end. */
    Optional<LogRecord> next() throws IOException;
  }

  private final KnownKeys keys;
  private final Optional<Analyzer> analyzer;
  private final int workers;

  /**
   * A study.
   *
   * @param keys for the relationships of joins
   * @param analyzer says which queries can be answered; without one that is left out
   */
  public Study(KnownKeys keys, Optional<Analyzer> analyzer, int workers) {
    this.keys = keys;
    this.analyzer = analyzer;
    this.workers = workers;
  }

  /** Of entries at hand, one after the other. */
  public static LogCounts of(Stream<LogRecord> log, KnownKeys keys, Optional<Analyzer> analyzer) {
    Examiner examiner = new Examiner(keys, analyzer);
    long[] place = {0};
    log.forEach(entry -> examiner.examine(entry, ++place[0]));
    return examiner.tally();
  }

  /** Of a whole log. */
  public LogCounts of(Source log) throws IOException, InterruptedException {
    return of(log, verdict -> {});
  }

  /**
   * Of a whole log.
   *
   * @param verdicts takes what is said of each entry, in the order of the log
   */
  public LogCounts of(Source log, Verdict.Reader verdicts)
      throws IOException, InterruptedException {
    InOrder order = new InOrder(verdicts);
    BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(WAITING);
    List<Examiner> examiners = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      Examiner examiner = new Examiner(keys, analyzer);
      Thread thread = new Thread(null, () -> work(examiner, queue, order), "study-" + i, STACK);
      thread.setDaemon(true);
      examiners.add(examiner);
      threads.add(thread);
      thread.start();
    }
    try {
      feed(log, queue);
    } finally {
      queue.put(END);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    LogCounts all = new LogCounts();
    examiners.forEach(e -> all.add(e.tally()));
    return all;
  }

  private static void feed(Source log, BlockingQueue<Batch> queue)
      throws IOException, InterruptedException {
    List<LogRecord> batch = new ArrayList<>(BATCH);
    int characters = 0;
    long first = 1;
    Optional<LogRecord> next;
    while ((next = log.next()).isPresent()) {
      batch.add(next.get());
      characters += next.get() instanceof LogRecord.Query query ? query.sql().length() : 0;
      if (batch.size() == BATCH || characters > BATCH_CHARACTERS) {
        queue.put(new Batch(first, batch));
        first += batch.size();
        batch = new ArrayList<>(BATCH);
        characters = 0;
      }
    }
    if (!batch.isEmpty()) {
      queue.put(new Batch(first, batch));
    }
  }

  private static void work(Examiner examiner, BlockingQueue<Batch> queue, InOrder order) {
    try {
      Batch batch;
      while ((batch = queue.take()) != END) {
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < batch.entries().size(); i++) {
          verdicts.add(examiner.examine(batch.entries().get(i), batch.first() + i));
        }
        order.done(batch.first(), verdicts);
      }
      // The others see the end too.
      queue.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
