package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The test of propose-test-release. A private distance γ moves by at most one between neighbours;
 * it passes when γ + Z exceeds t, Z discrete Laplace of scale 1/ε and t the least number with P(Z >
 * t) ≤ δ. Whether it passes is ε-private, and at γ = 0 it passes with probability at most δ.
 */
public record Confirmation(BigDecimal epsilon, BigDecimal delta) {
  public Confirmation {
    Privacy.checkEpsilon(epsilon);
    Privacy.checkDelta(delta);
  }

  /** t: P(Z > t) = r^(t+1)/(1+r) with r = e^(−ε). */
  public BigInteger threshold() {
    int p = Calibration.precision(delta);
    Rational rate = Rational.of(epsilon);
    Enclosure r = Enclosure.of(rate, p).negate().exp();
    Enclosure odds =
        Enclosure.of(Rational.of(delta), p).times(Enclosure.of(1, p).plus(r)).inverse();
    BigInteger steps = odds.ln().times(Rational.ONE.over(rate)).upper().ceiling();
    return steps.subtract(BigInteger.ONE).max(BigInteger.ZERO);
  }

  /** Beyond this a distance passes but for a chance that nobody will live to see. */
  public BigInteger farEnough() {
    return threshold().add(Rational.of(100).over(Rational.of(epsilon)).ceiling());
  }

  /**
   * @param distance private
   */
  public boolean passes(BigInteger distance, BitSource source) {
    DiscreteLaplace z = new DiscreteLaplace(Rational.ONE.over(Rational.of(epsilon)));
    return distance.add(z.sample(source)).compareTo(threshold()) > 0;
  }
}
