package flexdp.server;

import flexdp.failure.Failure;
import flexdp.gateway.api.WatchView;
import flexdp.server.connection.ServerState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets watches look when their turn comes, so that whoever armed one needs no timer of their own.
 * When is decided by the clock and nothing else; what is not due is not read.
 */
final class WatchScheduler implements AutoCloseable {
  private final ServerState serverState;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> Thread.ofPlatform().daemon().name("flexdp-watches").unstarted(work));
  private final Map<String, String> troubles = new HashMap<>();

  WatchScheduler(ServerState serverState, Duration pause) {
    this.serverState = serverState;
    timer.scheduleWithFixedDelay(
        this::round, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The watches of all users who may ask. */
  synchronized void round() {
    ServerState.Served served = serverState.served().get();
    served
        .offers()
        .forEach(
            (database, offer) -> {
              try {
                offer
                    .engine()
                    .watching(
                        watches ->
                            watches.due(
                                analyst ->
                                    served
                                        .users()
                                        .user(analyst)
                                        .filter(user -> user.mayAsk(database))
                                        .isPresent()))
                    .forEach(view -> note(database, view));
                troubles.remove(database);
              } catch (Failure e) {
                trouble(database, e.codeName(), e);
              } catch (RuntimeException e) {
                trouble(database, e.getClass().getName(), e);
              }
            });
  }

  private void note(String database, WatchView view) {
    serverState.audit().record("watch-look", view.analyst(), "", database, view.name(), "answered");
  }

  /** Said once, and not in every round. */
  private void trouble(String database, String kind, RuntimeException e) {
    if (!kind.equals(troubles.put(database, kind))) {
      serverState.log().failure("watching", e);
    }
  }

  /** A look that has begun is finished. */
  @Override
  public void close() {
    timer.shutdown();
    try {
      if (!timer.awaitTermination(60, TimeUnit.SECONDS)) {
        timer.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
