package flexdp.server.session;

import flexdp.gateway.database.Stop;
import java.util.concurrent.Callable;

/** Runs what may take long, so that it can be given up. */
public interface Work {
  /**
   * @throws SqlError when the client cancelled it meanwhile
   */
  default <T> T await(Callable<T> work) {
    return await(stop -> work.call());
  }

  /** Work that can be stopped. */
  @FunctionalInterface
  interface Stoppable<T> {
    T call(Stop stop) throws Exception;
  }

  /**
   * @throws SqlError when the client cancelled it meanwhile
   */
  <T> T await(Stoppable<T> work);

  /**
   * The same for a look at the catalogue, which may wait for others of its user.
   *
   * @throws SqlError when the client cancelled it meanwhile
   */
  <T> T look(Stoppable<T> work);
}
