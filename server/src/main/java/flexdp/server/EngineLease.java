package flexdp.server;

import flexdp.gateway.database.ErrorLog;
import flexdp.server.engine.GatewayEngine;
import flexdp.server.session.ServerFacts;

/**
 * An engine and its catalogue, with how many use them. Once it is retired nobody begins to use it
 * any more, and the last who does closes it; nobody waits for that.
 */
final class EngineLease {
  private final GatewayEngine engine;
  private final ServerFacts catalogue;
  private final ErrorLog log;
  private int users;
  private boolean retired;
  private boolean closed;
  private volatile boolean over;

  EngineLease(GatewayEngine engine, ServerFacts catalogue, ErrorLog log) {
    this.engine = engine;
    this.catalogue = catalogue;
    this.log = log;
  }

  /** Its name and policy may be asked even when it is closed. */
  GatewayEngine engine() {
    return engine;
  }

  ServerFacts catalogue() {
    return catalogue;
  }

  /** Whether it may be used, until {@link #leave}. */
  synchronized boolean enter() {
    users += retired ? 0 : 1;
    return !retired;
  }

  void leave() {
    end(() -> users--);
  }

  /** Nobody begins to use it from now on. */
  void retire() {
    end(() -> retired = true);
  }

  private void end(Runnable change) {
    boolean last;
    synchronized (this) {
      change.run();
      last = retired && users == 0 && !closed;
      closed |= last;
    }
    if (last) {
      closed("engine", engine::close);
      closed("catalogue", catalogue::close);
      over = true;
    }
  }

  /** Closes on the last user's thread, whose answer stands whatever comes of it. */
  private void closed(String part, Runnable close) {
    try {
      close.run();
    } catch (RuntimeException e) {
      log.failure("the " + part + " of " + engine.name() + " cannot be closed", e);
    }
  }

  synchronized boolean isRetired() {
    return retired;
  }

  /** Whether it is closed. */
  boolean isOver() {
    return over;
  }
}
