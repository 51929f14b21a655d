package flexdp.gateway.database;

import flexdp.failure.TimeBudget;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads whose stack fits every statement that is accepted. An embedded database parses and plans
 * on the stack of who calls it, and one that runs out of it ends the process; so does planning
 * here, with an error. The stack is address space, used as far as it is needed.
 */
public final class DeepStackThreads {
  /** Shorter texts are never nested so deep that a usual stack does not do. */
  private static final int LONG = 2_000;

  private static final long STACK = 512L << 20;

  /** As many as databases have connections, and some who plan: others wait for one of them. */
  private static final Semaphore PLACES = new Semaphore(64);

  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          30,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> new Deep(task));

  private static final class Deep extends Thread {
    private Deep(Runnable task) {
      super(null, task, "flexdp-deep", STACK);
      setDaemon(true);
    }
  }

  private DeepStackThreads() {}

  /** Something that may fail. */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    T done() throws E;
  }

  /**
   * Does work that follows a text: here if the text is short, otherwise where the stack is deep.
   * Whoever calls waits, whatever happens to its thread.
   */
  @SuppressWarnings("unchecked")
  public static <T, E extends Exception> T over(String text, Work<T, E> work) throws E {
    if (text.length() <= LONG || Thread.currentThread() instanceof Deep) {
      return work.done();
    }
    Optional<Runnable> waiting = TimeBudget.present();
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              try (TimeBudget.Limit ignored = TimeBudget.limit(waiting.orElse(() -> {}))) {
                return work.done();
              }
            });
    PLACES.acquireUninterruptibly();
    boolean interrupted = false;
    try {
      THREADS.execute(task);
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof Error error) {
            throw error;
          }
          throw (E) e.getCause();
        }
      }
    } finally {
      PLACES.release();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
