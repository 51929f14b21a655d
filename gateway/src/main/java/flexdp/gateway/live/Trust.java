package flexdp.gateway.live;

import flexdp.gateway.collect.Noted;
import java.math.BigInteger;

/** Why the metrics of a table may be believed when a question reads it. */
sealed interface Trust {
  /**
   * They hold as they were measured: the owner vouches for it, or the database proves it.
   *
   * @param inserts so many more rows at most, as the policy declares
   */
  record AsMeasured(BigInteger inserts) implements Trust {
    static final AsMeasured UNCHANGED = new AsMeasured(BigInteger.ZERO);
  }

  /** What was added since was noted, if the notes are still kept; otherwise as {@link Again}. */
  record Counted(Noted noted) implements Trust {}

  /** Nothing says that they hold: what a question needs is measured in the state it reads. */
  record Again() implements Trust {}

  /**
   * Nothing says that they hold, and measuring and asking cannot read one state.
   *
   * @param database its kind, as people write it
   */
  record Unknown(String database) implements Trust {}
}
