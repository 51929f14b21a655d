package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;

/**
 * How the rules add, multiply and compare. Every place in every rule where this happens has a name,
 * so that a test can show for each of them that a wrong rule would be noticed. Production code
 * knows {@link #EXACT} only.
 */
interface BoundArithmetic {
  BoundArithmetic EXACT = new BoundArithmetic() {};

  default BoundOrReason sum(String place, BoundOrReason... terms) {
    return BoundOrReason.sum(terms);
  }

  default BoundOrReason product(String place, BoundOrReason... factors) {
    return BoundOrReason.product(factors);
  }

  default BoundOrReason max(String place, BoundOrReason... terms) {
    return BoundOrReason.max(terms);
  }

  default BoundOrReason min(String place, BoundOrReason... terms) {
    return BoundOrReason.min(terms);
  }

  /** A frequency one step of the unit further. */
  default BoundOrReason grown(String place, BoundOrReason frequency, PrivacyUnit unit) {
    return switch (frequency) {
      case BoundOrReason.Known known -> BoundOrReason.of(known.bound().shifted(unit));
      case BoundOrReason.Missing missing -> missing;
    };
  }

  /** What one step does to a table. */
  default UnitEffect step(UnitEffect exact) {
    return exact;
  }

  default Stability signed(
      String place, BoundOrReason added, BoundOrReason removed, BoundOrReason both) {
    return new Stability(added, removed, both);
  }
}
