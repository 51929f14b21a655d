package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * A polynomial in one distance with coefficients that are never negative, lowest power first.
 *
 * @param unit whose distance it is; none for a constant
 */
record Polynomial(Optional<PrivacyUnit> unit, BigInteger[] coefficients) {
  static Optional<Polynomial> of(Bound bound) {
    return switch (bound) {
      case Constant constant -> Optional.of(constant(constant.value()));
      case Leaf leaf ->
          Optional.of(
              new Polynomial(
                  Optional.of(leaf.unit()), new BigInteger[] {leaf.base(), leaf.growth()}));
      case Sum sum -> fold(sum.made(), BigInteger.ZERO, Polynomial::plus);
      case Product product -> fold(product.made(), BigInteger.ONE, Polynomial::times);
      case Max ignored -> Optional.empty();
      case Min ignored -> Optional.empty();
    };
  }

  private static Optional<Polynomial> fold(
      List<Bound> parts, BigInteger start, BinaryOperator<Polynomial> operator) {
    Polynomial total = constant(start);
    for (Bound part : parts) {
      Optional<Polynomial> next = part.polynomial();
      if (next.isEmpty() || !total.isComparable(next.get())) {
        return Optional.empty();
      }
      total = operator.apply(total, next.get());
    }
    return Optional.of(total);
  }

  private static Polynomial constant(BigInteger value) {
    return new Polynomial(Optional.empty(), new BigInteger[] {value});
  }

  /** Whether both depend on the same distance, if on any. */
  boolean isComparable(Polynomial other) {
    return unit.isEmpty() || other.unit.isEmpty() || unit.equals(other.unit);
  }

  private Optional<PrivacyUnit> unitOr(Polynomial other) {
    return unit.isEmpty() ? other.unit : unit;
  }

  int degree() {
    return coefficients.length - 1;
  }

  private BigInteger coefficient(int power) {
    return power < coefficients.length ? coefficients[power] : BigInteger.ZERO;
  }

  Polynomial plus(Polynomial other) {
    BigInteger[] sum = new BigInteger[Math.max(coefficients.length, other.coefficients.length)];
    Arrays.setAll(sum, i -> coefficient(i).add(other.coefficient(i)));
    return new Polynomial(unitOr(other), sum);
  }

  Polynomial times(Polynomial other) {
    if (coefficients.length < other.coefficients.length) {
      return other.times(this);
    }
    BigInteger[] product = new BigInteger[coefficients.length + other.coefficients.length - 1];
    Arrays.fill(product, BigInteger.ZERO);
    // Most factors are a frequency and one step of growth: by one nothing has to be multiplied.
    for (int j = 0; j < other.coefficients.length; j++) {
      BigInteger factor = other.coefficients[j];
      boolean one = factor.equals(BigInteger.ONE);
      for (int i = 0; i < coefficients.length && factor.signum() != 0; i++) {
        product[i + j] =
            product[i + j].add(one ? coefficients[i] : coefficients[i].multiply(factor));
      }
    }
    return new Polynomial(unitOr(other), product);
  }

  /** Coefficient by coefficient, which suffices but is not necessary. */
  boolean atMost(Polynomial other) {
    for (int i = 0; i < coefficients.length; i++) {
      if (coefficients[i].compareTo(other.coefficient(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  BigInteger at(BigInteger distance) {
    BigInteger value = BigInteger.ZERO;
    for (int i = coefficients.length - 1; i >= 0; i--) {
      value = value.multiply(distance).add(coefficients[i]);
    }
    return value;
  }

  /** Whether it comes first when formulas are listed: the faster growing one does. */
  int compareGrowth(Polynomial other) {
    for (int i = Math.max(degree(), other.degree()); i >= 0; i--) {
      int order = other.coefficient(i).compareTo(coefficient(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Polynomial that
        && unit.equals(that.unit)
        && Arrays.equals(coefficients, that.coefficients);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(coefficients);
  }
}
