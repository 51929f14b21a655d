package flexdp.people.descent;

import flexdp.noise.BitSource;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.LazySelection;
import flexdp.noise.Rational;
import flexdp.people.clip.Levels;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * COUNT or SUM of values ≥ 0 over rows with several owners: a level is chosen, Q at that level gets
 * noise. Pure ε, half of it for each.
 *
 * <p>G_j = (Q(τ_{j+1}) − Q(τ_j))/τ_{j+1} moves within [−½, 1] when a person comes, so the score s_j
 * = min(K, K − max_{i ≥ j} G_i, G_{j−1} − K) moves by at most 1, or 1 + 3η/2 where values are known
 * up to ητ. Level j is chosen with probability ∝ 2^(−j/2)·exp(ε₁·s_j/(2+3η)); Q(τ_j), which moves
 * by at most (1+η)τ_j, gets discrete Laplace noise of scale (1+η)τ_j/ε₂.
 *
 * <p>Whether η counts depends on how many owners a row of the question may have, never on which
 * algorithm a value took, nor on how many owners the rows have: decided by data, a loss of 1.13ε
 * was found.
 *
 * @param epsilon of both steps together
 * @param approximate whether a result may have three owners or more
 */
public record Descent(Levels levels, BigDecimal epsilon, boolean approximate) {
  /** η: how far below Q a value may be, in units of τ. */
  static final Rational SLACK = Rational.of(1, 64);

  private static final Rational HALF = Rational.of(1, 2);

  /** A level that was chosen, and the noisy value there, in steps. */
  public record Released(int level, Rational noisy) {}

  private Rational slack() {
    return approximate ? SLACK : Rational.ZERO;
  }

  private Rational half() {
    return Rational.of(epsilon).times(HALF);
  }

  /** K ≈ ln(100·B)/ε₁. A public constant: any number would be private. */
  Rational margin() {
    BigDecimal log = new BigDecimal(StrictMath.log(100.0 * levels.count()));
    return Rational.of(log).over(half());
  }

  /** ε₁/(2+3η). */
  Rational rate() {
    return half().over(Rational.of(2).plus(slack().times(Rational.of(3))));
  }

  /** (1+η)τ/ε₂, in steps of the grid. */
  public Rational noiseScale(int level) {
    return Rational.of(levels.at(level)).times(Rational.ONE.plus(slack())).over(half());
  }

  /** Draws a level and the noisy value there. */
  public Released release(Values values, BitSource source) {
    if (!values.levels().equals(levels)) {
      throw new IllegalArgumentException("values at other levels");
    }
    int level = LazySelection.choose(new Scores(this, values), source);
    BigInteger one = BigInteger.ONE.shiftLeft(Values.DIGITS);
    Rational scale = noiseScale(level).times(Rational.of(one));
    BigInteger noise = new DiscreteLaplace(scale).sample(source);
    return new Released(level, new Rational(values.at(level).add(noise), one));
  }
}
