package flexdp.sensitivity;

import flexdp.failure.Rejection;

/**
 * The most rows that appear in a relation (P), disappear from it (M), and both together (T), with
 * one step of a unit (guarantee §3).
 */
record Signed(Estimate added, Estimate removed, Estimate both) {
  static final Signed NONE = new Signed(Estimate.ZERO, Estimate.ZERO, Estimate.ZERO);

  static Signed missing(Rejection why) {
    Estimate none = new Estimate.Missing(() -> why);
    return new Signed(none, none, none);
  }

  /** None of the three can exceed the cap. */
  Signed cappedBy(Estimate cap) {
    return new Signed(
        Estimate.min(added, cap), Estimate.min(removed, cap), Estimate.min(both, cap));
  }

  Signed max(Signed other) {
    return new Signed(
        Estimate.max(added, other.added),
        Estimate.max(removed, other.removed),
        Estimate.max(both, other.both));
  }
}
