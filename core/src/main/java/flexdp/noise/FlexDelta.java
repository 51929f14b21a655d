package flexdp.noise;

import java.math.BigDecimal;

/**
 * The δ that Laplace noise of scale S/α, α = ε/2, really has for a β-smooth S (guarantee section
 * 5).
 *
 * <p>One output: δ = ½(1−e^(−β))·[e^(−(ε+β−α)/(e^β−1)) + e^(−(ε+β+α)/(e^β−1))], valid while β +
 * α·e^(−β) ≤ ε. The density with the smaller scale exceeds e^ε times the other only near its
 * centre, the one with the larger scale only in the two tails, and those tails are the two terms.
 *
 * <p>d outputs: the shift costs α of ε; for the stretch the loss exceeds the other half where the
 * Gamma(d) norm passes g₀ = (ε/2 + dβ)/(e^β−1). Valid while dβ ≤ ε/2: δ = Q(d, g₀) − e^(ε/2)·Q(d,
 * e^β·g₀), with Q(d, x) = e^(−x)·Σ_{j&lt;d} x^j/j! for whole d.
 */
final class FlexDelta {
  private FlexDelta() {}

  /** Certain, by intervals. */
  static boolean isAtMost(BigDecimal epsilon, BigDecimal delta, int d, BigDecimal beta) {
    int p = Calibration.precision(delta) + 8 * d;
    Enclosure e = Enclosure.of(Rational.of(epsilon), p);
    Enclosure b = Enclosure.of(Rational.of(beta), p);
    Enclosure limit = Enclosure.of(Rational.of(delta), p);
    Enclosure half = e.times(Rational.of(1, 2));
    Enclosure one = Enclosure.of(1, p);
    Enclosure inverse = b.exp().minus(one).inverse();
    if (d == 1) {
      if (!b.plus(half.times(b.negate().exp())).atMost(e)) {
        return false;
      }
      Enclosure near = e.plus(b).minus(half).times(inverse).negate().exp();
      Enclosure far = e.plus(b).plus(half).times(inverse).negate().exp();
      Enclosure share = one.minus(b.negate().exp()).times(Rational.of(1, 2));
      return share.times(near.plus(far)).atMost(limit);
    }
    Enclosure stretch = b.times(Rational.of(d));
    if (!stretch.atMost(half)) {
      return false;
    }
    Enclosure from = half.plus(stretch).times(inverse);
    Enclosure smaller = half.exp().times(gammaTail(d, from.times(b.exp())));
    return gammaTail(d, from).minus(smaller).atMost(limit);
  }

  /** P(Gamma(d) > x). */
  private static Enclosure gammaTail(int d, Enclosure x) {
    Enclosure term = Enclosure.of(1, x.p());
    Enclosure sum = term;
    for (int j = 1; j < d; j++) {
      term = term.times(x).times(Rational.of(1, j));
      sum = sum.plus(term);
    }
    return x.negate().exp().times(sum);
  }

  /** The same in doubles, as a first guess. */
  static boolean isAtMostNearly(double e, double delta, int d, double b) {
    double half = e / 2;
    double growth = Math.expm1(b);
    if (d == 1) {
      double sum = Math.exp(-(e + b - half) / growth) + Math.exp(-(e + b + half) / growth);
      return b + half * Math.exp(-b) <= e && -Math.expm1(-b) / 2 * sum <= delta;
    }
    double from = (half + d * b) / growth;
    double both = gammaTail(d, from) - Math.exp(half) * gammaTail(d, Math.exp(b) * from);
    return d * b <= half && both <= delta;
  }

  private static double gammaTail(int d, double x) {
    double logTerm = -x;
    double sum = Math.exp(logTerm);
    for (int j = 1; j < d; j++) {
      logTerm += Math.log(x / j);
      sum += Math.exp(logTerm);
    }
    return sum;
  }
}
