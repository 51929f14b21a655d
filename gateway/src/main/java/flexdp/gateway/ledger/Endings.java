package flexdp.gateway.ledger;

import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.Outcome;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * How questions ended, until it is on disk. Losing an ending costs an answer that could have been
 * shown again, and never budget: the charge was durable before the question ran. So an ending need
 * not wait for the disk by itself: it goes there with the next charge, or alone when none comes.
 */
final class Endings implements AutoCloseable {
  /** A question that ended. */
  record Ending(
      Reservation reservation,
      Outcome outcome,
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
  Endings(Runnable write) {
    this.write = write;
    alarm.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  synchronized void add(
      Reservation reservation, Outcome outcome, Set<String> failed, List<ReleasedAnswer> answers) {
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
