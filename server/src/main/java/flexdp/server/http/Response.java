package flexdp.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An answer to a request.
 *
 * @param length of what is written, where that is known before
 */
public record Response(
    int status, Map<String, String> headers, Optional<Integer> length, Content content) {
  /** Writes the body. */
  @FunctionalInterface
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  public static Response empty(int status) {
    return new Response(status, Map.of(), Optional.of(0), out -> {});
  }

  public static Response text(int status, String type, String text) {
    return bytes(status, type, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Response bytes(int status, String type, byte[] bytes) {
    return new Response(
        status, Map.of("Content-Type", type), Optional.of(bytes.length), out -> out.write(bytes));
  }

  /** A body that is written as it is made. */
  public static Response stream(String type, Content content) {
    return new Response(200, Map.of("Content-Type", type), Optional.empty(), content);
  }

  /** This response with another header. */
  public Response with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(status, more, length, content);
  }
}
