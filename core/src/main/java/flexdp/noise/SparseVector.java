package flexdp.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * Sparse vector: which of many numbers q₁, q₂, … reach their thresholds θ₁, θ₂, …, as long as at
 * most {@code hits} of them do. One ρ ~ DLap(Δ/ε₁) is drawn for all of them, and a ν ~ DLap(2cΔ/ε₂)
 * for each; a hit is q + ν ≥ θ + ρ, and nothing is compared after the c-th. What may be shown is
 * whether it was a hit, and of a hit the gap q + ν − θ − ρ. Pure ε₁ + ε₂, however many are missed.
 *
 * <p>Where one neighbour has none of the numbers smaller than the other has (all of them only rise,
 * or all only fall, with one step of a unit), ν ~ DLap(cΔ/ε₂) will do: {@code monotone}.
 *
 * <p>Why: between neighbours take ρ′ = ρ + Δ, and at hits ν′ = ν + (q − q′) + Δ, which is at most
 * 2Δ away (Δ, where all rise: ρ′ = ρ, or ρ′ = ρ + Δ). Misses stay misses, hits keep their gaps, and
 * c of them cost c·2Δ·ε₂/(2cΔ). All of it holds on whole steps of a grid.
 *
 * @param sensitivity Δ: how far each of the numbers moves between neighbours; public, and a
 *     multiple of the grid
 * @param grid of which numbers and thresholds are multiples
 */
public record SparseVector(
    BigDecimal epsilon, int hits, boolean monotone, BigDecimal sensitivity, BigDecimal grid) {
  /** The word of the ledger. */
  public static final String NAME = "sparse";

  /** More of them mean more noise than asking one by one for most questions. */
  public static final int MOST_HITS = 1_000;

  private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);

  public SparseVector {
    PrivacyParameters.checkEpsilon(epsilon);
    if (hits < 1 || hits > MOST_HITS) {
      throw new IllegalArgumentException("hits: from 1 to " + MOST_HITS);
    }
    if (sensitivity.signum() <= 0 || grid.signum() <= 0) {
      throw new IllegalArgumentException("sensitivity and grid are above 0");
    }
    if (sensitivity.remainder(grid).signum() != 0) {
      throw new IllegalArgumentException("the sensitivity is a multiple of the grid");
    }
  }

  /** ε₁, the threshold's part: 1 of 1 + (2c)^⅔, which is where errors are least. */
  public BigDecimal ofThreshold() {
    double parts = 1 + StrictMath.pow(noises(), 2.0 / 3);
    return epsilon.multiply(new BigDecimal(1 / parts).round(new MathContext(9)), DOWN);
  }

  /** ε₂: the rest. */
  public BigDecimal ofQuestions() {
    return epsilon.subtract(ofThreshold());
  }

  /** How many Δ the hits may move together. */
  private int noises() {
    return (monotone ? 1 : 2) * hits;
  }

  /** Of ρ, in steps of the grid. */
  public Rational thresholdScale() {
    return steps().over(Rational.of(ofThreshold()));
  }

  /** Of every ν, in steps of the grid. */
  public Rational questionScale() {
    return steps().times(Rational.of(noises())).over(Rational.of(ofQuestions()));
  }

  private Rational steps() {
    return Rational.of(sensitivity).over(Rational.of(grid));
  }

  /** ρ, in steps: drawn once, private, and never drawn again. */
  public BigInteger threshold(BitSource bits) {
    return new DiscreteLaplace(thresholdScale()).sample(bits);
  }

  /** Compares numbers with what {@link #threshold} drew. */
  public Comparison comparison(BigInteger rho, BitSource bits) {
    return new Comparison(rho, new DiscreteLaplace(questionScale()), bits);
  }

  /** The least whole number of steps that is no smaller. */
  public BigInteger steps(BigDecimal threshold) {
    return threshold.divide(grid, 0, RoundingMode.CEILING).toBigIntegerExact();
  }

  /** Numbers as they are compared, one after the other; whoever uses it counts the hits. */
  public static final class Comparison {
    private final BigInteger rho;
    private final DiscreteLaplace noise;
    private final BitSource bits;

    private Comparison(BigInteger rho, DiscreteLaplace noise, BitSource bits) {
      this.rho = rho;
      this.noise = noise;
      this.bits = bits;
    }

    /**
     * The gap of a hit; nothing for a miss. With fresh noise at every call.
     *
     * @param exact in steps
     * @param above in steps
     */
    public Optional<BigInteger> gap(BigInteger exact, BigInteger above) {
      BigInteger gap = exact.add(noise.sample(bits)).subtract(above).subtract(rho);
      return gap.signum() < 0 ? Optional.empty() : Optional.of(gap);
    }
  }
}
