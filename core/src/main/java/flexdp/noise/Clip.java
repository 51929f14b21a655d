package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * {@code clip}: what each person contributes is clipped at a level that a noisy histogram of people
 * chooses with a quarter of ε; discrete Laplace noise in proportion to that level takes the rest.
 * Pure ε.
 */
public record Clip(BigDecimal epsilon) implements Mechanism {
  private static final BigDecimal QUARTER = new BigDecimal("0.25");

  /** (m/4)² + k·(3/4)² is at most k for every k from m on, and for m = k up to here. */
  private static final int MOST_TOGETHER = 7;

  public Clip {
    Privacy.checkEpsilon(epsilon);
  }

  @Override
  public String name() {
    return "clip";
  }

  @Override
  public BigDecimal delta() {
    return BigDecimal.ZERO;
  }

  /** The part of ε that chooses the level. */
  public BigDecimal choosing() {
    return epsilon.multiply(QUARTER);
  }

  /**
   * What chooses the level that so many measurements share. Their quarters are put together, but
   * not so many that the squares of all parts add up to more than those of the measurements, by
   * which some compositions count.
   */
  public BigDecimal choosing(int measurements) {
    return choosing().multiply(BigDecimal.valueOf(Math.min(measurements, MOST_TOGETHER)));
  }

  /** The part of ε that noise is made for. */
  public BigDecimal adding() {
    return epsilon.subtract(choosing());
  }

  /** Of the noise, at a level that moves an answer so far. */
  @Override
  public BigDecimal scale(BigDecimal sensitivity) {
    return sensitivity.divide(adding(), new MathContext(40, RoundingMode.CEILING));
  }

  @Override
  public Optional<BigDecimal> rho() {
    return Optional.of(Mechanism.rhoOfPure(epsilon));
  }
}
