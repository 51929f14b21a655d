package flexdp.people.packing;

import flexdp.noise.BitSource;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.LazyExponentialSampler;
import flexdp.noise.Rational;
import flexdp.people.clipping.ClipLevels;
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
public record PackingMechanism(ClipLevels levels, BigDecimal epsilon, boolean approximate) {
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
  public Released release(PackingValues values, BitSource source) {
    if (!values.levels().equals(levels)) {
      throw new IllegalArgumentException("values at other levels");
    }
    int level = LazyExponentialSampler.choose(new Scores(this, values), source);
    BigInteger one = BigInteger.ONE.shiftLeft(PackingValues.DIGITS);
    Rational scale = noiseScale(level).times(Rational.of(one));
    BigInteger noise = new DiscreteLaplace(scale).sample(source);
    return new Released(level, new Rational(values.at(level).add(noise), one));
  }

  /**
   * The scores of levels, from the top down. Every level from {@code seen} upwards has its value.
   * The score of j needs the values of j−1 and of all above; of an unseen j it is known that s_j ≤
   * K − max G over what was seen.
   */
  static final class Scores implements LazyExponentialSampler.Scores {
    private final PackingValues values;
    private final ClipLevels levels;
    private final Rational margin;
    private final Rational rate;
    private final Rational[] gains;
    private final Rational[] largest;
    private int seen;

    Scores(PackingMechanism descent, PackingValues values) {
      this.values = values;
      this.levels = descent.levels();
      this.margin = descent.margin();
      this.rate = descent.rate();
      this.gains = new Rational[levels.count()];
      this.largest = new Rational[levels.count() + 1];
      this.largest[levels.count()] = Rational.ZERO;
      this.seen = levels.count();
      see(values.lowestSlack());
    }

    @Override
    public int levels() {
      return levels.count();
    }

    @Override
    public boolean isKnown(int level) {
      return Math.max(0, level - 1) >= seen;
    }

    @Override
    public Rational upper(int level) {
      return isKnown(level) ? exact(level) : least(margin, margin.minus(largest[seen])).times(rate);
    }

    @Override
    public void look() {
      see(seen - 1);
    }

    /** The score; looks at whatever it needs. */
    Rational exact(int level) {
      see(Math.max(0, level - 1));
      Rational score = least(margin, margin.minus(largest[level]));
      if (level > 0) {
        score = least(score, gains[level - 1].minus(margin));
      }
      return score.times(rate);
    }

    /** Looks at every level down to this one. */
    private void see(int level) {
      while (seen > level) {
        seen--;
        if (seen == levels.last()) {
          values.at(seen);
          // There is nothing above: the largest gain is that of no levels.
          largest[seen] = Rational.ZERO;
        } else {
          gains[seen] = gain(values.at(seen), values.at(seen + 1), levels.at(seen + 1));
          boolean first = seen + 1 == levels.last();
          largest[seen] = first ? gains[seen] : most(gains[seen], largest[seen + 1]);
        }
      }
    }

    private static Rational gain(BigInteger lower, BigInteger upper, BigInteger level) {
      return new Rational(upper.subtract(lower), level.shiftLeft(PackingValues.DIGITS));
    }

    private static Rational least(Rational a, Rational b) {
      return a.compareTo(b) <= 0 ? a : b;
    }

    private static Rational most(Rational a, Rational b) {
      return a.compareTo(b) >= 0 ? a : b;
    }
  }
}
