package flexdp.plan;

import flexdp.noise.Exponential;
import flexdp.noise.Mechanism;
import flexdp.question.Measurement;
import flexdp.smooth.SmoothBound;
import java.math.BigDecimal;
import java.util.Optional;

/** A mechanism, and what it is scaled to. */
public sealed interface Calibrated {
  Mechanism mechanism();

  /** What it is scaled to, in the measurement's own units. */
  BigDecimal sensitivity();

  /** How the sensitivity came about, when it is private; absent: it is public. */
  Optional<SmoothBound> smooth();

  /** Whether an analyst may see the scale. */
  default boolean isPublic() {
    return smooth().isEmpty();
  }

  /** Noise is added. */
  record Added(Mechanism.Additive mechanism, BigDecimal sensitivity, Optional<SmoothBound> smooth)
      implements Calibrated {
    static Added ofPublic(Mechanism.Additive mechanism, BigDecimal sensitivity) {
      return new Added(mechanism, sensitivity, Optional.empty());
    }
  }

  /** A value is chosen; the sensitivity is that of scores, and public. */
  record Chosen(Exponential mechanism, BigDecimal sensitivity, Measurement.Quantile quantile)
      implements Calibrated {
    @Override
    public Optional<SmoothBound> smooth() {
      return Optional.empty();
    }
  }
}
