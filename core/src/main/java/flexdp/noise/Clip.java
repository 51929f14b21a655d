package flexdp.noise;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * {@code clip}: what each person contributes is clipped at a level that a noisy histogram of people
 * chooses with a quarter of ε; discrete Laplace noise in proportion to that level takes the rest.
 * Pure ε. Where labels come from the data another quarter chooses them, with a δ that is counted
 * beside the mechanism.
 *
 * @param together whether people have the same weights as in other measurements, which a statistic
 *     is computed of: kept, such a number stands for no other
 */
public record Clip(BigDecimal epsilon, boolean choosesLabels, boolean together)
    implements Mechanism {
  private static final String NAME = "clip";
  static final String TOGETHER = "clip-together";

  private static final BigDecimal QUARTER = new BigDecimal("0.25");

  /** (m/4)² + k·(3/4)² is at most k for every k from m on, and for m = k up to here. */
  private static final int MOST_TOGETHER = 7;

  /** 2·(m/4)² + k·(2/4)² is at most k up to here. */
  private static final int MOST_WITH_LABELS = 6;

  /** With labels that are known. */
  public Clip(BigDecimal epsilon) {
    this(epsilon, false, false);
  }

  public Clip {
    Privacy.checkEpsilon(epsilon);
    // The least of its parts: noise is made for each.
    Privacy.checkEpsilon(epsilon.multiply(QUARTER));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Stored stored() {
    return new Stored(together ? TOGETHER : NAME, epsilon, delta(), outputs());
  }

  @Override
  public BigDecimal delta() {
    return BigDecimal.ZERO;
  }

  /** Its noise is kept as that of the whole ε, at a sensitivity that is larger by as much. */
  static Optional<Laplace> read(Stored kept) {
    return kept.name().equals(NAME) || kept.name().equals(TOGETHER)
        ? Optional.of(Laplace.of(kept.epsilon()))
        : Optional.empty();
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
    int most = choosesLabels ? MOST_WITH_LABELS : MOST_TOGETHER;
    return choosing().multiply(BigDecimal.valueOf(Math.min(measurements, most)));
  }

  /** What chooses the labels that so many measurements share. */
  public BigDecimal labelling(int measurements) {
    if (!choosesLabels) {
      throw new IllegalStateException("the labels are known");
    }
    return choosing(measurements);
  }

  /** The part of ε that noise is made for. */
  public BigDecimal adding() {
    BigDecimal rest = epsilon.subtract(choosing());
    return choosesLabels ? rest.subtract(choosing()) : rest;
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
