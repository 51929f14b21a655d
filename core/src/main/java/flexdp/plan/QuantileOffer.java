package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Exponential;
import flexdp.question.Measurement;
import flexdp.sensitivity.Bound;
import java.util.List;
import java.util.Optional;

/** The exponential mechanism, whose score sensitivity must be public (guarantee §6). */
record QuantileOffer() implements Offer {
  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    return switch (m.measurement()) {
      case Measurement.Amount ignored -> Optional.empty();
      case Measurement.Picked picked -> Optional.of(chosen(m, picked));
    };
  }

  private Calibrated chosen(Measured m, Measurement.Picked picked) {
    return m.bound()
        .ceiling()
        .or(() -> m.released().map(Bound::atZero))
        .map(top -> new Calibrated.Chosen(new Exponential(m.epsilon()), m.inUnits(top), picked))
        .orElseThrow(() -> refusal(m));
  }

  @Override
  public Rejection refusal(Measured m) {
    return Rejection.of(
        RejectionCode.SENSITIVITY_NOT_PUBLIC,
        "The sensitivity of " + m.measurement().origin().aggregate() + " would be private here.",
        "Release the metrics once (flexdp collect --release), or declare the join key unique.",
        m.measurement().origin().at());
  }
}
