package flexdp.wasm;

/** Ends a run that went beyond its limits. */
final class Ended extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Ended() {
    super("a run ended", null, false, false);
  }
}
