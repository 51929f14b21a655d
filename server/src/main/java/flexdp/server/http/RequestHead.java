package flexdp.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A request without its body.
 *
 * @param headers by name in small letters, each value as it came
 * @param latest whether it is HTTP/1.1 rather than 1.0
 */
public record RequestHead(
    String method, RequestTarget target, Map<String, List<String>> headers, boolean latest) {
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,12}");

  public RequestHead {
    headers = Map.copyOf(headers);
  }

  /** The only value of a header; one that stands twice where it may not is refused. */
  public Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw HttpRefusal.malformed("the header " + name + " stands twice");
    }
    return values.stream().findFirst();
  }

  boolean isChunked() {
    return headers.containsKey("transfer-encoding");
  }

  OptionalLong length() {
    Optional<String> length = header("content-length");
    return length.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(length.get()));
  }

  /** Whether the client wants to go on after this request. */
  boolean isLasting() {
    String wanted = header("connection").orElse("").toLowerCase(Locale.ROOT);
    return latest && !List.of(wanted.split("\\s*,\\s*")).contains("close");
  }

  /** Two readers must never disagree on where the body ends. */
  RequestHead requireOneFraming() {
    if (headers.getOrDefault("host", List.of()).size() != 1 && latest) {
      throw HttpRefusal.malformed("a request has one Host header");
    }
    if (isChunked()) {
      if (!latest || headers.containsKey("content-length")) {
        throw HttpRefusal.malformed("a body has one length");
      }
      if (!header("transfer-encoding").orElse("").equalsIgnoreCase("chunked")) {
        throw HttpRefusal.of(501, "NOT_IMPLEMENTED", "the only transfer encoding is chunked");
      }
    }
    if (!LENGTH.matcher(header("content-length").orElse("0")).matches()) {
      throw HttpRefusal.malformed("the length of the body is no number");
    }
    if (!header("expect").orElse("100-continue").equalsIgnoreCase("100-continue")) {
      throw HttpRefusal.of(417, "EXPECTATION_FAILED", "the only expectation is 100-continue");
    }
    header("host");
    return this;
  }
}
