package flexdp.release;

import flexdp.compute.ValueConversion;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Where the exact value of an expression lies when its measurements lie in their intervals.
 *
 * @param low absent when nothing is known
 * @param orNull whether the exact value may also be NULL
 */
record ValueInterval(Optional<BigDecimal> low, Optional<BigDecimal> high, boolean orNull) {
  static final ValueInterval UNKNOWN = new ValueInterval(Optional.empty(), Optional.empty(), true);

  private static final MathContext DOWN = new MathContext(60, RoundingMode.FLOOR);
  private static final MathContext UP = new MathContext(60, RoundingMode.CEILING);

  static ValueInterval of(BigDecimal low, BigDecimal high) {
    return new ValueInterval(Optional.of(low), Optional.of(high), false);
  }

  /** An exact number; anything else says nothing. */
  static ValueInterval point(Object value) {
    return number(value).map(n -> of(n, n)).orElse(UNKNOWN);
  }

  static Optional<BigDecimal> number(Object value) {
    return switch (value) {
      case BigDecimal n -> Optional.of(n);
      case Double d when Double.isFinite(d) -> Optional.of(new BigDecimal(d));
      case null, default -> Optional.empty();
    };
  }

  boolean isBounded() {
    return low.isPresent() && high.isPresent();
  }

  ValueInterval nullable() {
    return new ValueInterval(low, high, true);
  }

  private ValueInterval nullableIf(boolean also) {
    return also && !orNull ? nullable() : this;
  }

  ValueInterval union(ValueInterval other) {
    return new ValueInterval(
        low.flatMap(a -> other.low.map(a::min)),
        high.flatMap(a -> other.high.map(a::max)),
        orNull || other.orNull);
  }

  ValueInterval negate() {
    return new ValueInterval(high.map(BigDecimal::negate), low.map(BigDecimal::negate), orNull);
  }

  ValueInterval plus(ValueInterval other) {
    return new ValueInterval(
        low.flatMap(a -> other.low.map(a::add)),
        high.flatMap(a -> other.high.map(a::add)),
        orNull || other.orNull);
  }

  ValueInterval times(ValueInterval other) {
    if (!isBounded() || !other.isBounded()) {
      return UNKNOWN;
    }
    return corners(
        other,
        low.get().multiply(other.low.get()),
        low.get().multiply(other.high.get()),
        high.get().multiply(other.low.get()),
        high.get().multiply(other.high.get()));
  }

  private ValueInterval corners(ValueInterval other, BigDecimal... products) {
    BigDecimal least = Stream.of(products).min(BigDecimal::compareTo).orElseThrow();
    BigDecimal most = Stream.of(products).max(BigDecimal::compareTo).orElseThrow();
    return new ValueInterval(Optional.of(least), Optional.of(most), orNull || other.orNull);
  }

  /** The square, which is narrower than the product of two unrelated numbers. */
  ValueInterval square() {
    ValueInterval size = abs();
    return size.times(size);
  }

  ValueInterval abs() {
    if (!isBounded()) {
      return UNKNOWN;
    }
    BigDecimal least = low.get().signum() > 0 ? low.get() : high.get().negate();
    BigDecimal most = low.get().abs().max(high.get().abs());
    return new ValueInterval(Optional.of(least.max(BigDecimal.ZERO)), Optional.of(most), orNull);
  }

  /** A divisor that may be zero says nothing: x / 0 is NULL, and near zero anything goes. */
  ValueInterval over(ValueInterval other) {
    boolean apart = other.isBounded() && other.low.get().signum() * other.high.get().signum() > 0;
    if (!isBounded() || !apart) {
      return UNKNOWN;
    }
    return corners(
        other,
        low.get().divide(other.low.get(), DOWN),
        low.get().divide(other.low.get(), UP),
        low.get().divide(other.high.get(), DOWN),
        low.get().divide(other.high.get(), UP),
        high.get().divide(other.low.get(), DOWN),
        high.get().divide(other.low.get(), UP),
        high.get().divide(other.high.get(), DOWN),
        high.get().divide(other.high.get(), UP));
  }

  /**
   * This interval with both ends rounded as every value between them is: that keeps their order.
   */
  ValueInterval as(Type type) {
    return monotone(end -> number(ValueConversion.to(type, end)).orElse(null));
  }

  /** This interval from ends that are floating-point numbers, which round halves to even. */
  ValueInterval fromReal(Type type) {
    return monotone(end -> number(ValueConversion.to(type, end.doubleValue())).orElse(null));
  }

  /** A function that never decreases; null where it has no value. */
  ValueInterval monotone(UnaryOperator<BigDecimal> function) {
    Optional<BigDecimal> least = low.map(function);
    Optional<BigDecimal> most = high.map(function);
    boolean lost = low.isPresent() && least.isEmpty() || high.isPresent() && most.isEmpty();
    return new ValueInterval(least, most, orNull).nullableIf(lost);
  }
}
