package flexdp.server.wire;

/** A text that is not UTF-8. The message was whole, so the connection goes on. */
public final class BadText extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadText() {
    super("invalid byte sequence for encoding \"UTF8\"", null, false, false);
  }
}
