package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;

/** What one answer may cost. Both limits keep the arithmetic within what was tested. */
public record PrivacyParameters(BigDecimal epsilon, BigDecimal delta) {
  private static final BigDecimal LEAST_EPSILON = new BigDecimal("1e-9");
  private static final BigDecimal MOST_EPSILON = new BigDecimal("1e4");
  private static final MathContext FEW = new MathContext(4);
  private static final BigDecimal LEAST_DELTA = new BigDecimal("1e-100");

  /** An ε or a δ, of an answer or of a part of it, beyond what noise is made for. */
  public static final class OutOfRange extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    OutOfRange(String message) {
      super(message);
    }
  }

  public PrivacyParameters {
    checkEpsilon(epsilon);
    if (delta.signum() != 0) {
      checkDelta(delta);
    }
  }

  public static PrivacyParameters pure(BigDecimal epsilon) {
    return new PrivacyParameters(epsilon, BigDecimal.ZERO);
  }

  static BigDecimal checkEpsilon(BigDecimal epsilon) {
    if (epsilon.signum() <= 0) {
      throw new OutOfRange("epsilon must be > 0. Provided value: " + epsilon);
    }
    if (!isEpsilon(epsilon)) {
      throw new OutOfRange(
          "epsilon must be from 1e-9 to 10000. Provided value: " + epsilon.round(FEW));
    }
    return epsilon;
  }

  static boolean isEpsilon(BigDecimal epsilon) {
    return epsilon.compareTo(LEAST_EPSILON) >= 0 && epsilon.compareTo(MOST_EPSILON) <= 0;
  }

  static boolean isDelta(BigDecimal delta) {
    return delta.compareTo(LEAST_DELTA) >= 0 && delta.compareTo(BigDecimal.ONE) < 0;
  }

  static BigDecimal checkDelta(BigDecimal delta) {
    if (delta.signum() <= 0 || delta.compareTo(BigDecimal.ONE) >= 0) {
      throw new OutOfRange("delta must be > 0 and < 1. Provided value: " + delta);
    }
    if (delta.compareTo(LEAST_DELTA) < 0) {
      throw new OutOfRange("delta must be at least 1e-100. Provided value: " + delta);
    }
    return delta;
  }
}
