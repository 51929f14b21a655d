package flexdp.server.session;

import java.util.concurrent.Callable;

/** Runs what may take long, so that it can be given up. */
public interface Work {
  /**
   * @throws SqlError when the client cancelled it meanwhile
   */
  <T> T await(Callable<T> work);
}
