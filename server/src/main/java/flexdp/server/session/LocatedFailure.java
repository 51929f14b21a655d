package flexdp.server.session;

import flexdp.failure.Failure;
import java.util.Optional;

/** A failure with its place in the text that the client sent. */
final class LocatedFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Failure failure;
  private final transient Optional<Integer> at;

  /**
   * @param at the character, counted from zero
   */
  LocatedFailure(Failure failure, Optional<Integer> at) {
    super(failure.message(), null, false, false);
    this.failure = failure;
    this.at = at;
  }

  Failure failure() {
    return failure;
  }

  Optional<Integer> at() {
    return at;
  }
}
