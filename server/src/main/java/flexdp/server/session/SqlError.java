package flexdp.server.session;

import java.util.Optional;

/**
 * A request that the door itself refuses, in PostgreSQL's words and with its code.
 *
 * @see ErrorFields for failures of questions
 */
public final class SqlError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String state;
  private final String hint;
  private final transient Optional<Integer> at;

  private SqlError(String state, String message, String hint, Optional<Integer> at) {
    super(message, null, false, false);
    this.state = state;
    this.hint = hint;
    this.at = at;
  }

  public static SqlError of(String state, String message) {
    return new SqlError(state, message, "", Optional.empty());
  }

  public static SqlError of(String state, String message, String hint) {
    return new SqlError(state, message, hint, Optional.empty());
  }

  /**
   * @param at the character of the statement that is to blame, counted from zero
   */
  public static SqlError at(int at, String state, String message, String hint) {
    return new SqlError(state, message, hint, Optional.of(at));
  }

  public String state() {
    return state;
  }

  public String hint() {
    return hint;
  }

  public Optional<Integer> at() {
    return at;
  }
}
