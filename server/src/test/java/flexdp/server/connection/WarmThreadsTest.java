package flexdp.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import flexdp.server.Await;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that do the work of questions. */
@Timeout(1_200)
class WarmThreadsTest {
  private final WarmThreads threads = new WarmThreads("test", 4);

  @Test
  void oneAfterAnotherIsDoneByOneThread() throws Exception {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 200; i++) {
      Semaphore done = new Semaphore(0);
      threads.execute(
          () -> {
            seen.add(Thread.currentThread());
            done.release();
          });
      done.acquire();
      Await.until(() -> isAsleep(seen), "it is idle again");
    }
    assertEquals(1, seen.size());
  }

  private static boolean isAsleep(Set<Thread> threads) {
    return threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void noMoreThanThereMayBeWorkAtOnceAndNothingIsLost() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(2_000);
    for (int i = 0; i < 2_000; i++) {
      threads.execute(
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            running.decrementAndGet();
            done.countDown();
          });
    }
    assertTrue(done.await(5, TimeUnit.MINUTES));
    assertTrue(most.get() <= 4, most::toString);
  }

  @Test
  void aStopWaitsForWhatWasTakenAndTakesNoMore() throws Exception {
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 12; i++) {
      threads.execute(
          () -> {
            Pause.quietly(Duration.ofMillis(20));
            done.incrementAndGet();
          });
    }
    threads.close(5, TimeUnit.MINUTES);
    assertEquals(12, done.get());
    assertThrows(RejectedExecutionException.class, () -> threads.execute(() -> {}));
  }

  @Test
  void workThatFailsTakesNothingWithIt() throws Exception {
    CountDownLatch done = new CountDownLatch(100);
    for (int i = 0; i < 200; i++) {
      boolean fails = i % 2 == 0;
      threads.execute(
          () -> {
            if (fails) {
              Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {});
              throw new IllegalStateException("on purpose");
            }
            done.countDown();
          });
    }
    assertTrue(done.await(5, TimeUnit.MINUTES));
  }
}
