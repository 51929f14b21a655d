package flexdp;

import java.util.Optional;

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

  /** For the owner, with what the database said; analysts are shown neither. */
  public static DatabaseError because(String message, String hint, Throwable cause) {
    return new DatabaseError(message, hint, Optional.of(cause));
  }

  private DatabaseError(String message, String hint, Optional<Throwable> cause) {
    super(message, hint, cause);
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
