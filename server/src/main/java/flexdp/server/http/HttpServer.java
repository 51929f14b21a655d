package flexdp.server.http;

import flexdp.gateway.pause.Pause;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Listens for browsers and programs: a thread for each connection, of the cheap kind. */
public final class HttpServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 1_000;
  private static final Duration DRAINING = Duration.ofMinutes(1);
  private static final Duration AGAIN = Duration.ofMillis(50);

  private final Handler handler;
  private final Optional<Encryption> encryption;
  private final ServerSocket listener;
  private final Set<Watching> open = ConcurrentHashMap.newKeySet();
  private final Set<Socket> busy = ConcurrentHashMap.newKeySet();
  private final Semaphore places = new Semaphore(MOST_CONNECTIONS);
  private volatile boolean stopping;

  /** Encrypts a connection. */
  @FunctionalInterface
  public interface Encryption {
    Socket over(Socket socket) throws IOException;
  }

  private HttpServer(Handler handler, Optional<Encryption> encryption, ServerSocket listener) {
    this.handler = handler;
    this.encryption = encryption;
    this.listener = listener;
  }

  /**
   * Listens from now on.
   *
   * @param port 0 for any that is free
   */
  public static HttpServer start(
      Handler handler, Optional<Encryption> encryption, InetAddress address, int port)
      throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(address, port), 512);
    HttpServer server = new HttpServer(handler, encryption, listener);
    Thread.ofPlatform().daemon().name("flexdp-http").start(server::accept);
    Thread.ofPlatform().daemon().name("flexdp-http-deadlines").start(server::sweep);
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
        if (!places.tryAcquire() && !made()) {
          socket.close();
          continue;
        }
        Watching watch = new Watching(socket);
        open.add(watch);
        Thread.ofVirtual().name("flexdp-browser").start(() -> serve(socket, watch));
      } catch (IOException e) {
        if (listener.isClosed()) {
          return;
        }
        Pause.quietly(AGAIN); // out of descriptors, perhaps
      }
    }
  }

  /** Room for a new connection in place of the one that has been idle longest. */
  private boolean made() {
    open.stream()
        .filter(watch -> !busy.contains(watch.socket))
        .min(Comparator.comparingLong(watch -> watch.idle))
        .ifPresent(watch -> close(watch.socket));
    try {
      return places.tryAcquire(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waking a thread for the deadlines of each request would cost more than most requests. */
  private void sweep() {
    while (!stopping || !open.isEmpty()) {
      Pause.quietly(AGAIN);
      long now = System.nanoTime();
      open.forEach(watch -> watch.closeAfter(now));
    }
  }

  private void serve(Socket socket, Watching watch) {
    try (socket) {
      socket.setTcpNoDelay(true);
      Runnable greeted = watch.within(Duration.ofSeconds(20));
      Socket spoken = encryption.isPresent() ? encryption.get().over(socket) : socket;
      greeted.run();
      new HttpConnection(spoken, encryption.isPresent(), handler, watch).run();
    } catch (IOException e) {
      return; // the client is gone, or was too slow
    } catch (RuntimeException e) {
      handler.failed(e);
    } finally {
      busy.remove(socket);
      open.remove(watch);
      places.release();
    }
  }

  private final class Watching implements HttpConnection.Watch {
    private final Socket socket;
    private volatile long idle = System.nanoTime();
    private volatile long began;
    private volatile long allowed = Long.MAX_VALUE;

    Watching(Socket socket) {
      this.socket = socket;
    }

    @Override
    public boolean stopping() {
      return stopping;
    }

    @Override
    public void busy(boolean now) {
      if (now) {
        busy.add(socket);
      } else {
        idle = System.nanoTime();
        busy.remove(socket);
      }
    }

    @Override
    public Runnable within(Duration time) {
      began = System.nanoTime();
      allowed = time.toNanos();
      return () -> allowed = Long.MAX_VALUE;
    }

    private void closeAfter(long now) {
      if (now - began > allowed) {
        HttpServer.close(socket);
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      return; // closed already
    }
  }

  /** No new connections; answers in flight are sent, then connections end. */
  @Override
  public void close() {
    stopping = true;
    close(listener);
    Pause.until(busy::isEmpty, DRAINING);
    open.forEach(watch -> close(watch.socket));
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      return; // closed already
    }
  }
}
