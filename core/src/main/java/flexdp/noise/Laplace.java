package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code laplace}: discrete Laplace noise of scale Δ/ε on the grid of the answer, for a public
 * sensitivity Δ in L1. Pure ε: the probabilities of an output under two inputs at L1 distance at
 * most Δ differ by a factor of at most e^(ε·distance/Δ).
 *
 * @param released Δ comes from released metrics, and the contract calls it {@code released}
 */
public record Laplace(BigDecimal epsilon, boolean released) implements Mechanism.Additive {
  public Laplace {
    Privacy.checkEpsilon(epsilon);
  }

  public static Laplace of(BigDecimal epsilon) {
    return new Laplace(epsilon, false);
  }

  static Optional<Laplace> read(Stored form) {
    return Stream.of(of(form.epsilon()), new Laplace(form.epsilon(), true))
        .filter(made -> made.name().equals(form.name()))
        .findFirst();
  }

  @Override
  public String name() {
    return released ? "released" : "laplace";
  }

  @Override
  public BigDecimal delta() {
    return BigDecimal.ZERO;
  }

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
    return Calibration.sensitivity(sensitivity).over(Rational.of(epsilon));
  }

  /** The least w with P(|Z| > w) = 2·r^(w+1)/(1+r) ≤ 1 − confidence, r = e^(−1/b). */
  @Override
  public BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence) {
    Rational tail = Calibration.tail(confidence);
    Rational b = exactScale(sensitivity).over(Rational.of(grid));
    if (b.signum() == 0) {
      return BigDecimal.ZERO;
    }
    int p = Calibration.PRECISION;
    Enclosure r = Enclosure.of(Rational.ONE.over(b), p).negate().exp();
    Enclosure odds = Enclosure.of(Rational.of(2).over(tail), p).times(one(p).plus(r).inverse());
    BigInteger steps = odds.ln().times(b).upper().ceiling().subtract(BigInteger.ONE);
    return grid.multiply(new BigDecimal(steps.max(BigInteger.ZERO)));
  }

  @Override
  public List<BigInteger> draw(
      List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws) {
    DiscreteLaplace z = draws.laplace(exactScale(sensitivity).over(Rational.of(grid)));
    return exact.stream().map(x -> x.add(z.sample(draws.bits()))).toList();
  }

  @Override
  public double beyond(double scales) {
    return Math.exp(-scales);
  }

  @Override
  public double quantile(double chance) {
    return -Math.log(chance);
  }

  /** Its draws are independent. */
  @Override
  public Optional<Sums> sums() {
    return Optional.of(
        (sensitivity, grid, confidence, draws) ->
            LaplaceSum.halfWidth(this, sensitivity, grid, confidence, draws));
  }

  @Override
  public Optional<BigDecimal> labelThreshold(
      BigDecimal sensitivity, BigDecimal touched, BigDecimal delta) {
    return Optional.of(
        LabelThreshold.of(touched, exactScale(sensitivity), touched, delta, BigDecimal.ONE));
  }

  private static Enclosure one(int p) {
    return Enclosure.of(1, p);
  }
}
