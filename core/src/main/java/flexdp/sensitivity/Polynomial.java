package flexdp.sensitivity;

import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/** A polynomial in one distance with coefficients that are never negative, lowest power first. */
record Polynomial(BigInteger[] coefficients) {
  static Optional<Polynomial> of(Bound bound) {
    if (bound.tables().size() > 1) {
      return Optional.empty();
    }
    return switch (bound) {
      case Constant constant -> Optional.of(of(constant.value()));
      case Leaf leaf -> Optional.of(of(leaf.base(), BigInteger.ONE));
      case Sum sum -> {
        Polynomial total = of(BigInteger.ZERO);
        for (Bound part : sum.parts()) {
          if (part.polynomial().isEmpty()) {
            yield Optional.empty();
          }
          total = total.plus(part.polynomial().get());
        }
        yield Optional.of(total);
      }
      case Product product -> {
        Polynomial total = of(BigInteger.ONE);
        for (Bound part : product.parts()) {
          if (part.polynomial().isEmpty()) {
            yield Optional.empty();
          }
          total = total.times(part.polynomial().get());
        }
        yield Optional.of(total);
      }
      case Max ignored -> Optional.empty();
      case Min ignored -> Optional.empty();
    };
  }

  static Polynomial of(BigInteger... coefficients) {
    return new Polynomial(coefficients);
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
    return new Polynomial(sum);
  }

  Polynomial times(Polynomial other) {
    BigInteger[] product = new BigInteger[coefficients.length + other.coefficients.length - 1];
    Arrays.fill(product, BigInteger.ZERO);
    for (int i = 0; i < coefficients.length; i++) {
      for (int j = 0; j < other.coefficients.length; j++) {
        product[i + j] = product[i + j].add(coefficients[i].multiply(other.coefficients[j]));
      }
    }
    return new Polynomial(product);
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
    return other instanceof Polynomial that && Arrays.equals(coefficients, that.coefficients);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(coefficients);
  }
}
