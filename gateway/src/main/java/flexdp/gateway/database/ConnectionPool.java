package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.pause.Breaker;
import flexdp.gateway.pause.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
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
import java.util.function.Predicate;

/**
 * The connections that questions share: the first is open already, others are copies of it or
 * opened at the same address. Each is prepared before it is used.
 *
 * <p>Questions wait their turn for as long as one may take, but for a server that is away only as
 * long as the breaker says. One thread looks for it then; when nobody waits any longer, connections
 * that are still in use are given up too.
 */
final class ConnectionPool implements AutoCloseable {
  private static final int MOST = 8;
  private static final long TRUSTED = Duration.ofMillis(500).toNanos();
  private static final int CHECK_SECONDS = 2;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  /** MariaDB's: too many connections, of a user, of what the user was granted. */
  private static final Set<Integer> FULL = Set.of(1040, 1203, 1226);

  private record Idle(Connection connection, long since) {}

  /** What copies are made of, where there are any. */
  private Connection first;

  private final Connector connector;
  private final Optional<String> url;
  private final Duration timeout;
  private final Breaker breaker;
  private final ErrorLog log;
  private final Semaphore turns;
  private final Deque<Idle> idle = new ArrayDeque<>();
  private final Set<Connection> used = new HashSet<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean toldNoMore = new AtomicBoolean();
  private volatile boolean closed;

  ConnectionPool(
      Connection first,
      Connector connector,
      Optional<String> url,
      Duration timeout,
      Breaker breaker,
      ErrorLog log) {
    this.first = first;
    this.connector = connector;
    this.url = url;
    this.timeout = timeout;
    this.breaker = breaker;
    this.log = log;
    this.turns = new Semaphore(connector.hasCopies() || url.isPresent() ? MOST : 1, true);
    idle.add(new Idle(first, System.nanoTime()));
  }

  /**
   * A connection of one's own until {@link #giveBack}.
   *
   * @throws SQLException when there is none, be it that all are in use for too long
   */
  Connection take() throws SQLException {
    if (breaker.isOpen()) {
      look(); // whoever looked may be gone
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
    long began = System.nanoTime();
    while (true) {
      Optional<Connection> kept = kept(TRUSTED);
      if (kept.isPresent()) {
        return kept.get();
      }
      try {
        // What looking at a silent one took is waited for no second time.
        Duration left = patience().minusNanos(System.nanoTime() - began);
        return opened(left.isPositive() ? left : patience());
      } catch (SQLException e) {
        if (!canComeBack()) {
          throw e;
        }
        if (takesNoMore(e)) {
          if (toldNoMore.compareAndSet(false, true)) {
            log.failure("connect", e);
          }
          // One of ours comes back within a question's time; others' may not come back at all.
          Duration most = isUsed() ? timeout : patience();
          if (System.nanoTime() - began >= most.toNanos()) {
            throw e;
          }
          pause(LOOK_AGAIN);
        } else {
          fail(e);
          Pause.until(
              () ->
                  !breaker.isAway()
                      || breaker.isOpen()
                      || System.nanoTime() - began >= patience().toNanos(),
              timeout);
          if (breaker.isAway()) {
            throw e;
          }
        }
      }
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** How long a question waits for a server that is away. */
  private Duration patience() {
    return shorter(timeout, breaker.patience());
  }

  /** A file that is locked is not away. */
  private boolean canComeBack() {
    return url.isPresent() && connector.isServer();
  }

  private void fail(SQLException e) {
    if (!breaker.isAway()) {
      log.failure("connect", e);
    }
    breaker.failed();
    look();
  }

  /** The server is there, and those that we have are still good, but it lets no others in. */
  private boolean takesNoMore(SQLException e) {
    return hasNoRoom(e) || isRefused(e) && isHeld();
  }

  /** Too many of all or of ours: PostgreSQL's word for it and MariaDB's. */
  private static boolean hasNoRoom(SQLException e) {
    return isAny(e, s -> "53300".equals(s.getSQLState()) || FULL.contains(s.getErrorCode()));
  }

  /** A password, a database or a right that was changed while we are in. */
  private static boolean isRefused(SQLException e) {
    return isAny(e, s -> hasState(s, "28", "3D", "42"));
  }

  /** Whether nobody can be hoped to answer on connections that are in use either. */
  private static boolean isGone(SQLException e) {
    return isAny(e, s -> s instanceof SQLTimeoutException || hasState(s, "08", "57P"));
  }

  private static boolean hasState(SQLException e, String... classes) {
    String state = e.getSQLState();
    return state != null && Arrays.stream(classes).anyMatch(state::startsWith);
  }

  private static boolean isAny(SQLException e, Predicate<SQLException> kind) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException s && kind.test(s)) {
        return true;
      }
    }
    return false;
  }

  private synchronized boolean isHeld() {
    return !used.isEmpty() || !idle.isEmpty();
  }

  private synchronized boolean isUsed() {
    return !used.isEmpty();
  }

  private synchronized Connection using(Connection connection) {
    used.add(connection);
    return connection;
  }

