package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/**
 * The exponential mechanism: a candidate of score u is chosen with probability ∝ e^(ε·u/(2Δ)), Δ
 * the public sensitivity of scores. Pure ε: one change moves every score, and the normalising sum,
 * by a factor of at most e^(ε/2).
 */
public record ExponentialMechanism(BigDecimal epsilon) implements Mechanism {
  public ExponentialMechanism {
    PrivacyParameters.checkEpsilon(epsilon);
  }

  @Override
  public String name() {
    return "exponential";
  }

  @Override
  public BigDecimal delta() {
    return BigDecimal.ZERO;
  }

  /** Scores are divided by 2Δ/ε. */
  @Override
  public BigDecimal scale(BigDecimal sensitivity) {
    return sensitivity.multiply(BigDecimal.TWO).divide(epsilon, MathContext.DECIMAL128);
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.of(Mechanism.rhoOfPure(epsilon));
  }
}
