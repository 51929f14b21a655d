package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * {@code flex}, the paper's mechanism: q + Lap(2S/ε), S a β-smooth bound. (ε, δ), and never part of
 * concentrated accounting.
 *
 * @param outputs how many numbers share the L1 bound S
 * @param literal the paper's own β = ε/(2 ln(2/δ)), for reproduction only
 */
public record Flex(
    BigDecimal epsilon, BigDecimal delta, int outputs, BigDecimal beta, boolean literal)
    implements Mechanism.Additive {
  public static final int MOST_OUTPUTS = 512;

  public Flex {
    Privacy.checkEpsilon(epsilon);
    Privacy.checkDelta(delta);
    if (outputs < 1 || outputs > MOST_OUTPUTS) {
      throw new IllegalArgumentException("from 1 to 512 outputs. Provided value: " + outputs);
    }
    if (beta.signum() <= 0) {
      throw new IllegalArgumentException("beta must be > 0");
    }
    if (!literal && !FlexDelta.isAtMost(epsilon, delta, outputs, beta)) {
      throw new IllegalArgumentException("this beta does not give delta " + delta);
    }
  }

  /** Exactly calibrated: the largest β (to about 15 digits) that meets δ at scale 2S/ε. */
  public static Flex of(BigDecimal epsilon, BigDecimal delta, int outputs) {
    double e = Privacy.checkEpsilon(epsilon).doubleValue();
    double target = Privacy.checkDelta(delta).doubleValue();
    BigDecimal beta =
        Calibration.largest(
            e,
            b -> FlexDelta.isAtMostNearly(e, target, outputs, b),
            b -> FlexDelta.isAtMost(epsilon, delta, outputs, b));
    return new Flex(epsilon, delta, outputs, beta, false);
  }

  /** The paper to the letter. Its δ holds for one output only. */
  public static Flex paper(BigDecimal epsilon, BigDecimal delta) {
    int p = Calibration.PRECISION;
    Privacy.checkEpsilon(epsilon);
    Rational odds = Rational.of(2).over(Rational.of(Privacy.checkDelta(delta)));
    Enclosure share = Enclosure.of(odds, p).ln().times(Rational.of(2)).inverse();
    return new Flex(epsilon, delta, 1, share.times(Rational.of(epsilon)).floor(DIGITS), true);
  }

  @Override
  public String name() {
    return "flex";
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.empty();
  }

  @Override
  public Optional<BigDecimal> smoothing() {
    return Optional.of(literal ? beta : Calibration.smoothing(beta));
  }

  /** 2S/ε. */
  @Override
  public Rational exactScale(BigDecimal sensitivity) {
    return Calibration.sensitivity(sensitivity)
        .times(Rational.of(BigInteger.TWO))
        .over(Rational.of(epsilon));
  }

  /** |Lap(b)| exceeds b·ln(1/t) with probability t; the rounding adds its half. */
  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    int p = Calibration.PRECISION;
    Enclosure size = Enclosure.of(Calibration.tail(confidence), p).ln().negate();
    Rational width = size.times(exactScale(sensitivity)).upper();
    return Calibration.upToGrid(width.plus(Rational.of(grid).over(Rational.of(2))), grid);
  }
}
