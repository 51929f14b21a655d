package flexdp.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes responses, each with the headers that keep a browser from doing more than it should. */
final class ResponseWriter {
  private static final Map<String, String> USUAL = new LinkedHashMap<>();

  static {
    USUAL.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    USUAL.put("X-Content-Type-Options", "nosniff");
    USUAL.put("Referrer-Policy", "no-referrer");
    USUAL.put("Cross-Origin-Opener-Policy", "same-origin");
    USUAL.put("Cross-Origin-Resource-Policy", "same-origin");
    USUAL.put("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    USUAL.put("Cache-Control", "no-store");
  }

  private final OutputStream out;

  ResponseWriter(OutputStream out) {
    this.out = out;
  }

  void proceed() throws IOException {
    ascii("HTTP/1.1 100 Continue\r\n\r\n");
    out.flush();
  }

  /**
   * @param bodiless whether the head alone is wanted
   * @return whether the connection can go on
   */
  boolean write(Response response, boolean latest, boolean bodiless, boolean lasting)
      throws IOException {
    boolean chunked = response.length().isEmpty() && latest;
    boolean goesOn = lasting && (response.length().isPresent() || chunked);
    Map<String, String> headers = new LinkedHashMap<>(USUAL);
    headers.putAll(response.headers());
    headers.put("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(now()));
    if (chunked) {
      headers.put("Transfer-Encoding", "chunked");
    } else if (response.status() != 204 && response.status() != 304) {
      response.length().ifPresent(n -> headers.put("Content-Length", String.valueOf(n)));
    }
    if (!goesOn) {
      headers.put("Connection", "close");
    }
    StringBuilder text = new StringBuilder(600);
    text.append("HTTP/1.1 ").append(response.status()).append(' ').append("\r\n");
    headers.forEach(
        (name, value) -> text.append(name).append(": ").append(clean(value)).append("\r\n"));
    ascii(text.append("\r\n").toString());
    if (!bodiless) {
      if (chunked) {
        try (Chunks chunks = new Chunks(out)) {
          response.content().write(chunks);
          chunks.finish();
        }
      } else {
        response.content().write(out);
      }
    }
    out.flush();
    return goesOn;
  }

  private static ZonedDateTime now() {
    return ZonedDateTime.now(ZoneOffset.UTC);
  }

  /** No value of ours ends a line; one that does would be a way to write headers. */
  private static String clean(String value) {
    boolean plain = value.chars().allMatch(c -> c >= ' ' && c < 127);
    if (!plain) {
      throw new IllegalArgumentException("a header must be printable");
    }
    return value;
  }

  private void ascii(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A body in chunks. One that is not finished shows its reader that it was cut off. */
  static final class Chunks extends OutputStream {
    private final OutputStream out;
    private final byte[] buffer = new byte[32 * 1024];
    private int filled;

    Chunks(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      if (filled == buffer.length) {
        send();
      }
      buffer[filled++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      int at = from;
      int left = length;
      while (left > 0) {
        if (filled == buffer.length) {
          send();
        }
        int some = Math.min(left, buffer.length - filled);
        System.arraycopy(bytes, at, buffer, filled, some);
        filled += some;
        at += some;
        left -= some;
      }
    }

    private void send() throws IOException {
      if (filled > 0) {
        out.write((Integer.toHexString(filled) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(buffer, 0, filled);
        out.write('\r');
        out.write('\n');
        filled = 0;
      }
    }

    void finish() throws IOException {
      send();
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
