package flexdp.gateway.database;

/** Whoever asked wished the question to stop. */
public final class Stopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Stopped() {
    super("the question was cancelled", null, false, false);
  }
}
