package flexdp;

import java.util.Objects;
import java.util.Optional;

/**
 * The database could not be reached or did not answer. Its own words are not repeated: a cast or a
 * division that fails depends on the data.
 */
public final class DatabaseError extends RuntimeException implements Failure {
  private static final long serialVersionUID = 1L;

  private final String hint;

  private DatabaseError(String message, String hint) {
    super(message, null, false, false);
    this.hint = Objects.requireNonNull(hint);
  }

  public static DatabaseError of(String message, String hint) {
    return new DatabaseError(message, hint);
  }

  @Override
  public String codeName() {
    return "DATABASE_FAILED";
  }

  @Override
  public String message() {
    return getMessage();
  }

  @Override
  public String hint() {
    return hint;
  }

  @Override
  public Optional<Position> at() {
    return Optional.empty();
  }

  @Override
  public int exitCode() {
    return 5;
  }
}
