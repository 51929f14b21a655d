package flexdp.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.TimeBudget;
import flexdp.server.session.SqlError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(1_200)
class WorkersTest {
  private static final int AT_ONCE = 6;

  private static String state(FutureTask<?> task) throws InterruptedException {
    ExecutionException e = assertThrows(ExecutionException.class, task::get);
    return ((SqlError) e.getCause()).state();
  }

  private static <T> FutureTask<T> started(FutureTask<T> task) {
    Thread.ofPlatform().start(task);
    return task;
  }

  /** Six run, the others wait; then the right ends. */
  @Test
  void whatWaitsWhenItsRightEndsIsNotDoneAndWhatRunsIsNotGiven() throws Exception {
    AtomicBoolean revoked = new AtomicBoolean();
    Runnable right =
        () -> {
          if (revoked.get()) {
            throw SqlError.of("57P01", "revoked");
          }
        };
    AtomicBoolean done = new AtomicBoolean();
    CountDownLatch running = new CountDownLatch(AT_ONCE);
    CountDownLatch go = new CountDownLatch(1);
    try (Workers workers = new Workers()) {
      List<FutureTask<String>> tasks = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        tasks.add(
            started(
                new FutureTask<>(
                    () ->
                        workers
                            .waiting("ann", right)
                            .await(
                                cancellation -> {
                                  running.countDown();
                                  go.await();
                                  return "an answer";
                                }))));
      }
      running.await();
      FutureTask<String> queued =
          new FutureTask<>(
              () ->
                  workers
                      .waiting("ann", right)
                      .await(
                          cancellation -> {
                            done.set(true);
                            return "another";
                          }));
      started(queued);
      revoked.set(true);
      go.countDown();
      for (FutureTask<String> task : tasks) {
        assertEquals("57P01", state(task));
      }
      assertEquals("57P01", state(queued));
      assertFalse(done.get());
    }
  }

  /** As planning does: it runs no statement that could be interrupted. */
  @Test
  void whatIsThoughtAboutEndsWhenItIsCancelled() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (Workers workers = new Workers()) {
      Workers.Waiting waiting = workers.waiting("ann", () -> {});
      FutureTask<String> task =
          started(
              new FutureTask<>(
                  () ->
                      waiting.await(
                          cancellation -> {
                            begun.countDown();
                            try {
                              while (ended.getCount() > 0) {
                                TimeBudget.step();
                              }
                              return "never";
                            } finally {
                              ended.countDown();
                            }
                          })));
      begun.await();
      waiting.cancel();
      assertEquals("57014", state(task));
      ended.await();
    }
  }

  /** So many wait that to refuse one from within the other would take all of a stack. */
  @Test
  void thousandsThatWaitAreRefusedWhenTheServerStops() throws Exception {
    CountDownLatch running = new CountDownLatch(AT_ONCE);
    CountDownLatch go = new CountDownLatch(1);
    List<FutureTask<String>> waiting = new ArrayList<>();
    Workers workers = new Workers();
    for (int i = 0; i < AT_ONCE; i++) {
      started(
          new FutureTask<>(
              () ->
                  workers
                      .waiting("ann", () -> {})
                      .await(
                          cancellation -> {
                            running.countDown();
                            go.await();
                            return "";
                          })));
    }
    running.await();
    for (int i = 0; i < 20_000; i++) {
      FutureTask<String> task =
          new FutureTask<>(() -> workers.waiting("ann", () -> {}).await(cancellation -> "done"));
      waiting.add(task);
      Thread.ofVirtual().start(task);
    }
    FutureTask<String> closing =
        new FutureTask<>(
            () -> {
              workers.close();
              return "closed";
            });
    started(closing);
    go.countDown();
    assertEquals("closed", closing.get());
    for (FutureTask<String> task : waiting) {
      try {
        assertEquals("done", task.get());
      } catch (ExecutionException e) {
        assertEquals("57P01", ((SqlError) e.getCause()).state());
      }
    }
  }

  @Test
  void aStatementWithATimeoutIsRefusedOnceTheServerStops() {
    Workers workers = new Workers();
    Workers.Waiting waiting = workers.waiting("ann", () -> {});
    workers.close();
    SqlError refused =
        assertThrows(
            SqlError.class,
            () -> waiting.await(Optional.of(Duration.ofMinutes(1)), cancellation -> "an answer"));
    assertEquals("57P01", refused.state());
  }
}
