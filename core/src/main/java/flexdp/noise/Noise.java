package flexdp.noise;

import flexdp.noise.LaplaceCache.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds noise. Values lie on a public grid, noisy values on the same one.
 *
 * <p>Every call draws afresh: whoever wants one measurement shown twice draws once and keeps it.
 */
public final class Noise {
  private final BitSource source;
  private final Draws draws;

  public Noise(BitSource source) {
    this(source, new LaplaceCache());
  }

  public Noise(BitSource source, LaplaceCache distributions) {
    this.source = source;
    this.draws = new Draws(source, distributions);
  }

  /** Where its bits come from, for what is chosen and not added. */
  public BitSource source() {
    return source;
  }

  /** Noise from the platform's cryptographic generator. */
  public static Noise secure() {
    return new Noise(new SecureBits());
  }

  /** One noisy value; see {@link #add(Mechanism.Additive, BigDecimal, List, BigDecimal)}. */
  public BigDecimal add(
      Mechanism.Additive mechanism, BigDecimal sensitivity, BigDecimal exact, BigDecimal grid) {
    return add(mechanism, sensitivity, List.of(exact), grid).getFirst();
  }

  /**
   * Noisy values of one measurement, all its bins together.
   *
   * @param sensitivity how far the exact values move together between neighbours, in L1 (L2 for
   *     {@link Gaussian}): public, or smoothed with the mechanism's β; zero says that they never
   *     move, and no noise is added
   * @param exact multiples of the grid
   */
  public List<BigDecimal> add(
      Mechanism.Additive mechanism,
      BigDecimal sensitivity,
      List<BigDecimal> exact,
      BigDecimal grid) {
    if (grid.signum() <= 0) {
      throw new IllegalArgumentException("a grid must be > 0. Provided value: " + grid);
    }
    if (sensitivity.signum() == 0 || exact.isEmpty()) {
      return List.copyOf(exact);
    }
    List<BigInteger> steps = exact.stream().map(value -> steps(value, grid)).toList();
    List<BigInteger> noisy = mechanism.draw(steps, sensitivity, grid, draws);
    List<BigDecimal> values = new ArrayList<>(noisy.size());
    noisy.forEach(n -> values.add(grid.multiply(new BigDecimal(n))));
    return values;
  }

  private static BigInteger steps(BigDecimal value, BigDecimal grid) {
    if (value.scale() == 0 && grid.scale() == 0 && grid.unscaledValue().equals(BigInteger.ONE)) {
      return value.unscaledValue();
    }
    BigDecimal[] parts = value.divideAndRemainder(grid);
    if (parts[1].signum() != 0) {
      // Says nothing of the value: it is private.
      throw new IllegalArgumentException("a value is not a multiple of the grid " + grid);
    }
    return parts[0].toBigIntegerExact();
  }
}
