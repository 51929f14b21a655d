package flexdp;

import java.util.Optional;

/**
 * Everything that can be wrong with a question, in one family, so that the terminal, JSON, JDBC and
 * the wire say the same words. No message ever holds a value that was seen in the data.
 */
public sealed interface Failure
    permits Rejection, ConfigurationError, BudgetError, LedgerError, DatabaseError {
  /** The stable, upper-case name that programs look at. */
  String codeName();

  /** One sentence: what is wrong. */
  String message();

  /** What to do instead; may be empty. */
  String hint();

  /** Where in the analyst's text, when one place is to blame. */
  Optional<Position> at();

  /** The exit code of the command line. */
  int exitCode();
}
