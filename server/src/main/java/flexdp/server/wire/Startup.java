package flexdp.server.wire;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a client says first. */
public sealed interface Startup {
  /** Asks for TLS. */
  record Tls() implements Startup {}

  /** Asks for encryption by GSSAPI, which this server does not have. */
  record Gss() implements Startup {}

  /** Asks to stop what another connection is doing. */
  record Cancel(int process, int secret) implements Startup {}

  /**
   * Wants to log in.
   *
   * @param minor of the protocol's version 3
   */
  record Login(int minor, Map<String, String> parameters) implements Startup {}

  /**
   * @throws ProtocolError for anything else, and for other versions of the protocol
   */
  static Startup of(byte[] message) {
    MessageReader body = new MessageReader(message);
    int code = body.int32();
    return switch (code) {
      case 80877103 -> new Tls();
      case 80877104 -> new Gss();
      case 80877102 -> {
        Cancel cancel = new Cancel(body.int32(), body.int32());
        body.end();
        yield cancel;
      }
      default -> login(code, body);
    };
  }

  private static Login login(int code, MessageReader body) {
    if (code >> 16 != 3) {
      throw new ProtocolError(
          "unsupported frontend protocol " + (code >>> 16) + "." + (code & 0xffff));
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String name = body.text(); !name.isEmpty(); name = body.text()) {
      parameters.put(name, body.text());
    }
    body.end();
    return new Login(code & 0xffff, Map.copyOf(parameters));
  }
}
