package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.pause.Breaker;
import flexdp.gateway.pause.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The connections that questions share: the first is open already, others are copies of it or
 * opened at the same address. Each is prepared before it is used.
 *
 * <p>Questions wait their turn for as long as one may take, but for a server that is away only as
 * long as the breaker says. One thread looks for it then; when nobody waits any longer, connections
 * that are still in use are given up too.
 */
final class Connections implements AutoCloseable {
  private static final int MOST = 8;
  private static final long TRUSTED = Duration.ofMillis(500).toNanos();
  private static final int CHECK_SECONDS = 2;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  private record Idle(Connection connection, long since) {}

  private final Connection first;
  private final Vendor vendor;
  private final Optional<String> url;
  private final Duration timeout;
  private final Breaker breaker;
  private final OwnerLog log;
  private final Semaphore turns;
  private final Deque<Idle> idle = new ArrayDeque<>();
  private final Set<Connection> used = new HashSet<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile boolean closed;

  Connections(
      Connection first,
      Vendor vendor,
      Optional<String> url,
      Duration timeout,
      Breaker breaker,
      OwnerLog log) {
    this.first = first;
    this.vendor = vendor;
    this.url = url;
    this.timeout = timeout;
    this.breaker = breaker;
    this.log = log;
    this.turns = new Semaphore(vendor.hasCopies() || url.isPresent() ? MOST : 1, true);
    idle.add(new Idle(first, System.nanoTime()));
  }

  /**
   * A connection of one's own until {@link #giveBack}.
   *
   * @throws SQLException when there is none, be it that all are in use for too long
   */
  Connection take() throws SQLException {
    if (breaker.isOpen()) {
      throw away();
    }
    turn();
    Optional<Connection> taken = Optional.empty();
    try {
      taken = Optional.of(using(taken()));
      return taken.get();
    } finally {
      if (taken.isEmpty()) {
        turns.release();
      }
    }
  }

  private void turn() throws SQLException {
    try {
      if (!turns.tryAcquire(breaker.patience().toMillis(), TimeUnit.MILLISECONDS)) {
        // Those who are in front may wait for a server that is gone without a word.
        look();
        if (!turns.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new SQLTransientConnectionException("all connections are in use for too long");
        }
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private Connection taken() throws SQLException {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<Connection> kept = kept();
      if (kept.isPresent()) {
        return kept.get();
      }
      try {
        return opened();
      } catch (SQLException e) {
        if (hasNoRoom(e) && isUsed() && System.nanoTime() < end) {
          pause(LOOK_AGAIN); // until one of ours comes back
        } else if (!canComeBack()) {
          throw e;
        } else {
          fail(e);
          Pause.until(() -> !breaker.isAway() || breaker.isOpen(), timeout);
          if (breaker.isAway()) {
            throw e;
          }
        }
      }
    }
  }

  private boolean canComeBack() {
    return url.isPresent() && !vendor.hasCopies();
  }

  private void fail(SQLException e) {
    if (!breaker.isAway()) {
      log.failure("connect", e);
    }
    breaker.failed();
    look();
  }

  /** The server takes no more of us, and is there: PostgreSQL's word for it and MariaDB's. */
  private static boolean hasNoRoom(SQLException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException s
          && ("53300".equals(s.getSQLState())
              || s.getErrorCode() == 1040
              || s.getErrorCode() == 1203)) {
        return true;
      }
    }
    return false;
  }

  private synchronized boolean isUsed() {
    return !used.isEmpty();
  }

  private synchronized Connection using(Connection connection) {
    used.add(connection);
    return connection;
  }

  /** One that was given back and works; if one does not, none of them is tried further. */
  private Optional<Connection> kept() {
    Optional<Idle> next = next();
    if (next.isEmpty() || !canComeBack() || System.nanoTime() - next.get().since() < TRUSTED) {
      return next.map(Idle::connection);
    }
    Connection connection = next.get().connection();
    try {
      if (connection.isValid(CHECK_SECONDS)) {
        return Optional.of(connection);
      }
    } catch (SQLException e) {
      log.failure("check", e);
    }
    abort(connection);
    abortAll(takeIdle());
    return Optional.empty();
  }

  private synchronized Optional<Idle> next() {
    return Optional.ofNullable(idle.pollFirst());
  }

  private synchronized List<Connection> takeIdle() {
    List<Connection> all = idle.stream().map(Idle::connection).toList();
    idle.clear();
    return all;
  }

