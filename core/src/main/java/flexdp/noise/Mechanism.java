package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * How an answer is made private. Its parameters follow from ε, δ and the number of outputs, never
 * from data, so all of them are public. Constructors check the inequalities that the guarantee
 * needs; a value of this type is a mechanism that keeps its promise.
 */
public sealed interface Mechanism permits Mechanism.Additive, Exponential {
  /** The word of the contract. */
  String name();

  BigDecimal epsilon();

  BigDecimal delta();

  /** What zero-concentrated privacy charges for it, if that is possible. */
  Optional<BigDecimal> rho();

  /** A mechanism that adds noise in proportion to a sensitivity. */
  sealed interface Additive extends Mechanism permits Laplace, Gaussian, Lomax, Flex {
    /** Digits of the decimals shown; directions of rounding never favour less noise. */
    int DIGITS = 40;

    /**
     * The β with which the sensitivity has to be smoothed; absent: the sensitivity has to be
     * public, which is to say constant in the data or computed from released metrics.
     *
     * <p>It is below the β of the calibration by the larger of β·2⁻⁴⁰ and 2⁻⁵⁰, and is a double. So
     * S may be rounded up to a double, and S(x) ≤ e^β·S(y) still holds.
     */
    Optional<BigDecimal> smoothing();

    /** The scale of the noise, in the sensitivity's units, rounded up for show. */
    default BigDecimal scale(BigDecimal sensitivity) {
      return exactScale(sensitivity).decimal(new MathContext(DIGITS, RoundingMode.CEILING));
    }

    /** The scale that the sampler uses. */
    Rational exactScale(BigDecimal sensitivity);

    /**
     * The noisy value, on this grid, is within this distance of the exact one with at least this
     * probability. As public as the sensitivity is.
     */
    BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence);
  }

  /** Pure ε is ε²/2 in zero-concentrated privacy. */
  static BigDecimal rhoOfPure(BigDecimal epsilon) {
    return epsilon.multiply(epsilon).divide(BigDecimal.valueOf(2));
  }
}
