package flexdp.server.wire;

/**
 * Bytes that are no message of the protocol, or a message where it does not belong. Where it ends
 * is known by its length, so the connection goes on after an error, as PostgreSQL's does, unless
 * even that cannot be believed.
 */
public final class ProtocolError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean fatal;

  private ProtocolError(String message, boolean fatal) {
    super(message, null, false, false);
    this.fatal = fatal;
  }

  public ProtocolError(String message) {
    this(message, true);
  }

  /** A message of a known kind with another content than such have. */
  static ProtocolError malformed() {
    return new ProtocolError("invalid message format", false);
  }

  /** Whether the connection ends. */
  public boolean isFatal() {
    return fatal;
  }
}
