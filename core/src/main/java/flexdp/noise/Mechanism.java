package flexdp.noise;

import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How an answer is made private. Its parameters follow from ε, δ and the number of outputs, never
 * from data, so all of them are public. Constructors check the inequalities that the guarantee
 * needs; a value of this type is a mechanism that keeps its promise.
 *
 * <p>A mechanism says all there is to say of it: how it draws, what it costs, how far its values
 * are from exact ones, and how it is kept. To add one is to add its record here, among those that
 * are permitted and those that can be read, and its offer in {@code flexdp.plan.MechanismChoice}.
 */
public sealed interface Mechanism
    permits Mechanism.Additive, ExponentialMechanism, ClippedNoise, PackedNoise {
  /** The word of the contract. */
  String name();

  BigDecimal epsilon();

  BigDecimal delta();

  /** What zero-concentrated privacy charges for it, if that is possible. */
  Optional<BigDecimal> rho();

  /** The probability of an event outside of which it keeps what it is charged for; part of δ. */
  default BigDecimal failure() {
    return BigDecimal.ZERO;
  }

  /** Whether it is private by ε alone, outside the event that {@link #failure} speaks of. */
  default boolean isPure() {
    return delta().compareTo(failure()) == 0;
  }

  /** Among how many numbers, at most, its privacy is shared: more of them mean more noise. */
  default int outputs() {
    return 1;
  }

  /** The scale of the noise, rounded up for show. */
  BigDecimal scale(BigDecimal sensitivity);

  default Stored stored() {
    return new Stored(name(), epsilon(), delta(), outputs());
  }

  /** A mechanism that adds noise in proportion to a sensitivity. */
  sealed interface Additive extends Mechanism
      permits Laplace, Gaussian, Lomax, Flex, ProposeTestRelease {
    /** Digits of the decimals shown; directions of rounding never favour less noise. */
    int DIGITS = 40;

    /**
     * The β with which the sensitivity has to be smoothed; absent: the sensitivity has to be
     * public, which is to say constant in the data or computed from released metrics.
     *
     * <p>It is below the β of the calibration by the larger of β·2⁻⁴⁰ and 2⁻⁵⁰, and is a double. So
     * S may be rounded up to a double, and S(x) ≤ e^β·S(y) still holds.
     */
    Optional<BigDecimal> smoothing();

    /** Whether what it is scaled to is public, and its scale with it. */
    default boolean isPublic() {
      return smoothing().isEmpty();
    }

    /** In the sensitivity's units. */
    @Override
    default BigDecimal scale(BigDecimal sensitivity) {
      return exactScale(sensitivity).decimal(new MathContext(DIGITS, RoundingMode.CEILING));
    }

    /** The scale that the sampler uses. */
    Rational exactScale(BigDecimal sensitivity);

    /**
     * Noisy values of one measurement, all its bins together; {@link Noise} checks and converts.
     *
     * @param exact in steps of the grid
     * @param sensitivity how far they move together between neighbours: above zero, and public or
     *     smoothed with β
     */
    List<BigInteger> draw(
        List<BigInteger> exact, BigDecimal sensitivity, BigDecimal grid, Draws draws);

    /**
     * The noisy value, on this grid, is within this distance of the exact one with at least this
     * probability. As public as the sensitivity is.
     */
    BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence);

    /** The chance that the noise is more than so many scales in size, up to the grid. */
    double beyond(double scales);

    /** How many scales the size of the noise exceeds with this chance, up to the grid. */
    double quantile(double chance);

    /** Sums of its noisy values, where their errors are known. */
    default Optional<Sums> sums() {
      return Optional.empty();
    }

    /**
     * What a noisy count has to pass, strictly, for a label that comes from data to be shown;
     * absent where that is not known.
     *
     * @param touched how many bins change between neighbours, and by how much each, at most
     */
    default Optional<BigDecimal> labelThreshold(
        BigDecimal sensitivity, BigDecimal touched, BigDecimal delta) {
      return Optional.empty();
    }
  }

  /** The errors of sums of independent noisy values. */
  interface Sums {
    /** As {@link Additive#halfWidth}, for a sum of so many. */
    BigDecimal halfWidth(BigDecimal sensitivity, BigDecimal grid, BigDecimal confidence, int draws);
  }

  /** What is kept of a mechanism beside the values that it drew. */
  record Stored(
      String name, BigDecimal epsilon, BigDecimal delta, int outputs, Optional<BigDecimal> rho) {
    /** Of what ε and δ say everything of. */
    public Stored(String name, BigDecimal epsilon, BigDecimal delta, int outputs) {
      this(name, epsilon, delta, outputs, Optional.empty());
    }

    private static final List<Function<Stored, Optional<? extends Additive>>> READERS =
        List.of(
            Laplace::read,
            Gaussian::read,
            Lomax::read,
            Flex::read,
            ProposeTestRelease::read,
            ClippedNoise::read);

    /** This mechanism again, where it adds noise; absent for a name that is not known here. */
    public Optional<Additive> additive() {
      for (Function<Stored, Optional<? extends Additive>> reader : READERS) {
        Optional<? extends Additive> read = reader.apply(this);
        if (read.isPresent()) {
          return Optional.of(read.get());
        }
      }
      return Optional.empty();
    }

    /**
     * Whether what it drew may stand for what that one would draw. Pure noise was bought with the ε
     * that it says. What has a δ is compared with its own kind only: its ε buys something else, and
     * a smaller δ means more noise. So do more outputs that share one draw. Where a statistic is
     * computed of several numbers, people weigh the same in all of them, and in no others.
     */
    public boolean serves(Mechanism wanted) {
      String of = wanted.stored().name();
      boolean same = name.equals(of);
      if (ClippedNoise.isApart(name, of)) {
        return false;
      }
      return epsilon.compareTo(wanted.epsilon()) >= 0
          && (same || delta.signum() == 0)
          && (!same || delta.compareTo(wanted.delta()) >= 0 && outputs <= wanted.outputs());
    }
  }

  /** Pure ε is ε²/2 in zero-concentrated privacy. */
  static BigDecimal rhoOfPure(BigDecimal epsilon) {
    return epsilon.multiply(epsilon).divide(BigDecimal.valueOf(2));
  }
}
