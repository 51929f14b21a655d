package flexdp.sensitivity;

import flexdp.failure.Rejection;

/**
 * The most rows that appear in a relation (P), disappear from it (M), and both together (T), with
 * one step of a unit (guarantee §3).
 */
record Stability(BoundOrReason added, BoundOrReason removed, BoundOrReason both) {
  static final Stability NONE =
      new Stability(BoundOrReason.ZERO, BoundOrReason.ZERO, BoundOrReason.ZERO);

  static Stability missing(Rejection why) {
    BoundOrReason none = new BoundOrReason.Missing(() -> why);
    return new Stability(none, none, none);
  }

  /** None of the three can exceed the cap. */
  Stability cappedBy(BoundOrReason cap) {
    return new Stability(
        BoundOrReason.min(added, cap),
        BoundOrReason.min(removed, cap),
        BoundOrReason.min(both, cap));
  }

  Stability max(Stability other) {
    return new Stability(
        BoundOrReason.max(added, other.added),
        BoundOrReason.max(removed, other.removed),
        BoundOrReason.max(both, other.both));
  }
}
