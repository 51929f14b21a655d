package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Laplace;
import flexdp.noise.Propose;
import flexdp.question.Measurement;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** The formula at proposed numbers, which are tested before they are used. */
record ProposeOffer(Proposal proposal) implements Offer {
  private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-100");

  /** Below this, the parts of ε would be too small to be one. */
  private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-8");

  private static final Offer QUANTILE = new QuantileOffer();
  private static final Offer CEILING = new CeilingOffer(m -> Laplace.of(m.epsilon()));

  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    return switch (m.measurement()) {
      case Measurement.Picked ignored -> QUANTILE.serve(m, together);
      case Measurement.Amount ignored ->
          CEILING.serve(m, together).or(() -> Optional.of(proposed(m)));
    };
  }

  private Calibrated proposed(Measured m) {
    if (m.delta().compareTo(LEAST_DELTA) < 0) {
      throw m.unsuitable("A proposal is tested with a delta above 0.", "Give one such as 1e-9.");
    }
    if (m.epsilon().compareTo(LEAST_EPSILON) < 0) {
      throw m.unsuitable(
          "Epsilon is too small to be shared by a test and an answer.",
          "Use 1e-8 or more for each measurement.");
    }
    // A bound of nothing would be no noise.
    BigInteger b = bound(m).max(BigInteger.ONE);
    return Calibrated.Added.ofPublic(Propose.of(m.epsilon(), m.delta()), m.inUnits(b));
  }

  private BigInteger bound(Measured m) {
    try {
      return Sensitivity.proposed(
              m.release(),
              m.measurement(),
              proposal.over(m.premises().metrics()),
              m.premises().neighbors(),
              m.premises().rules())
          .atZero();
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        throw Rejection.of(
            RejectionCode.PROPOSAL_KEYS, e.message(), e.hint(), m.measurement().origin().at());
      }
      throw e;
    }
  }

  @Override
  public Rejection refusal(Measured m) {
    return unneeded().orAt(m.measurement().origin().at());
  }

  /** Where no measurement rests on what is proposed. */
  static Rejection unneeded() {
    return Rejection.of(
        RejectionCode.PROPOSAL_KEYS,
        "The noise of this question rests on no max frequency, so there is nothing to propose.",
        "Leave the proposal out.");
  }
}
