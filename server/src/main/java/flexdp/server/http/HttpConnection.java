package flexdp.server.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;

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
      RequestHead head = new HeadReader(in).next();
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
    } catch (HttpRefusal e) {
      writer.write(handler.refused(e), true, false, false);
      drain();
      return false;
    } finally {
      read.run();
    }
    Response response = guarded(() -> handler.handle(request));
    Runnable written = watch.within(WRITING);
    try {
      RequestHead head = request.head();
      boolean lasting = head.isLasting() && !watch.stopping();
      return writer.write(response, head.latest(), head.method().equals("HEAD"), lasting);
    } finally {
      written.run();
    }
  }

  private Response guarded(Supplier<Response> work) {
    try {
      return work.get();
    } catch (HttpRefusal e) {
      return handler.refused(e);
    } catch (RuntimeException | StackOverflowError e) {
      handler.failed(e);
      return handler.refused(
          HttpRefusal.of(
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

  /**
   * Reads heads by the letter of RFC 9112: lines end with CR LF, names are followed by a colon at
   * once, nothing is folded. What others would read otherwise is refused, and the connection with
   * it.
   */
  static final class HeadReader {
    private static final int LONGEST_TARGET = 8_000;
    private static final int LONGEST = 32_000;
    private static final int MOST_HEADERS = 100;
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final Pattern VERSION = Pattern.compile("HTTP/1\\.[01]");

    private final InputStream in;
    private int taken;

    HeadReader(InputStream in) {
      this.in = in;
    }

    RequestHead next() throws IOException {
      taken = 0;
      String[] first = line(414, "URI_TOO_LONG", LONGEST_TARGET).split(" ", -1);
      if (first.length != 3 || !METHOD.matcher(first[0]).matches()) {
        throw HttpRefusal.malformed("the first line of a request is METHOD /path HTTP/1.1");
      }
      if (!VERSION.matcher(first[2]).matches()) {
        throw HttpRefusal.of(505, "VERSION_NOT_SUPPORTED", "the only version is HTTP/1.1");
      }
      Map<String, List<String>> headers = headers();
      RequestTarget target = RequestTarget.of(first[1]);
      return new RequestHead(first[0], target, headers, first[2].endsWith("1")).requireOneFraming();
    }

    private Map<String, List<String>> headers() throws IOException {
      Map<String, List<String>> headers = new HashMap<>();
      for (int i = 0; ; i++) {
        String line = line(431, "HEADERS_TOO_LARGE", LONGEST);
        if (line.isEmpty()) {
          return headers;
        }
        int colon = line.indexOf(':');
        if (i == MOST_HEADERS) {
          throw HttpRefusal.of(431, "HEADERS_TOO_LARGE", "there are too many headers");
        }
        if (colon < 1 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
          throw HttpRefusal.malformed("a header is Name: value on one line");
        }
        headers
            .computeIfAbsent(
                line.substring(0, colon).toLowerCase(Locale.ROOT), n -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
    }

    private String line(int status, String code, int longest) throws IOException {
      byte[] bytes = new byte[256];
      int length = 0;
      while (true) {
        int b = in.read();
        if (b < 0) {
          throw new EOFException();
        }
        if (b == '\r') {
          if (in.read() != '\n') {
            throw HttpRefusal.malformed("lines end with CR LF");
          }
          return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        }
        if (b < ' ' && b != '\t' || b == 127) {
          throw HttpRefusal.malformed("a line has a control character");
        }
        if (length >= longest || ++taken > LONGEST) {
          throw HttpRefusal.of(status, code, "the head of the request is too long");
        }
        if (length == bytes.length) {
          bytes = java.util.Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) b;
      }
    }
  }

  /** Reads bodies, none larger than the limit. */
  static final class BodyReader {
    private static final int LONGEST_SIZE_LINE = 16;

    private final InputStream in;
    private final int limit;

    BodyReader(InputStream in, int limit) {
      this.in = in;
      this.limit = limit;
    }

    byte[] read(RequestHead head) throws IOException {
      if (head.isChunked()) {
        return chunks();
      }
      OptionalLong length = head.length();
      if (length.orElse(0) > limit) {
        throw tooLarge();
      }
      return exactly((int) length.orElse(0));
    }

    HttpRefusal tooLarge() {
      return HttpRefusal.of(413, "BODY_TOO_LARGE", "the body has more than " + limit + " bytes");
    }

    private byte[] exactly(int length) throws IOException {
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException();
      }
      return bytes;
    }

    private byte[] chunks() throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      while (true) {
        int size = size();
        if (size == 0) {
          end();
          return all.toByteArray();
        }
        if (size > limit - all.size()) {
          throw tooLarge();
        }
        all.writeBytes(exactly(size));
        end();
      }
    }

    /** Hexadecimal digits and nothing else: extensions and trailers are not taken. */
    private int size() throws IOException {
      StringBuilder digits = new StringBuilder();
      while (true) {
        int b = in.read();
        if (b < 0) {
          throw new EOFException();
        }
        if (b == '\r') {
          break;
        }
        if (Character.digit(b, 16) < 0 || digits.length() == LONGEST_SIZE_LINE) {
          throw HttpRefusal.malformed("the size of a chunk is no number");
        }
        digits.append((char) b);
      }
      if (in.read() != '\n' || digits.isEmpty()) {
        throw HttpRefusal.malformed("the size of a chunk is no number");
      }
      long size = Long.parseUnsignedLong(digits.toString(), 16);
      return size < 0 || size > limit ? Integer.MAX_VALUE : (int) size;
    }

    private void end() throws IOException {
      if (in.read() != '\r' || in.read() != '\n') {
        throw HttpRefusal.malformed("a chunk is longer than it says, or has a trailer");
      }
    }
  }
}
