package flexdp.properties;

import flexdp.policy.Range;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is known of a number: either end may be unknown. */
public record Interval(Optional<BigDecimal> low, Optional<BigDecimal> high) {
  public static final Interval UNKNOWN = new Interval(Optional.empty(), Optional.empty());

  public static Interval of(BigDecimal low, BigDecimal high) {
    return new Interval(Optional.of(low), Optional.of(high));
  }

  public static Interval of(long low, long high) {
    return of(BigDecimal.valueOf(low), BigDecimal.valueOf(high));
  }

  public static Interval of(Range range) {
    return of(range.low(), range.high());
  }

  static Interval point(BigDecimal value) {
    return of(value, value);
  }

  static Interval atLeast(BigDecimal value) {
    return new Interval(Optional.of(value), Optional.empty());
  }

  static Interval from(Optional<BigDecimal> low) {
    return new Interval(low, Optional.empty());
  }

  static Interval upTo(Optional<BigDecimal> high) {
    return new Interval(Optional.empty(), high);
  }

  /** Whether no value of it is below zero. */
  boolean isNotNegative() {
    return low.isPresent() && low.get().signum() >= 0;
  }

  public boolean isBounded() {
    return low.isPresent() && high.isPresent();
  }

  /** The range, when both ends are known and it is not empty. */
  public Optional<Range> range() {
    if (!isBounded() || low.get().compareTo(high.get()) > 0) {
      return Optional.empty();
    }
    return Optional.of(new Range(low.get(), high.get()));
  }

  /** Values that lie in either. */
  Interval union(Interval other) {
    return new Interval(
        low.flatMap(a -> other.low.map(a::min)), high.flatMap(a -> other.high.map(a::max)));
  }

  /** Values that lie in both. */
  public Interval intersect(Interval other) {
    return new Interval(
        low.isEmpty() ? other.low : other.low.map(b -> low.get().max(b)).or(() -> low),
        high.isEmpty() ? other.high : other.high.map(b -> high.get().min(b)).or(() -> high));
  }

  /** Both ends put through a function that keeps the order of numbers. */
  Interval map(UnaryOperator<BigDecimal> increasing) {
    return new Interval(low.map(increasing), high.map(increasing));
  }

  Interval negate() {
    return new Interval(high.map(BigDecimal::negate), low.map(BigDecimal::negate));
  }

  Interval plus(Interval other) {
    return new Interval(
        low.flatMap(a -> other.low.map(a::add)), high.flatMap(a -> other.high.map(a::add)));
  }

  Interval times(Interval other) {
    if (!isBounded() || !other.isBounded()) {
      boolean signs =
          low.isPresent()
              && low.get().signum() >= 0
              && other.low.isPresent()
              && other.low.get().signum() >= 0;
      return signs ? atLeast(low.get().multiply(other.low.get())) : UNKNOWN;
    }
    BigDecimal a = low.get().multiply(other.low.get());
    BigDecimal b = low.get().multiply(other.high.get());
    BigDecimal c = high.get().multiply(other.low.get());
    BigDecimal d = high.get().multiply(other.high.get());
    return of(a.min(b).min(c).min(d), a.max(b).max(c).max(d));
  }
}
