package flexdp.release;

import flexdp.noise.BitSource;
import flexdp.noise.Exponential;
import flexdp.noise.Rational;
import flexdp.noise.Selection;
import flexdp.question.Measurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * A quantile by the exponential mechanism over the public grid (guarantee section 6).
 *
 * <p>The score of v is −max(0, n₍&lt;v₎ − q·n, n₍&gt;v₎ − (1−q)·n): one row moves it by at most
 * max(q, 1−q). For MIN and MAX every candidate beyond the data would score best, so these aim at the
 * τ-th value from their end instead, −max(0, τ − n₍≤v₎, n₍&lt;v₎ − τ + 1), with the public τ =
 * (2Δ/ε)·ln(candidates): as many values as it takes to tell data from nothing.
 */
final class QuantileChoice {
  private final Measurement measurement;
  private final BigDecimal sensitivity;
  private final Exponential mechanism;
  private final BigInteger low;
  private final BigInteger high;
  private final BigInteger target;
  private final List<Selection.Segment> segments = new ArrayList<>();
  private final List<BigInteger> starts = new ArrayList<>();

  QuantileChoice(Measurement measurement, BigDecimal sensitivity, Exponential mechanism) {
    this.measurement = measurement;
    this.sensitivity = sensitivity;
    this.mechanism = mechanism;
    this.low = steps(measurement.range().orElseThrow().low());
    this.high = steps(measurement.range().orElseThrow().high());
    this.target = target();
  }

  private BigInteger steps(BigDecimal value) {
    return value.divide(measurement.grid()).toBigIntegerExact();
  }

  /** The chosen value, in the measurement's own units. */
  BigDecimal of(NavigableMap<BigInteger, BigInteger> buckets, BitSource source) {
    segments.clear();
    starts.clear();
    BigInteger total = buckets.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger below = BigInteger.ZERO;
    BigInteger next = low;
    for (Map.Entry<BigInteger, BigInteger> bucket : buckets.entrySet()) {
      add(next, bucket.getKey().subtract(BigInteger.ONE), below, BigInteger.ZERO, total);
      add(bucket.getKey(), bucket.getKey(), below, bucket.getValue(), total);
      below = below.add(bucket.getValue());
      next = bucket.getKey().add(BigInteger.ONE);
    }
    add(next, high, below, BigInteger.ZERO, total);
    if (sensitivity.signum() == 0) {
      return value(best());
    }
    Selection.Choice choice = Selection.choose(mechanism, sensitivity, segments, source);
    return value(starts.get(choice.segment()).add(choice.offset()));
  }

  /** A score that no row can move is followed without noise. */
  private BigInteger best() {
    int best = 0;
    for (int i = 1; i < segments.size(); i++) {
      if (segments.get(i).score().compareTo(segments.get(best).score()) > 0) {
        best = i;
      }
    }
    return starts.get(best);
  }

  private BigDecimal value(BigInteger steps) {
    return measurement.grid().multiply(new BigDecimal(steps));
  }

  private void add(
      BigInteger from, BigInteger to, BigInteger below, BigInteger here, BigInteger total) {
    if (from.compareTo(to) <= 0) {
      BigInteger above = total.subtract(below).subtract(here);
      segments.add(
          new Selection.Segment(
              to.subtract(from).add(BigInteger.ONE), score(below, here, above)));
      starts.add(from);
    }
  }

  private Rational score(BigInteger below, BigInteger here, BigInteger above) {
    BigDecimal fraction = measurement.fraction().orElseThrow();
    if (fraction.signum() == 0) {
      return ranked(below, here);
    }
    if (fraction.compareTo(BigDecimal.ONE) == 0) {
      return ranked(above, here);
    }
    BigDecimal total = new BigDecimal(below.add(here).add(above));
    BigDecimal low = new BigDecimal(below).subtract(fraction.multiply(total));
    BigDecimal high =
        new BigDecimal(above).subtract(BigDecimal.ONE.subtract(fraction).multiply(total));
    return Rational.of(low.max(high).max(BigDecimal.ZERO).negate());
  }

  private Rational ranked(BigInteger before, BigInteger here) {
    BigInteger missing = target.subtract(before).subtract(here);
    BigInteger beyond = before.subtract(target).add(BigInteger.ONE);
    return Rational.of(missing.max(beyond).max(BigInteger.ZERO).negate());
  }

  /** τ, at least one. */
  private BigInteger target() {
    double candidates = high.subtract(low).doubleValue() + 1;
    double ranks =
        2 * sensitivity.doubleValue() / mechanism.epsilon().doubleValue() * Math.log(candidates);
    return new BigDecimal(Math.max(1, Math.min(1e15, Math.ceil(ranks)))).toBigInteger();
  }
}
