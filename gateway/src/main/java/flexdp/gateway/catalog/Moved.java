package flexdp.gateway.catalog;

/**
 * Tables were redefined while they were looked at. What was read is thrown away, and read once
 * more.
 */
public final class Moved extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Moved() {
    super("a table was redefined while it was read", null, false, false);
  }
}
