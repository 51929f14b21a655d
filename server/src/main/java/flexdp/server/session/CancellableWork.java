package flexdp.server.session;

import flexdp.gateway.database.CancellationToken;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Runs what may take long, so that it can be given up. */
public interface CancellableWork {
  /**
   * Without a limit of the client's own.
   *
   * @throws SqlError when the client cancelled it meanwhile
   */
  default <T> T await(Callable<T> work) {
    return await(Optional.empty(), work);
  }

  /**
   * Waits for work that can be stopped.
   *
   * @throws SqlError when the client cancelled it meanwhile
   */
  default <T> T await(Stoppable<T> work) {
    return await(Optional.empty(), work);
  }

  /**
   * @throws SqlError when the client cancelled it meanwhile
   */
  default <T> T await(Optional<Duration> limit, Callable<T> work) {
    return await(limit, cancellation -> work.call());
  }

  /** Work that can be stopped. */
  @FunctionalInterface
  interface Stoppable<T> {
    T call(CancellationToken cancellation) throws Exception;
  }

  /**
   * @param limit how long the client wants to wait; what its owner allows holds anyway
   * @throws SqlError when the client cancelled it meanwhile
   */
  <T> T await(Optional<Duration> limit, Stoppable<T> work);

  /**
   * Waits for a look at the catalogue, which may wait for others of its user.
   *
   * @throws SqlError when the client cancelled it meanwhile
   */
  <T> T look(Optional<Duration> limit, Stoppable<T> work);
}
