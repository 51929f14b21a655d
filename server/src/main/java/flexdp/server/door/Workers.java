package flexdp.server.door;

import flexdp.server.session.SqlError;
import flexdp.server.session.Work;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that do the work of questions. Databases hold on to their thread while they compute, so
 * the threads of connections, of which a handful of carriers run thousands, only wait here.
 */
final class Workers implements AutoCloseable {
  private static final int THREADS = 32;

  private final ThreadPoolExecutor threads;

  Workers() {
    threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread thread(Runnable work) {
    return Thread.ofPlatform().daemon().name("flexdp-question").unstarted(work);
  }

  /** The work of one connection, which can be told to give up what it waits for. */
  final class Waiting implements Work {
    private CompletableFuture<Object> current;

    @Override
    public <T> T await(Callable<T> work) {
      CompletableFuture<Object> future = new CompletableFuture<>();
      synchronized (this) {
        current = future;
      }
      run(
          () -> {
            if (future.isDone()) {
              return; // given up while it stood in the queue
            }
            try {
              future.complete(work.call());
            } catch (Throwable e) {
              future.completeExceptionally(e);
            }
          });
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
        synchronized (this) {
          current = null;
        }
      }
    }

    /** Gives up what is waited for. The question runs on and stays charged if it had begun. */
    synchronized void cancel() {
      if (current != null) {
        current.completeExceptionally(
            SqlError.of(
                "57014",
                "canceling statement due to user request",
                "It stays charged if it had begun."));
      }
    }
  }

  private void run(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException e) {
      throw SqlError.of("57P01", "the server is stopping");
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> new IllegalStateException(e);
      default -> new IllegalStateException(thrown);
    };
  }

  Waiting waiting() {
    return new Waiting();
  }

  /** Lets what has begun come to its end. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      threads.awaitTermination(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
