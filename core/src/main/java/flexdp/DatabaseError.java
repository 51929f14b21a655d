package flexdp;

/**
 * The database could not be reached or did not answer. Its own words are not repeated: a cast or a
 * division that fails depends on the data.
 */
public final class DatabaseError extends Failure {
  private static final long serialVersionUID = 1L;

  private DatabaseError(String message, String hint) {
    super(message, hint);
  }

  public static DatabaseError of(String message, String hint) {
    return new DatabaseError(message, hint);
  }

  @Override
  public String codeName() {
    return "DATABASE_FAILED";
  }

  @Override
  public int exitCode() {
    return 5;
  }
}
