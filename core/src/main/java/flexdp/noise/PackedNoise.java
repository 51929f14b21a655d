package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * {@code descent}: the largest value such that nobody weighs more than a level, the level chosen by
 * an exponential mechanism with half of ε; discrete Laplace noise in proportion to the level takes
 * the rest. Pure ε.
 */
public record PackedNoise(BigDecimal epsilon) implements Mechanism {
  public PackedNoise {
    PrivacyParameters.checkEpsilon(epsilon);
    PrivacyParameters.checkEpsilon(epsilon.divide(BigDecimal.TWO));
  }

  @Override
  public String name() {
    return "descent";
  }

  @Override
  public BigDecimal delta() {
    return BigDecimal.ZERO;
  }

  /** Of the noise, at a level that moves an answer so far. */
  @Override
  public BigDecimal scale(BigDecimal sensitivity) {
    return sensitivity
        .multiply(BigDecimal.TWO)
        .divide(epsilon, new MathContext(40, RoundingMode.CEILING));
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.of(Mechanism.rhoOfPure(epsilon));
  }
}
