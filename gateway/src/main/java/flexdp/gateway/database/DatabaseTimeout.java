package flexdp.gateway.database;

/** The statement took longer than the owner allows. */
public final class DatabaseTimeout extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DatabaseTimeout() {
    super("the statement took too long", null, false, false);
  }
}
