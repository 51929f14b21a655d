package flexdp.server.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads heads by the letter of RFC 9112: lines end with CR LF, names are followed by a colon at
 * once, nothing is folded. What others would read otherwise is refused, and the connection with it.
 */
final class HeadReader {
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

  Head next() throws IOException {
    taken = 0;
    String[] first = line(414, "URI_TOO_LONG", LONGEST_TARGET).split(" ", -1);
    if (first.length != 3 || !METHOD.matcher(first[0]).matches()) {
      throw Refusal.malformed("the first line of a request is METHOD /path HTTP/1.1");
    }
    if (!VERSION.matcher(first[2]).matches()) {
      throw Refusal.of(505, "VERSION_NOT_SUPPORTED", "the only version is HTTP/1.1");
    }
    Map<String, List<String>> headers = headers();
    Target target = Target.of(first[1]);
    return new Head(first[0], target, headers, first[2].endsWith("1")).requireOneFraming();
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
        throw Refusal.of(431, "HEADERS_TOO_LARGE", "there are too many headers");
      }
      if (colon < 1 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
        throw Refusal.malformed("a header is Name: value on one line");
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
          throw Refusal.malformed("lines end with CR LF");
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
      }
      if (b < ' ' && b != '\t' || b == 127) {
        throw Refusal.malformed("a line has a control character");
      }
      if (length >= longest || ++taken > LONGEST) {
        throw Refusal.of(status, code, "the head of the request is too long");
      }
      if (length == bytes.length) {
        bytes = java.util.Arrays.copyOf(bytes, length * 2);
      }
      bytes[length++] = (byte) b;
    }
  }
}
