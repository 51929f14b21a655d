package flexdp.failure;

import java.util.Objects;
import java.util.Optional;

/**
 * A question that is refused, for reasons that never depend on the data. The same words are shown
 * by every way in: terminal, JSON, JDBC and the wire.
 */
public final class Rejection extends Failure {
  private static final long serialVersionUID = 1L;

  private final RejectionCode code;
  private final transient Optional<Position> at;

  private Rejection(RejectionCode code, String message, String hint, Optional<Position> at) {
    super(message, hint);
    this.code = Objects.requireNonNull(code);
    this.at = at;
  }

  /** A rejection with a sentence saying what is wrong and a hint saying what to write instead. */
  public static Rejection of(RejectionCode code, String message, String hint) {
    return new Rejection(code, message, hint, Optional.empty());
  }

  public static Rejection of(RejectionCode code, String message, String hint, Position at) {
    return new Rejection(code, message, hint, Optional.of(at));
  }

  public RejectionCode code() {
    return code;
  }

  @Override
  public String codeName() {
    return code.name();
  }

  @Override
  public int exitCode() {
    return 3;
  }

  /** Where in the text, when one place is to blame. */
  @Override
  public Optional<Position> at() {
    return at;
  }

  /** This rejection at a place, unless it has one already. */
  public Rejection orAt(Position position) {
    return at.isPresent() ? this : new Rejection(code, message(), hint(), Optional.of(position));
  }

  /** This rejection at another place. */
  public Rejection movedTo(Position position) {
    return new Rejection(code, message(), hint(), Optional.of(position));
  }
}
