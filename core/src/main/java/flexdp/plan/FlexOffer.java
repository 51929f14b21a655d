package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.noise.Flex;
import flexdp.question.Measurement;
import flexdp.sensitivity.Rules;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The paper's mechanism: smooth sensitivity and a δ. */
record FlexOffer() implements Offer {
  private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-100");

  /** Beyond this its calibration is not certain for many outputs, and takes long. */
  private static final BigDecimal MOST_EPSILON = BigDecimal.valueOf(1000);

  private static final SmoothOffer SOUND =
      new SmoothOffer(
          m -> Flex.MOST_OUTPUTS, false, (m, outputs) -> Flex.of(m.epsilon(), m.delta(), outputs));

  @Override
  public Optional<Calibrated> serve(Measured m, List<Measured> together) {
    return switch (m.measurement()) {
      case Measurement.Picked ignored -> SOUND.serve(m, together);
      case Measurement.Amount ignored -> {
        require(m);
        yield m.premises().rules() == Rules.PAPER
            ? Optional.of(SmoothOffer.smooth(m, Flex.paper(m.epsilon(), m.delta())))
            : SOUND.serve(m, together);
      }
    };
  }

  private static void require(Measured m) {
    if (m.delta().compareTo(LEAST_DELTA) < 0) {
      throw m.unsuitable(
          "The mechanism flex needs a delta of 1e-100 or more.", "Give a delta such as 1e-9.");
    }
    if (m.epsilon().compareTo(MOST_EPSILON) > 0) {
      throw m.unsuitable(
          "The mechanism flex takes an epsilon of at most 1000 for each measurement.",
          "Use a smaller epsilon, or leave the mechanism out.");
    }
  }

  @Override
  public Rejection refusal(Measured m) {
    return SOUND.refusal(m);
  }
}
