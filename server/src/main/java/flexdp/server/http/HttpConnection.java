package flexdp.server.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Supplier;

/** The requests of one client, one after another. */
final class HttpConnection {
  private static final int IDLE_MILLIS = 60_000;
  private static final Duration READING = Duration.ofSeconds(20);
  private static final Duration WRITING = Duration.ofMinutes(5);

  /** What somebody whom nobody knows may send; a login is short. */
  private static final int STRANGERS_BODY = 16_000;

  private static final int BODY = 1_000_000;
  private static final int MOST_DRAINED = 2_000_000;

  private final Socket socket;
  private final boolean encrypted;
  private final Handler handler;
  private final Watch watch;
  private final InputStream in;
  private final ResponseWriter writer;

  /** Looks after connections. */
  interface Watch {
    boolean stopping();

    /** Whether a request is being handled, which a stop waits for. */
    void busy(boolean now);

    /** Closes the connection unless it is told within this time that the step is done. */
    Runnable within(Duration time);
  }

  HttpConnection(Socket socket, boolean encrypted, Handler handler, Watch watch)
      throws IOException {
    this.socket = socket;
    this.encrypted = encrypted;
    this.handler = handler;
    this.watch = watch;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.writer = new ResponseWriter(new BufferedOutputStream(socket.getOutputStream(), 16_384));
  }

  void run() throws IOException {
    boolean open = true;
    while (open && !watch.stopping()) {
      socket.setSoTimeout(IDLE_MILLIS);
      in.mark(1);
      if (in.read() < 0) {
        return;
      }
      in.reset();
      watch.busy(true);
      try {
        open = one();
      } finally {
        watch.busy(false);
      }
    }
  }

  private boolean one() throws IOException {
    Runnable read = watch.within(READING);
    HttpRequest request;
    try {
      Head head = new HeadReader(in).next();
      boolean known = head.header("cookie").isPresent() || head.header("authorization").isPresent();
      BodyReader body = new BodyReader(in, known ? BODY : STRANGERS_BODY);
      if (head.header("expect").isPresent() && head.latest()) {
        if (head.length().orElse(0) > BODY) {
          throw body.tooLarge();
        }
        writer.proceed();
      }
      request =
          new HttpRequest(
              head, body.read(head), socket.getInetAddress().getHostAddress(), encrypted);
    } catch (Refusal e) {
      writer.write(handler.refused(e), true, false, false);
      drain();
      return false;
    } finally {
      read.run();
    }
    Response response = guarded(() -> handler.handle(request));
    Runnable written = watch.within(WRITING);
    try {
      Head head = request.head();
      boolean lasting = head.isLasting() && !watch.stopping();
      return writer.write(response, head.latest(), head.method().equals("HEAD"), lasting);
    } finally {
      written.run();
    }
  }

  private Response guarded(Supplier<Response> work) {
    try {
      return work.get();
    } catch (Refusal e) {
      return handler.refused(e);
    } catch (RuntimeException | StackOverflowError e) {
      handler.failed(e);
      return handler.refused(
          Refusal.of(
              500,
              "INTERNAL",
              "The request could not be handled.",
              "The owner finds the cause in the log."));
    }
  }

  /** A client that is still writing would not see why it was refused. */
  private void drain() throws IOException {
    Runnable drained = watch.within(Duration.ofSeconds(2));
    try {
      socket.shutdownOutput();
      long left = MOST_DRAINED;
      byte[] bytes = new byte[8_192];
      int n;
      while (left > 0 && (n = in.read(bytes)) > 0) {
        left -= n;
      }
    } finally {
      drained.run();
    }
  }
}