  /**
   * One that was given back and works; if one does not, none of them is tried further.
   *
   * @param trusted for how long it is believed to work, in nanoseconds
   */
  private Optional<Connection> kept(long trusted) {
    Optional<Idle> next = next();
    if (next.isEmpty() || !canComeBack() || System.nanoTime() - next.get().since() < trusted) {
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
    return opened(patience());
  }

  private Connection opened(Duration within) throws SQLException {
    Connection another = connector.hasCopies() ? copied() : openedInTime(within);
    toldNoMore.set(false);
    breaker.came();
    return another;
  }

  private Connection copied() throws SQLException {
    Connection copy;
    synchronized (this) {
      copy = connector.copy(first);
    }
    try {
      connector.prepare(copy, timeout);
      return copy;
    } catch (SQLException | RuntimeException e) {
      abort(copy);
      throw e;
    }
  }

  /** A server that takes a connection and says nothing is away as well. */
  private Connection openedInTime(Duration within) throws SQLException {
    String address = url.orElseThrow(() -> new SQLException("there is only one connection"));
    CompletableFuture<Connection> connecting = new CompletableFuture<>();
    CompletableFuture<Connection> opening = new CompletableFuture<>();
    apart(
        "flexdp-connect",
        () -> {
          try {
            connecting.complete(Databases.streaming(address));
            connector.prepare(connecting.join(), timeout);
            opening.complete(connecting.join());
          } catch (Throwable e) {
            opening.completeExceptionally(e);
          }
        });
    long most = Math.max(1_000, within.toMillis());
    boolean opened = false;
    try {
      Connection fresh = opening.get(most, TimeUnit.MILLISECONDS);
      opened = true;
      return fresh;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException s) {
        throw s;
      }
      if (e.getCause() instanceof DatabaseError d) {
        Throwable cause = d.getCause() == null ? d : d.getCause();
        String state = cause instanceof SQLException s ? s.getSQLState() : null;
        throw new SQLTransientConnectionException(d.message(), state, cause);
      }
      throw new SQLTransientConnectionException(e.getCause());
    } catch (TimeoutException e) {
      throw new SQLTimeoutException("the server does not let us in within " + most + " ms", e);
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      if (!opened) {
        // As soon as there is one; drivers may want to talk about it, and nobody waits for that.
        connecting.thenAcceptAsync(this::abort, abort -> apart("flexdp-abort", abort));
      }
    }
  }

  private static void apart(String name, Runnable work) {
    Thread.ofPlatform().daemon().name(name).start(work);
  }

  /** Looks for the server until it is there; one thread does. */
  private void look() {
    if (canComeBack() && !closed && looking.compareAndSet(false, true)) {
      boolean started = false;
      try {
        apart("flexdp-look", this::lookUntilBack);
        started = true;
      } finally {
        if (!started) {
          looking.set(false);
        }
      }
    }
  }

  private void lookUntilBack() {
    boolean found = false;
    try {
      while (!found && !closed) {
        found = isFound();
        if (!found) {
          Pause.of(LOOK_AGAIN);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      log.failure("look", e);
    } finally {
      looking.set(false);
    }
    if (found && breaker.isAway()) {
      look(); // it went again before somebody else could look
    }
  }

  private boolean isFound() {
    try {
      keep(opened());
      return true;
    } catch (SQLException e) {
      if (takesNoMore(e)) {
        breaker.came();
        return true;
      }
      breaker.failed();
      if (breaker.isOpen() && isGone(e)) {
        abortAll(inUse());
      }
      return false;
    }
  }

  private synchronized List<Connection> inUse() {
    return List.copyOf(used);
  }

  /** Whether the server is there, as far as can be told without waiting for anybody's turn. */
  boolean isReachable() {
    if (breaker.isAway()) {
      look();
    }
    if (!canComeBack() || closed || breaker.isAway()) {
      return !closed && !breaker.isAway();
    }
    try {
      Optional<Connection> one = kept(0); // asked, not believed
      keep(one.isPresent() ? one.get() : opened());
      return true;
    } catch (SQLException e) {
      if (takesNoMore(e)) {
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
      } else if (connection == first) {
        keepOneToCopy();
      }
    }
    if (!usable) {
      close(connection);
    }
    turns.release();
  }

  /** The first leaves: without another one there would be nothing to copy any more. */
  private synchronized void keepOneToCopy() {
    if (connector.hasCopies() && !closed) {
      try {
        first = connector.copy(first);
      } catch (SQLException e) {
        log.failure("copy", e);
      }
    }
  }

  /** For the next question. */
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

  /** Without a word to a server that may not listen; SQLite's driver does nothing but close. */
  private void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      log.failure("abort", e);
    }
    close(connection);
  }

  /** After one that broke: others that nobody used since are likely to be broken, too. */
  void dropIdle() {
    if (canComeBack()) {
      abortAll(takeIdle());
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

  /** Closes idle connections; those in use are closed when they come back. */
  @Override
  public void close() {
    closed = true;
    takeIdle().forEach(this::close);
    unusedToCopy().ifPresent(this::close);
  }

  private synchronized Optional<Connection> unusedToCopy() {
    return connector.hasCopies() && !used.contains(first) ? Optional.of(first) : Optional.empty();
  }
}
