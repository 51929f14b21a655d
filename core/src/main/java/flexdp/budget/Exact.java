package flexdp.budget;

import java.math.BigDecimal;

/**
 * The decimals that budgets are made of. Their size is limited, so that a charge such as 1e-1000000
 * cannot make every later decision slow.
 */
final class Exact {
  private static final int MOST_DIGITS = 120;
  private static final int LARGEST_SCALE = 200;

  private Exact() {}

  static BigDecimal positive(String what, BigDecimal value) {
    if (value.signum() <= 0) {
      throw new IllegalArgumentException(
          what + " must be above 0. Provided value: " + value.toEngineeringString());
    }
    return sized(what, value);
  }

  static BigDecimal notNegative(String what, BigDecimal value) {
    if (value.signum() < 0) {
      throw new IllegalArgumentException(
          what + " must be at least 0. Provided value: " + value.toEngineeringString());
    }
    return sized(what, value);
  }

  static BigDecimal probability(String what, BigDecimal value) {
    if (value.signum() < 0 || value.compareTo(BigDecimal.ONE) >= 0) {
      throw new IllegalArgumentException(
          what + " must be at least 0 and below 1. Provided value: " + value.toEngineeringString());
    }
    return sized(what, value);
  }

  private static BigDecimal sized(String what, BigDecimal value) {
    BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    if (plain.precision() > MOST_DIGITS
        || plain.scale() > LARGEST_SCALE
        || plain.scale() < -MOST_DIGITS) {
      throw new IllegalArgumentException(
          what + " has too many digits. Round it to 60 digits or fewer.");
    }
    return plain;
  }
}
