package flexdp.noise;

import java.math.BigDecimal;

/**
 * The δ of ρ-zCDP at ε: for every α &gt; 1, δ ≤ e^((α−1)(αρ−ε))·(1−1/α)^α/(α−1) (Canonne, Kamath,
 * Steinke 2020). Any α is sound; a search in doubles picks a good one.
 */
final class GaussianDelta {
  private GaussianDelta() {}

  /** Certain, by intervals, at the α that the search picks. */
  static boolean isAtMost(BigDecimal epsilon, BigDecimal delta, BigDecimal rho) {
    int p = Calibration.PRECISION;
    double excess = bestExcess(epsilon.doubleValue(), rho.doubleValue());
    Rational x = Rational.of(new BigDecimal(excess));
    Rational a = x.plus(Rational.ONE);
    Rational exponent = x.times(a.times(Rational.of(rho)).minus(Rational.of(epsilon)));
    Enclosure share = Enclosure.of(x.over(a), p).ln().times(a);
    Enclosure log = Enclosure.of(exponent, p).plus(share).minus(Enclosure.of(x, p).ln());
    return log.atMost(Enclosure.of(Rational.of(delta), Calibration.precision(delta)).ln().to(p));
  }

  /** ln δ in doubles. */
  static double log(double e, double rho) {
    return log(e, rho, bestExcess(e, rho));
  }

  private static double log(double e, double rho, double x) {
    return x * ((x + 1) * rho - e) - Math.log(x) - (x + 1) * Math.log1p(1 / x);
  }

  /** The α − 1 of the least δ: ln δ has one valley along the logarithm of α − 1. */
  private static double bestExcess(double e, double rho) {
    double low = -20;
    double high = 60;
    for (int i = 0; i < 120; i++) {
      double left = low + (high - low) / 3;
      double right = high - (high - low) / 3;
      if (log(e, rho, Math.exp(left)) < log(e, rho, Math.exp(right))) {
        high = right;
      } else {
        low = left;
      }
    }
    return Math.exp((low + high) / 2);
  }

  /** z with P(|N(0,1)| ≤ z) = confidence; for error bars only. */
  static double quantile(double confidence) {
    double low = 0;
    double high = 40;
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (within(middle) < confidence) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** P(|N(0,1)| ≤ z) = 2φ(z)·Σ z^(2n+1)/(1·3·5⋯(2n+1)). */
  static double within(double z) {
    double term = z;
    double sum = z;
    for (int n = 1; term > sum * 1e-17; n++) {
      term *= z * z / (2 * n + 1);
      sum += term;
    }
    return Math.sqrt(2 / Math.PI) * Math.exp(-z * z / 2) * sum;
  }
}
