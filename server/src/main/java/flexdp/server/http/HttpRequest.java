package flexdp.server.http;

import java.util.Optional;

/**
 * A request that was read whole.
 *
 * @param address of the client
 * @param encrypted whether it came over TLS
 */
public record HttpRequest(RequestHead head, byte[] body, String address, boolean encrypted) {
  public String method() {
    return head.method();
  }

  public RequestTarget target() {
    return head.target();
  }

  /**
   * @param name in small letters
   */
  public Optional<String> header(String name) {
    return head.header(name);
  }

  @Override
  public String toString() {
    return method() + " " + target().path();
  }
}
