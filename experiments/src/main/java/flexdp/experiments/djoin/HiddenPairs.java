package flexdp.experiments.djoin;

import flexdp.noise.BitSource;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * How many matched pairs are put among the real ones: s₀ + Z, Z discrete Laplace of scale 1/ε cut
 * to |Z| ≤ s₀ = ⌈ln(1/δ)/ε⌉, by drawing again. One key more or less moves the matches by one: (ε,
 * δ), since only the ends of the cut law have no counterpart on the other side.
 */
record HiddenPairs(BigDecimal epsilon, int most) {
  static HiddenPairs of(BigDecimal epsilon, double delta) {
    return new HiddenPairs(epsilon, (int) Math.ceil(-Math.log(delta) / epsilon.doubleValue()));
  }

  /** Z. */
  int draw(BitSource source) {
    DiscreteLaplace law = new DiscreteLaplace(Rational.ONE.over(Rational.of(epsilon)));
    while (true) {
      BigInteger z = law.sample(source);
      if (z.abs().compareTo(BigInteger.valueOf(most)) <= 0) {
        return z.intValueExact();
      }
    }
  }

  /** The probability of a value, cut. */
  double chance(int z) {
    if (Math.abs(z) > most) {
      return 0;
    }
    double r = Math.exp(-epsilon.doubleValue());
    double all = 1 + 2 * r * (1 - Math.pow(r, most)) / (1 - r);
    return Math.pow(r, Math.abs(z)) / all;
  }

  /** The least δ for which the law and itself moved by one are (ε, δ)-close. */
  double delta() {
    double factor = Math.exp(epsilon.doubleValue());
    double sum = 0;
    for (int z = -most - 1; z <= most + 1; z++) {
      sum += Math.max(0, chance(z) - factor * (1 + 1e-12) * chance(z - 1));
    }
    return sum;
  }
}
