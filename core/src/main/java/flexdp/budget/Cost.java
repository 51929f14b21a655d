package flexdp.budget;

import java.math.BigDecimal;
import java.util.List;

/**
 * What one answer costs, in every currency that some composition counts in. The kind decides which
 * compositions may take it.
 */
public sealed interface Cost {
  /** ε by which the answer alone is private. */
  BigDecimal epsilon();

  /** δ by which the answer alone is private. */
  BigDecimal delta();

  /** Σε² over the independent parts of the answer. */
  BigDecimal squares();

  /** The word that ledgers use. */
  String word();

  /**
   * Pure ε-DP, or pure outside an event of probability {@code delta} (thresholded labels, released
   * metrics that fall below the truth).
   *
   * @param squares Σε² over the measurements among which ε is split; ε² when it is not split
   */
  record Pure(BigDecimal epsilon, BigDecimal squares, BigDecimal delta) implements Cost {
    public Pure {
      epsilon = Exact.positive("epsilon", epsilon);
      squares = Exact.positive("the sum of squares", squares);
      delta = Exact.probability("delta", delta);
      if (squares.compareTo(epsilon.multiply(epsilon)) > 0) {
        throw new IllegalArgumentException("parts cannot have larger squares than their sum has");
      }
    }

    @Override
    public String word() {
      return "pure";
    }
  }

  /**
   * Gaussian noise: ρ-zCDP outside an event of probability {@code failure}.
   *
   * @param delta the δ to which ε belongs, {@code failure} included
   */
  record Gaussian(BigDecimal epsilon, BigDecimal delta, BigDecimal rho, BigDecimal failure)
      implements Cost {
    public Gaussian {
      epsilon = Exact.positive("epsilon", epsilon);
      delta = Exact.probability("delta", delta);
      rho = Exact.positive("rho", rho);
      failure = Exact.probability("the probability of failure", failure);
      if (delta.compareTo(failure) <= 0) {
        throw new IllegalArgumentException("a Gaussian answer needs a delta above 0");
      }
    }

    @Override
    public BigDecimal squares() {
      return epsilon.multiply(epsilon);
    }

    @Override
    public String word() {
      return "gaussian";
    }
  }

  /** (ε, δ)-DP and nothing better known, as for {@code flex}. zCDP does not take it. */
  record Approximate(BigDecimal epsilon, BigDecimal delta) implements Cost {
    public Approximate {
      epsilon = Exact.positive("epsilon", epsilon);
      delta = Exact.probability("delta", delta);
    }

    @Override
    public BigDecimal squares() {
      return epsilon.multiply(epsilon);
    }

    @Override
    public String word() {
      return "approximate";
    }
  }

  static Cost pure(BigDecimal epsilon) {
    return new Pure(epsilon, epsilon.multiply(epsilon), BigDecimal.ZERO);
  }

  /** Independent pure measurements; their squares add up to less than the square of their sum. */
  static Cost pure(List<BigDecimal> parts, BigDecimal delta) {
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    for (BigDecimal part : parts) {
      Exact.positive("epsilon", part);
      sum = sum.add(part);
      squares = squares.add(part.multiply(part));
    }
    return new Pure(sum, squares, delta);
  }

  static Cost gaussian(BigDecimal epsilon, BigDecimal delta, BigDecimal rho) {
    return new Gaussian(epsilon, delta, rho, BigDecimal.ZERO);
  }

  static Cost approximate(BigDecimal epsilon, BigDecimal delta) {
    return new Approximate(epsilon, delta);
  }

  /**
   * The decimals that budgets are made of. Their size is limited, so that a charge such as
   * 1e-1000000 cannot make every later decision slow.
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
            what
                + " must be at least 0 and below 1. Provided value: "
                + value.toEngineeringString());
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
}
