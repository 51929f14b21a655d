package flexdp.server.wire;

/**
 * Bytes that are no message of the protocol, or a message where it does not belong. The connection
 * ends: what follows cannot be told apart from more of the same.
 */
public final class ProtocolError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ProtocolError(String message) {
    super(message, null, false, false);
  }
}
