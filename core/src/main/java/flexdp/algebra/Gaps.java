package flexdp.algebra;

import flexdp.policy.Type;

/**
 * Where a function has no value, and so is NULL, though no argument is NULL. Days and moments count
 * as those of the calendar, as declared; what a database may hold beyond is another matter, which
 * proofs have to mind.
 */
public enum Gaps {
  /** Nowhere. */
  NONE,
  /** The least integer has no opposite. */
  LEAST_INTEGER,
  /** What is rounded up may have one digit more than the widest type. */
  WIDEST_DECIMAL,
  /** Somewhere: at zero, beyond a range, where the result overflows. */
  SOME;

  private static final int MOST_DIGITS = 38;

  /** Whether a result of this type can be missing. */
  public boolean in(Type result) {
    return switch (this) {
      case NONE -> false;
      case LEAST_INTEGER -> result.isInteger();
      case WIDEST_DECIMAL -> result.precision() == MOST_DIGITS;
      case SOME -> true;
    };
  }
}
