package flexdp.failure;

import java.util.Optional;

/**
 * The database could not be reached or did not answer. Its own words are not repeated: a cast or a
 * division that fails depends on the data.
 */
public final class DatabaseError extends Failure {
  private static final long serialVersionUID = 1L;

  /**
   * What is said of a question that took too long or too much memory, now and whenever it is asked
   * again: one sentence for both, so that it does not tell which.
   */
  public static final String TOO_LATE =
      "The question reads too much: the database took longer, or more memory, than the owner"
          + " allows.";

  /** What an analyst is told when a statement failed. */
  public static final String NO_ANSWER = "The database could not answer the question.";

  private final boolean lost;
  private final boolean away;

  private DatabaseError(String message, String hint, boolean lost, boolean away) {
    super(message, hint);
    this.lost = lost;
    this.away = away;
  }

  public static DatabaseError of(String message, String hint) {
    return new DatabaseError(message, hint, false, false);
  }

  /** The connection broke while it was asked something. */
  public static DatabaseError lost(String message, String hint) {
    return new DatabaseError(message, hint, true, false);
  }

  /** There is no connection to it: nothing was asked, and nothing depends on the data. */
  public static DatabaseError away() {
    return new DatabaseError(
        "The database is away: it is stopped, starting up or cannot be reached.",
        "Ask again when it is back; nothing was asked of it. The owner's log says why.",
        true,
        true);
  }

  /** For the owner, with what the database said; analysts are shown neither. */
  public static DatabaseError because(String message, String hint, Throwable cause) {
    return new DatabaseError(message, hint, Optional.of(cause));
  }

  private DatabaseError(String message, String hint, Optional<Throwable> cause) {
    super(message, hint, cause);
    this.lost = false;
    this.away = false;
  }

  /** Whether it says nothing of the question: the connection broke. */
  public boolean isLost() {
    return lost;
  }

  /** Whether it could not even be asked. */
  public boolean isAway() {
    return away;
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
