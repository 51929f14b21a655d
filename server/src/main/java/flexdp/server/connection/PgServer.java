package flexdp.server.connection;

import flexdp.failure.Failure;
import flexdp.gateway.pause.Pause;
import flexdp.server.engine.Engine;
import flexdp.server.engine.WatchedEngine;
import flexdp.server.login.User;
import flexdp.server.session.ClientSession;
import flexdp.server.session.SessionSettings;
import flexdp.server.session.SqlError;
import flexdp.server.sql.Statement;
import flexdp.server.sql.StatementText;
import flexdp.server.wire.MemoryPool;
import flexdp.server.wire.Replies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The PostgreSQL door: a thread for each connection, of the kind of which there can be thousands.
 */
public final class PgServer implements AutoCloseable {
  private static final Duration LOGIN = Duration.ofSeconds(30);
  private static final int MOST_CONNECTIONS = 3_000;
  private static final int MOST_OF_ONE = 1_200;

  /** What a client has to read its last answer. */
  private static final Duration DRAINING = Duration.ofSeconds(5);

  private static final Duration AGAIN = Duration.ofMillis(50);

  private static final int MOST_STRANGERS = 500;
  private static final String TERMINATING = "terminating connection due to administrator command";

  private final ServerState serverState;
  private final ServerSocket listener;
  private final CancelKeys cancels = new CancelKeys();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> busy = ConcurrentHashMap.newKeySet();
  private final Map<Socket, Replies> seated = new ConcurrentHashMap<>();
  private volatile boolean stopping;
  private final Semaphore places = new Semaphore(MOST_CONNECTIONS);
  private final PendingConnections pending = new PendingConnections(MOST_STRANGERS);
  private final ConnectionLimits seats = new ConnectionLimits(MOST_OF_ONE);
  private final MemoryPool memory = MemoryPool.ofProcess();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("flexdp-deadlines").factory());

  private PgServer(ServerState serverState, ServerSocket listener) {
    this.serverState = serverState;
    this.listener = listener;
  }

  /**
   * Listens from now on.
   *
   * @param port 0 for any that is free
   */
  public static PgServer start(ServerState serverState, InetAddress address, int port)
      throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(address, port), 512);
    PgServer server = new PgServer(serverState, listener);
    Thread.ofPlatform().daemon().name("flexdp-pg").start(server::accept);
    return server;
  }

  /** How many are connected. */
  public int connections() {
    return open.size();
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        if (!places.tryAcquire()) {
          socket.close();
          continue;
        }
        open.add(socket);
        Thread.ofVirtual().name("flexdp-client").start(() -> serve(socket));
      } catch (IOException e) {
        if (listener.isClosed()) {
          return;
        }
        Pause.quietly(AGAIN); // out of descriptors, perhaps
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        MemoryPool.Part part = memory.part()) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      var opened = login(socket, part);
      if (opened.isPresent()) {
        seated(opened.get());
      }
    } catch (IOException e) {
      return; // the client is gone, or never spoke our language
    } catch (RuntimeException e) {
      serverState.log().failure("connection", e);
    } finally {
      open.remove(socket);
      places.release();
    }
  }

  /** Whoever has not logged in after a while is sent away, however slowly they write. */
  private Optional<StartupHandshake.Opened> login(Socket socket, MemoryPool.Part part)
      throws IOException {
    pending.add(socket);
    ScheduledFuture<?> deadline =
        clock.schedule(
            () -> PendingConnections.close(socket), LOGIN.toMillis(), TimeUnit.MILLISECONDS);
    try {
      return new StartupHandshake(serverState, cancels, part, socket)
          .run(step -> pending.reached(socket, step));
    } finally {
      deadline.cancel(false);
      pending.remove(socket);
    }
  }

  private void seated(StartupHandshake.Opened opened) throws IOException {
    if (!seats.take(opened.user().name())) {
      new FatalError("53300", "too many connections for role \"" + opened.user().name() + "\"")
          .tell(opened.replies());
      return;
    }
    try {
      converse(opened);
    } finally {
      busy.remove(opened.socket());
      seats.leave(opened.user().name());
    }
  }

  private void converse(StartupHandshake.Opened opened) throws IOException {
    User user = opened.user();
    SessionSettings settings = new SessionSettings(user.name());
    try {
      begin(settings, opened.parameters());
    } catch (SqlError | Failure e) {
      new FatalError("22023", e.getMessage()).tell(opened.replies());
      return;
    } catch (FatalError e) {
      e.tell(opened.replies());
      return;
    }
    QueryProtocol.Watch watch = watch(opened);
    Workers.Waiting work =
        serverState
            .workers()
            .waiting(
                user.name(),
                () -> {
                  String ending = watch.ending(true);
                  if (!ending.isEmpty()) {
                    throw SqlError.of("57P01", ending);
                  }
                });
    Engine engine =
        new WatchedEngine(
            opened.offer().engine(), serverState.running(), "postgresql", work::cancel);
    ClientSession session =
        new ClientSession(user, engine, opened.offer().catalogue(), settings, work);
    CancelKeys.Key key = cancels.add(work::cancel);
    seated.put(opened.socket(), opened.replies());
    try (MemoryPool.Part part = memory.part()) {
      QueryProtocol protocol =
          new QueryProtocol(opened.frames(), opened.replies(), session, part, watch);
      protocol.begin(key.process(), key.secret());
      protocol.run();
    } finally {
      seated.remove(opened.socket());
      cancels.remove(key);
    }
  }

  private static void begin(SessionSettings settings, Map<String, String> parameters) {
    parameters.forEach(
        (name, value) -> {
          switch (name) {
            case "user", "database", "replication" -> {
              // told apart before
            }
            case "options" -> StartupHandshake.StartupOptions.of(value).forEach(settings::begin);
            default -> {
              if (!name.startsWith("_pq_.")) {
                settings.begin(name, value);
              }
            }
          }
        });
  }

  private QueryProtocol.Watch watch(StartupHandshake.Opened opened) {
    String address = opened.socket().getInetAddress().getHostAddress();
    String user = opened.user().name();
    String database = opened.offer().engine().name();
    return new QueryProtocol.Watch() {
      @Override
      public String ending(boolean within) {
        if (stopping && !within) {
          return TERMINATING;
        }
        Optional<User> now = opened.secret().in(serverState.served().get().users());
        if (now.isEmpty()) {
          return "the password or token of this connection is no longer valid";
        }
        boolean same = now.get().right() == opened.user().right() && now.get().mayAsk(database);
        return same ? "" : "the rights of this user were changed; connect again";
      }

      @Override
      public void busy(boolean now) {
        synchronized (opened.replies()) { // see farewell
          if (now) {
            busy.add(opened.socket());
          } else {
            busy.remove(opened.socket());
          }
        }
      }

      @Override
      public void ended(Statement statement, String text, String outcome) {
        boolean noted =
            !(statement instanceof Statement.Catalogue) && statement instanceof Statement.Query
                || statement instanceof Statement.Declare
                || statement instanceof Statement.CopyOut
                || statement instanceof Statement.Explain
                || statement instanceof Statement.Execute
                || statement instanceof Statement.Prepare && !outcome.equals("answered");
        if (noted) {
          String what = statement instanceof Statement.Explain ? "explain" : "question";
          serverState
              .audit()
              .record(what, user, address, database, StatementText.bare(text), outcome);
        }
      }

      @Override
      public void failed(Throwable unexpected) {
        serverState.log().failure("request", unexpected);
      }
    };
  }

  /** No new connections; answers in flight finish and are settled, then connections end. */
  @Override
  public void close() {
    stopping = true;
    try {
      listener.close();
    } catch (IOException e) {
      serverState.log().failure("stop", e);
    }
    serverState.workers().close();
    Pause.until(busy::isEmpty, DRAINING);
    seated.forEach(this::farewell);
    open.forEach(PendingConnections::close);
    clock.shutdownNow();
  }

  /**
   * A client that waits for nothing is told why its connection ends; others are told as they ask.
   */
  private void farewell(Socket socket, Replies replies) {
    synchronized (replies) {
      if (!busy.contains(socket)) {
        try {
          new FatalError("57P01", TERMINATING).tell(replies);
        } catch (IOException e) {
          return; // gone already
        }
      }
    }
  }

  /** How many connections each user has; nobody takes all of them. */
  static final class ConnectionLimits {
    private final int most;
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();

    ConnectionLimits(int most) {
      this.most = most;
    }

    /** Whether there was one left for this user. */
    boolean take(String user) {
      if (taken.merge(user, 1, Integer::sum) > most) {
        leave(user);
        return false;
      }
      return true;
    }

    void leave(String user) {
      taken.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    }
  }
}
