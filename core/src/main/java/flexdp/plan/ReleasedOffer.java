package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.noise.Mechanism;
import flexdp.question.Measurement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Guarantee §5: the formula at released metrics is public.
 *
 * @param mechanism by the measurement, which has an ε and a δ
 */
record ReleasedOffer(Function<Measured, Mechanism.Additive> mechanism) implements Offer {
  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    return switch (m.measurement()) {
      case Measurement.Amount ignored ->
          m.released()
              .map(
                  bound ->
                      Calibrated.Added.ofPublic(mechanism.apply(m), m.inUnits(bound.atZero())));
      case Measurement.Picked ignored -> Optional.empty();
    };
  }

  @Override
  public Rejection refusal(Measured m) {
    return m.unsuitable(
        "There are no released metrics for every join key of the question.",
        "Release them once with flexdp collect --release.");
  }
}
