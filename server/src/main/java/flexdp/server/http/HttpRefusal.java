package flexdp.server.http;

import java.util.Map;
import java.util.TreeMap;

/**
 * A request that is not done, and why. Its words are shown, so they hold nothing but what the
 * client sent or may know.
 */
public final class HttpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String hint;
  private final TreeMap<String, String> headers;

  private HttpRefusal(
      int status, String code, String message, String hint, Map<String, String> headers) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.headers = new TreeMap<>(headers);
  }

  public static HttpRefusal of(int status, String code, String message) {
    return new HttpRefusal(status, code, message, "", Map.of());
  }

  public static HttpRefusal of(int status, String code, String message, String hint) {
    return new HttpRefusal(status, code, message, hint, Map.of());
  }

  static HttpRefusal malformed(String message) {
    return of(400, "BAD_REQUEST", message);
  }

  /** This refusal with a header, such as the methods that are allowed. */
  public HttpRefusal with(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new HttpRefusal(status, code, getMessage(), hint, more);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public String hint() {
    return hint;
  }

  public Map<String, String> headers() {
    return Map.copyOf(headers);
  }
}
