package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.noise.Mechanism;
import flexdp.question.Measurement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Guarantee §5: the sensitivity has a ceiling that follows from the structure alone.
 *
 * @param mechanism by the measurement, which has an ε and a δ
 */
record CeilingOffer(Function<Measured, Mechanism.Additive> mechanism) implements Offer {
  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    return switch (m.measurement()) {
      case Measurement.Amount ignored ->
          m.bound()
              .ceiling()
              .map(top -> Calibrated.Added.ofPublic(mechanism.apply(m), m.inUnits(top)));
      case Measurement.Picked ignored -> Optional.empty();
    };
  }

  @Override
  public Rejection refusal(Measured m) {
    return m.unsuitable(
        "The sensitivity depends on private max frequencies, so plain Laplace noise does not fit.",
        "Leave the mechanism out, or declare the join key unique.");
  }
}
