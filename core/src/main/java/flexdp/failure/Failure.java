package flexdp.failure;

import java.util.Objects;
import java.util.Optional;

/**
 * Everything that can be wrong with a question, in one family, so that the terminal, JSON, JDBC and
 * the wire say the same words. No message ever holds a value that was seen in the data.
 */
public abstract sealed class Failure extends RuntimeException
    permits Rejection, ConfigurationError, BudgetError, LedgerError, DatabaseError {
  private static final long serialVersionUID = 1L;

  private final String hint;

  /** An outcome like others, not a fault: where it arose tells nobody anything. */
  Failure(String message, String hint) {
    super(message, null, false, false);
    this.hint = Objects.requireNonNull(hint);
  }

  /** A fault that somebody has to look into. */
  Failure(String message, String hint, Optional<Throwable> cause) {
    super(message, cause.orElse(null));
    this.hint = Objects.requireNonNull(hint);
  }

  /** The stable, upper-case name that programs look at. */
  public abstract String codeName();

  /** The exit code of the command line. */
  public abstract int exitCode();

  /** One sentence: what is wrong. */
  public final String message() {
    return getMessage();
  }

  /** What to do instead; may be empty. */
  public final String hint() {
    return hint;
  }

  /** Where in the analyst's text, when one place is to blame. */
  public Optional<Position> at() {
    return Optional.empty();
  }
}
