package flexdp.server.pgcatalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.ErrorLog;
import flexdp.server.session.SqlError;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(1_200)
class WorkerPoolTest {
  @TempDir Path folder;

  private static String refused(WorkerPool pool, CancellationToken cancellation) {
    return assertThrows(SqlError.class, () -> pool.ask("ann", new byte[0], cancellation)).state();
  }

  /** No worker can be started, and at first even to log that fails. */
  @Test
  void startsAreTriedAgainAndWhoeverWaitsMayGiveUp() throws Exception {
    CountDownLatch tried = new CountDownLatch(3);
    ErrorLog log =
        (what, cause) -> {
          tried.countDown();
          if (tried.getCount() == 2) {
            throw new IllegalStateException(what);
          }
        };
    try (WorkerPool pool = new WorkerPool(folder.resolve("none"), log)) {
      CancellationToken cancellation = new CancellationToken();
      FutureTask<String> waiting = new FutureTask<>(() -> refused(pool, cancellation));
      Thread.ofPlatform().start(waiting);
      tried.await();
      cancellation.now();
      assertEquals("57014", waiting.get());
      assertEquals("57014", refused(pool, cancellation));
    }
  }
}
