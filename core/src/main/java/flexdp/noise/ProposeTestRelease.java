package flexdp.noise;

import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * {@code propose}: propose-test-release. A sensitivity b that somebody proposes is tested privately
 * with a part of ε, see {@link Confirmation}; where it is confirmed, discrete Laplace noise of
 * scale b over the rest of ε is added. Pure ε but for an event of probability δ: let γ be the
 * distance of the data from such whose sensitivity may exceed b. If γ ≥ 1 on one of two neighbours,
 * b bounds how far they are apart; if γ = 0 on both, each is confirmed with probability at most δ.
 *
 * @param delta the probability with which a proposal is confirmed that should not be
 * @param confirmed whether the test was passed; without it no noise is drawn
 */
public record ProposeTestRelease(BigDecimal epsilon, BigDecimal delta, boolean confirmed)
    implements Mechanism.Additive {
  private static final BigDecimal TEST = new BigDecimal("0.3");
  private static final String NAME = "propose";

  public ProposeTestRelease {
    PrivacyParameters.checkEpsilon(epsilon);
    PrivacyParameters.checkEpsilon(epsilon.multiply(TEST));
    PrivacyParameters.checkDelta(delta);
  }

  /** Not tested yet. */
  public static ProposeTestRelease of(BigDecimal epsilon, BigDecimal delta) {
    return new ProposeTestRelease(epsilon, delta, false);
  }

  /** This mechanism after its test. */
  public ProposeTestRelease tested() {
    return new ProposeTestRelease(epsilon, delta, true);
  }

  static Optional<ProposeTestRelease> read(Stored form) {
    return form.name().equals(NAME)
        ? Optional.of(new ProposeTestRelease(form.epsilon(), form.delta(), true))
        : Optional.empty();
  }

  /** The part of ε that the test takes. */
  public BigDecimal testing() {
    return epsilon.multiply(TEST);
  }

  /** The part of ε that noise is made for. */
  public BigDecimal adding() {
    return epsilon.subtract(testing());
  }

  private Laplace noise() {
    return Laplace.of(adding());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BigDecimal failure() {
    return delta;
  }

  /** Outside the event that δ is the probability of. */
  @Override
  public Optional<BigDecimal> rho() {
    return Optional.of(Mechanism.rhoOfPure(epsilon));
  }

  @Override
  public Optional<BigDecimal> smoothing() {
    return Optional.empty();
  }

  @Override
  public Rational exactScale(BigDecimal sensitivity) {
    return noise().exactScale(sensitivity);
  }

  @Override
  public List<BigInteger> draw(
      List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws) {
    if (!confirmed) {
      throw new IllegalStateException("a proposal is used that was not confirmed");
    }
    return noise().draw(exact, sensitivity, grid, draws);
  }

  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    return noise().halfWidth(sensitivity, grid, confidence);
  }

  @Override
  public double beyond(double scales) {
    return noise().beyond(scales);
  }

  @Override
  public double quantile(double chance) {
    return noise().quantile(chance);
  }

  @Override
  public Optional<Sums> sums() {
    return noise().sums();
  }

  @Override
  public Optional<BigDecimal> labelThreshold(
      BigDecimal sensitivity, BigDecimal touched, BigDecimal labelDelta) {
    return noise().labelThreshold(sensitivity, touched, labelDelta);
  }

  /**
   * The test of propose-test-release. A private distance γ moves by at most one between neighbours;
   * it passes when γ + Z exceeds t, Z discrete Laplace of scale 1/ε and t the least number with P(Z
   * > t) ≤ δ. Whether it passes is ε-private, and at γ = 0 it passes with probability at most δ.
   */
  public record Confirmation(BigDecimal epsilon, BigDecimal delta) {
    public Confirmation {
      PrivacyParameters.checkEpsilon(epsilon);
      PrivacyParameters.checkDelta(delta);
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
}
