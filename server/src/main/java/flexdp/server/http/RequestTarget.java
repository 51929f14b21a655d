package flexdp.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a request is about. Every way to write a place that is not the plain one is refused: empty
 * and dotted segments, slashes that are encoded, control characters.
 *
 * @param segments of the path, decoded; none for /
 * @param query each name at most once
 */
public record RequestTarget(List<String> segments, Map<String, String> query) {
  private static final String MARKS = "-._~!$&'()*+,;=:@/%";

  public RequestTarget {
    segments = List.copyOf(segments);
    query = Map.copyOf(query);
  }

  /** The path as it is written plainly. */
  public String path() {
    return "/" + String.join("/", segments);
  }

  static RequestTarget of(String text) {
    if (!text.startsWith("/")) {
      throw HttpRefusal.malformed("the target of a request is a path");
    }
    int mark = text.indexOf('?');
    String path = mark < 0 ? text : text.substring(0, mark);
    String query = mark < 0 ? "" : text.substring(mark + 1);
    requirePlain(path, "");
    requirePlain(query, "?");
    return new RequestTarget(segments(path), query(query));
  }

  private static void requirePlain(String text, String more) {
    boolean plain =
        text.chars()
            .allMatch(
                c ->
                    c >= '0' && c <= '9'
                        || c >= 'a' && c <= 'z'
                        || c >= 'A' && c <= 'Z'
                        || MARKS.indexOf(c) >= 0
                        || more.indexOf(c) >= 0);
    if (!plain) {
      throw HttpRefusal.malformed("the target has characters that must be encoded");
    }
  }

  private static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    if (path.equals("/")) {
      return segments;
    }
    for (String part : path.substring(1).split("/", -1)) {
      String segment = decoded(part);
      boolean odd =
          segment.isEmpty()
              || segment.equals(".")
              || segment.equals("..")
              || segment.chars().anyMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c));
      if (odd) {
        throw HttpRefusal.of(404, "NOT_FOUND", "there is nothing at this path");
      }
      segments.add(segment);
    }
    return segments;
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return query;
    }
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decoded((equals < 0 ? pair : pair.substring(0, equals)).replace('+', ' '));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1).replace('+', ' '));
      if (query.put(name, value) != null) {
        throw HttpRefusal.malformed("a parameter of the query stands twice");
      }
    }
    return query;
  }

  private static String decoded(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        bytes.put((byte) c);
      } else {
        boolean whole = i + 2 < text.length();
        int high = whole ? digit(text.charAt(i + 1)) : -1;
        int low = whole ? digit(text.charAt(i + 2)) : -1;
        if (high < 0 || low < 0) {
          throw HttpRefusal.malformed("a percent sign is followed by two digits");
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw HttpRefusal.malformed("what is encoded in the target is no UTF-8");
    }
  }

  private static int digit(char c) {
    return Character.digit(c, 16) >= 0 && c < 128 ? Character.digit(c, 16) : -1;
  }
}