  private Connection opened() throws SQLException {
    Connection another = vendor.hasCopies() ? vendor.copy(first) : openedInTime();
    try {
      vendor.prepare(another, timeout);
    } catch (SQLException | RuntimeException e) {
      abort(another);
      throw e;
    }
    breaker.came();
    return another;
  }

  /** A server that takes a connection and says nothing is away as well. */
  private Connection openedInTime() throws SQLException {
    String address = url.orElseThrow(() -> new SQLException("there is only one connection"));
    CompletableFuture<Connection> opening = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("flexdp-connect")
        .start(
            () -> {
              try {
                Connection fresh = Databases.streaming(address);
                if (!opening.complete(fresh)) {
                  abort(fresh);
                }
              } catch (RuntimeException e) {
                opening.completeExceptionally(e);
              }
            });
    long most = Math.max(1_000, Math.min(timeout.toMillis(), breaker.patience().toMillis()));
    try {
      return opening.get(most, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DatabaseError d) {
        Throwable cause = d.getCause() == null ? d : d.getCause();
        String state = cause instanceof SQLException s ? s.getSQLState() : null;
        throw new SQLTransientConnectionException(d.message(), state, cause);
      }
      throw new SQLTransientConnectionException(e.getCause());
    } catch (TimeoutException e) {
      opening.cancel(false);
      throw new SQLTransientConnectionException("the server does not let us in within " + most);
    } catch (InterruptedException e) {
      opening.cancel(false);
      throw interrupted();
    }
  }

  /** Looks for the server until it is there; one thread does. */
  private void look() {
    if (canComeBack() && !closed && looking.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("flexdp-look").start(this::lookUntilBack);
    }
  }

  private void lookUntilBack() {
    try {
      while (!closed) {
        try {
          keep(opened());
          return;
        } catch (SQLException e) {
          if (hasNoRoom(e)) {
            breaker.came();
            return;
          }
          breaker.failed();
          if (breaker.isOpen()) {
            abortAll(inUse());
          }
        }
        Pause.of(LOOK_AGAIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.failure("look", e);
    } finally {
      looking.set(false);
    }
  }

  private synchronized List<Connection> inUse() {
    return List.copyOf(used);
  }

  /** Whether the server is there, as far as can be told without waiting for anybody's turn. */
  boolean isReachable() {
    if (!canComeBack() || closed || breaker.isAway()) {
      return !closed && !breaker.isAway();
    }
    try {
      Optional<Connection> one = kept();
      keep(one.isPresent() ? one.get() : opened());
      return true;
    } catch (SQLException e) {
      if (hasNoRoom(e)) {
        return true;
      }
      fail(e);
      return false;
    }
  }

  /**
   * Takes a connection back.
   *
   * @param broken whether it must not be used again
   */
  void giveBack(Connection connection, boolean broken) {
    boolean usable = !broken && !closed;
    try {
      usable = usable && !connection.isClosed();
      if (usable && !connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      log.failure("give back", e);
      usable = false;
    }
    synchronized (this) {
      used.remove(connection);
      usable = usable && !closed;
      if (usable) {
        idle.addFirst(new Idle(connection, System.nanoTime()));
      }
    }
    if (!usable) {
      close(connection);
    }
    turns.release();
  }

  /** For whoever asks next. */
  private void keep(Connection connection) {
    boolean kept;
    synchronized (this) {
      kept = !closed && idle.size() + used.size() < MOST;
      if (kept) {
        idle.addFirst(new Idle(connection, System.nanoTime()));
      }
    }
    if (!kept) {
      close(connection);
    }
  }

  private void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.failure("close", e);
    }
  }

  private void abortAll(List<Connection> connections) {
    connections.forEach(this::abort);
  }

  /** Without a word to a server that may not listen. */
  private void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      log.failure("abort", e);
      close(connection);
    }
  }

  private static SQLException away() {
    return new SQLTransientConnectionException("the server is away");
  }

  private static void pause(Duration time) throws SQLException {
    try {
      Pause.of(time);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static SQLException interrupted() {
    Thread.currentThread().interrupt();
    return new SQLTransientConnectionException("interrupted while waiting for a connection");
  }

  /** Those in use are closed when they come back. */
  @Override
  public void close() {
    closed = true;
    takeIdle().forEach(this::close);
  }
}
