package flexdp.server.connection;

import flexdp.failure.TimeBudget;
import flexdp.gateway.database.CancellationToken;
import flexdp.server.session.CancellableWork;
import flexdp.server.session.SqlError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Threads that do the work of questions. Databases hold on to their thread while they compute, so
 * the threads of connections, of which a handful of carriers run thousands, mostly wait here; as
 * long as half of the carriers stay free for others, a connection does the work itself, since to
 * wake another thread and to be woken takes a part of a millisecond. A user who asks more at once
 * than their share waits for themselves, and nobody else does.
 */
public final class Workers implements AutoCloseable {
  private static final int THREADS = 32;

  /** Databases have eight connections each. */
  private static final int OF_ONE_USER = 6;

  /** What is asked of the catalogue waits for a worker; questions do not wait behind it. */
  private static final int LOOKS = 64;

  /** A user has one worker; what is remembered needs none. */
  private static final int LOOKS_OF_ONE_USER = 2;

  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** How many may do their work themselves; there is a carrier for each processor. */
  private static final int ALONE = Runtime.getRuntime().availableProcessors() / 2;

  private final WarmThreads threads = new WarmThreads("flexdp-question", THREADS);
  private final WarmThreads looks = new WarmThreads("flexdp-look", LOOKS);
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("flexdp-deadlines").factory());
  private final Semaphore alone = new Semaphore(ALONE);
  private volatile boolean closing;
  private final Map<Whose, Line> lines = new HashMap<>();

  /**
   * Whose line it is.
   *
   * @param look at the catalogue
   */
  private record Whose(String user, boolean look) {}

  /** What one user waits for, beside what is being done. */
  private static final class Line {
    private final Deque<Job> waiting = new ArrayDeque<>();
    private int running;
  }

  /**
   * Something to do.
   *
   * @param refuse says that it will not be done
   */
  private record Job(Runnable work, Runnable refuse) {}

  /** The work of one connection, which can be told to give up what it waits for. */
  public final class Waiting implements CancellableWork {
    private final String user;
    private final Runnable right;
    private CompletableFuture<Object> current;
    private CancellationToken wish;

    private Waiting(String user, Runnable right) {
      this.user = user;
      this.right = right;
    }

    @Override
    public <T> T await(Optional<Duration> limit, Stoppable<T> work) {
      return await(new Whose(user, false), limit, work);
    }

    @Override
    public <T> T look(Optional<Duration> limit, Stoppable<T> work) {
      return await(new Whose(user, true), limit, work);
    }

    private <T> T await(Whose whose, Optional<Duration> limit, Stoppable<T> work) {
      CompletableFuture<Object> future = new CompletableFuture<>();
      CancellationToken cancellation = new CancellationToken();
      Optional<ScheduledFuture<?>> deadline =
          limit.map(time -> deadline(future, cancellation, time));
      synchronized (this) {
        current = future;
        wish = cancellation;
      }
      Runnable doing =
          () -> {
            if (future.isDone()) {
              return; // given up while it stood in the queue
            }
            try (TimeBudget.Limit ignored = TimeBudget.limit(cancellation::check)) {
              right.run();
              T result = work.call(cancellation);
              right.run();
              future.complete(result);
            } catch (Throwable e) {
              future.completeExceptionally(e);
            }
          };
      run(whose, new Job(doing, () -> future.completeExceptionally(stopping())));
      try {
        @SuppressWarnings("unchecked")
        T result = (T) future.get();
        return result;
      } catch (ExecutionException e) {
        throw unchecked(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw SqlError.of("57P01", "terminating connection due to administrator command");
      } finally {
        deadline.ifPresent(d -> d.cancel(false));
        synchronized (this) {
          current = null;
        }
      }
    }

    private ScheduledFuture<?> deadline(
        CompletableFuture<Object> future, CancellationToken cancellation, Duration time) {
      try {
        return deadlines.schedule(
            () -> giveUp(future, cancellation, "statement timeout"),
            time.toMillis(),
            TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        throw stopping();
      }
    }

    private void giveUp(
        CompletableFuture<Object> future, CancellationToken cancellation, String why) {
      future.completeExceptionally(
          SqlError.of(
              "57014", "canceling statement due to " + why, "It stays charged if it had begun."));
      cancellation.now();
    }

    /** Gives up what is waited for and stops it. It stays charged if it had begun. */
    public synchronized void cancel() {
      if (current != null) {
        giveUp(current, wish, "user request");
      }
    }
  }

  /** What ended in time leaves nothing behind. */
  public Workers() {
    deadlines.setRemoveOnCancelPolicy(true);
  }

  private static SqlError stopping() {
    return SqlError.of("57P01", "the server is stopping");
  }

  private void run(Whose whose, Job job) {
    synchronized (lines) {
      Line line = lines.computeIfAbsent(whose, w -> new Line());
      if (line.running >= (whose.look() ? LOOKS_OF_ONE_USER : OF_ONE_USER)) {
        line.waiting.add(job);
        return;
      }
      line.running++;
    }
    if (whose.look() || closing || !Thread.currentThread().isVirtual() || !alone.tryAcquire()) {
      begin(whose, job);
      return;
    }
    try {
      job.work().run();
    } finally {
      alone.release();
      next(whose).ifPresent(next -> begin(whose, next));
    }
  }

  /** Begins a job; when there are no threads any more, all that wait are told. */
  private void begin(Whose whose, Job first) {
    Optional<Job> waiting = Optional.of(first);
    while (waiting.isPresent()) {
      Job job = waiting.get();
      try {
        (whose.look() ? looks : threads)
            .execute(
                () -> {
                  try {
                    job.work().run();
                  } finally {
                    next(whose).ifPresent(next -> begin(whose, next));
                  }
                });
        return;
      } catch (RejectedExecutionException e) {
        job.refuse().run();
        waiting = next(whose);
      }
    }
  }

  private Optional<Job> next(Whose whose) {
    synchronized (lines) {
      Line line = lines.get(whose);
      Job next = line.waiting.poll();
      if (next == null && --line.running == 0) {
        lines.remove(whose);
      }
      return Optional.ofNullable(next);
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case StackOverflowError e ->
          SqlError.of("54001", "The statement is nested too deeply.", "Write it more simply.");
      case Error e -> new IllegalStateException(e);
      default -> new IllegalStateException(thrown);
    };
  }

  /**
   * @param right throws when the user may not ask any more: looked at when a work begins, which may
   *     have waited long, and before what it found is given
   */
  public Waiting waiting(String user, Runnable right) {
    return new Waiting(user, right);
  }

  /** Lets what has begun come to its end. */
  @Override
  public void close() {
    long end = System.nanoTime() + STOP_NANOS;
    closing = true;
    deadlines.shutdownNow();
    try {
      boolean ended = alone.tryAcquire(ALONE, STOP_NANOS, TimeUnit.NANOSECONDS);
      threads.close(ended ? end - System.nanoTime() : 0, TimeUnit.NANOSECONDS);
      looks.close(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
