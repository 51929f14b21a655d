package flexdp.gateway.database;

/** The caller wished the question to stop. */
public final class Stopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Stopped() {
    super("the question was cancelled", null, false, false);
  }
}
