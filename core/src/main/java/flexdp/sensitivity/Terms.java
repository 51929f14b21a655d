package flexdp.sensitivity;

import flexdp.policy.Unit;

/**
 * How the rules add, multiply and compare. Every place in every rule where this happens has a name,
 * so that a test can show for each of them that a wrong rule would be noticed. Production code
 * knows {@link #EXACT} only.
 */
interface Terms {
  Terms EXACT = new Terms() {};

  default Estimate sum(String place, Estimate... terms) {
    return Estimate.sum(terms);
  }

  default Estimate product(String place, Estimate... factors) {
    return Estimate.product(factors);
  }

  default Estimate max(String place, Estimate... terms) {
    return Estimate.max(terms);
  }

  default Estimate min(String place, Estimate... terms) {
    return Estimate.min(terms);
  }

  /** A frequency one step of the unit further. */
  default Estimate grown(String place, Estimate frequency, Unit unit) {
    return switch (frequency) {
      case Estimate.Known known -> Estimate.of(known.bound().shifted(unit));
      case Estimate.Missing missing -> missing;
    };
  }

  /** What one step does to a table. */
  default Footprint step(Footprint exact) {
    return exact;
  }

  default Signed signed(String place, Estimate added, Estimate removed, Estimate both) {
    return new Signed(added, removed, both);
  }
}
