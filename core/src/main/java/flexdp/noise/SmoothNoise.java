package flexdp.noise;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Continuous noise rounded to the integers, exactly: uniform numbers are drawn digit by digit, the
 * noisy values are enclosed by intervals, and more digits are drawn until every interval rounds to
 * one integer. The rounded values have the distribution of the rounded real ones, to the last bit.
 *
 * <p>Values and scales are in units of the public grid.
 */
final class SmoothNoise {
  private static final int SPARE_DIGITS = 80;

  private SmoothNoise() {}

  /**
   * Adds scale·Z, Z of density ∝ (1+‖z‖₁)^(−a) in as many dimensions as there are values; tail is a
   * − d.
   *
   * <p>The first m coordinates have density ∝ (1+‖z‖₁)^(−(tail+m)), so given them, with r their
   * norm, the next is (1+r)·W, where W is two-sided Lomax: |W| = U^(−1/(tail+m)) − 1. (The norm of
   * all is then Beta-prime(d, tail) and the direction uniform on the L1 sphere.)
   */
  static List<BigInteger> lomax(
      List<BigInteger> values, Rational tail, Rational scale, BitSource source) {
    int d = values.size();
    List<LazyUniform> uniforms = Stream.generate(() -> new LazyUniform(source)).limit(d).toList();
    boolean[] negative = signs(d, source);
    for (int p = digits(scale); ; p *= 2) {
      List<BigInteger> decided = new ArrayList<>();
      Enclosure reached = Enclosure.of(1, p);
      for (int m = 0; m < d; m++) {
        Optional<Enclosure> exponential = exponential(uniforms.get(m), p);
        if (exponential.isEmpty()) {
          break;
        }
        Rational share = Rational.ONE.over(tail.plus(Rational.of(m)));
        Enclosure growth = exponential.get().times(share).exp();
        Enclosure size = reached.times(growth.minus(Enclosure.of(1, p))).times(scale);
        reached = reached.times(growth);
        rounded(values.get(m), size, negative[m]).ifPresent(decided::add);
      }
      if (decided.size() == d) {
        return decided;
      }
    }
  }

  /** Adds a continuous Laplace variable of this scale. */
  static BigInteger laplace(BigInteger value, Rational scale, BitSource source) {
    LazyUniform uniform = new LazyUniform(source);
    boolean negative = source.bit();
    for (int p = digits(scale); ; p *= 2) {
      Optional<BigInteger> decided =
          exponential(uniform, p).flatMap(e -> rounded(value, e.times(scale), negative));
      if (decided.isPresent()) {
        return decided.get();
      }
    }
  }

  /** −ln U, unless all digits of U so far are zero. */
  private static Optional<Enclosure> exponential(LazyUniform uniform, int p) {
    Enclosure u = uniform.enclosure(p);
    return u.low().signum() == 0 ? Optional.empty() : Optional.of(u.ln().negate());
  }

  private static Optional<BigInteger> rounded(BigInteger value, Enclosure size, boolean negative) {
    Enclosure noisy =
        Enclosure.of(Rational.of(value), size.p()).plus(negative ? size.negate() : size);
    BigInteger low = nearest(noisy.low(), size.p());
    return low.equals(nearest(noisy.high(), size.p())) ? Optional.of(low) : Optional.empty();
  }

  private static BigInteger nearest(BigInteger value, int p) {
    return value.add(BigInteger.ONE.shiftLeft(p - 1)).shiftRight(p);
  }

  private static int digits(Rational scale) {
    return SPARE_DIGITS + scale.ceiling().bitLength();
  }

  private static boolean[] signs(int d, BitSource source) {
    boolean[] signs = new boolean[d];
    for (int i = 0; i < d; i++) {
      signs[i] = source.bit();
    }
    return signs;
  }
}
