package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;

/** What the calibrations share: a search that is fast and a check that is certain. */
final class Calibration {
  /** Binary digits of checks: far below the last of the 40 decimals that parameters have. */
  static final int PRECISION = 320;

  private static final MathContext DOWN =
      new MathContext(Mechanism.Additive.DIGITS, RoundingMode.FLOOR);
  private static final BigDecimal SMOOTHING_SHARE = new BigDecimal(0x1p-40);
  private static final BigDecimal DOUBLE_SHARE = new BigDecimal(0x1p-50);

  private Calibration() {}

  static BigDecimal down(Rational value) {
    return value.decimal(DOWN);
  }

  /**
   * β(1 − 2⁻⁴⁰), or β − 2⁻⁵⁰ if that is less, rounded down to a double: a smaller β gives a larger
   * S. Rounding S up to a double moves its logarithm by at most 2⁻⁵², which is less than is given
   * away here, however small β is.
   */
  static BigDecimal smoothing(BigDecimal beta) {
    BigDecimal share = beta.multiply(SMOOTHING_SHARE).max(DOUBLE_SHARE);
    double near = beta.subtract(share).doubleValue();
    return new BigDecimal(Math.nextDown(near));
  }

  /**
   * About the largest number below the limit that passes. Doubles propose, the certain check
   * disposes: what fails it is made smaller until it passes.
   */
  static BigDecimal largest(double limit, DoublePredicate guess, Predicate<BigDecimal> certain) {
    double low = 0;
    double high = limit;
    for (int i = 0; i < 200 && low < high; i++) {
      double middle = low == 0 ? high / 2 : Math.sqrt(low) * Math.sqrt(high);
      if (middle <= low || middle >= high) {
        break;
      }
      if (guess.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double shrink = 0x1p-50;
    for (double value = low; value > 0; value *= 1 - shrink) {
      BigDecimal candidate = new BigDecimal(value);
      if (certain.test(candidate)) {
        return candidate;
      }
      shrink = Math.min(0.5, 2 * shrink);
    }
    throw new IllegalArgumentException("no parameter is small enough for this epsilon and delta");
  }

  /** Enough digits that numbers of the size of δ are far from the last one. */
  static int precision(BigDecimal delta) {
    return PRECISION + Rational.ONE.over(Rational.of(delta)).ceiling().bitLength();
  }

  /** 1 − confidence. */
  static Rational tail(BigDecimal confidence) {
    if (confidence.signum() <= 0 || confidence.compareTo(BigDecimal.ONE) >= 0) {
      throw new IllegalArgumentException(
          "confidence must be > 0 and < 1. Provided value: " + confidence);
    }
    return Rational.ONE.minus(Rational.of(confidence));
  }

  /** The β of a smooth mechanism holds for so many outputs and no more. */
  static void checkOutputs(int calibrated, int values) {
    if (values > calibrated) {
      throw new IllegalArgumentException(
          "calibrated for " + calibrated + " outputs, used for " + values);
    }
  }

  static Rational sensitivity(BigDecimal sensitivity) {
    if (sensitivity.signum() < 0) {
      throw new IllegalArgumentException("a sensitivity must not be negative");
    }
    return Rational.of(sensitivity);
  }

  /** The least multiple of the grid that is not below. */
  static BigDecimal upToGrid(Rational value, BigDecimal grid) {
    return grid.multiply(new BigDecimal(value.over(Rational.of(grid)).ceiling()));
  }
}
