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
 * <p>{@code clip-gaussian}: all cells of a person are clipped together in L2. Of ρ an eighth
 * chooses the level, and discrete Gaussian noise takes the rest. Labels from the data are a draw of
 * their own ({@link LabelVotes}).
 *
 * @param epsilon what it costs, with δ
 * @param together whether people have the same weights as in other measurements, which a statistic
 *     is computed of: kept, such a number stands for no other
 * @param normal what Gaussian noise of all of it would be, where it is Gaussian
 */
public record ClippedNoise(
    BigDecimal epsilon, boolean choosesLabels, boolean together, Optional<Gaussian> normal)
    implements Mechanism {
  private static final String NAME = "clip";
  private static final String NORMAL = "clip-gaussian";
  private static final String TOGETHER = "-together";
  private static final BigDecimal QUARTER = new BigDecimal("0.25");
  private static final BigDecimal EIGHTH = new BigDecimal("0.125");
  private static final MathContext UP = new MathContext(30, RoundingMode.CEILING);

  /** (m/4)² + k·(3/4)² is at most k for every k from m on, and for m = k up to here. */
  private static final int MOST_TOGETHER = 7;

  /** 2·(m/4)² + k·(2/4)² is at most k up to here. */
  private static final int MOST_WITH_LABELS = 6;

  /** With labels that are known. */
  public ClippedNoise(BigDecimal epsilon) {
    this(epsilon, false, false);
  }

  /** With Laplace noise. */
  public ClippedNoise(BigDecimal epsilon, boolean choosesLabels, boolean together) {
    this(epsilon, choosesLabels, together, Optional.empty());
  }

  /** With Gaussian noise. */
  public ClippedNoise(Gaussian normal, boolean together) {
    this(normal.epsilon(), false, together, Optional.of(normal));
  }

  public ClippedNoise {
    PrivacyParameters.checkEpsilon(epsilon);
    // The least of its parts: noise is made for each.
    PrivacyParameters.checkEpsilon(epsilon.multiply(QUARTER));
  }

  @Override
  public String name() {
    return normal.isPresent() ? NORMAL : NAME;
  }

  @Override
  public Stored stored() {
    return new Stored(
        name() + (together ? TOGETHER : ""),
        epsilon,
        delta(),
        outputs(),
        normal.map(Gaussian::concentration));
  }

  @Override
  public BigDecimal delta() {
    return normal.map(Gaussian::delta).orElse(BigDecimal.ZERO);
  }

  /** Its noise is kept as that of the whole, at a sensitivity that is larger by as much. */
  static Optional<? extends Additive> read(Stored kept) {
    String name = kept.name().replace(TOGETHER, "");
    if (name.equals(NORMAL)) {
      return kept.rho().map(rho -> new Gaussian(kept.epsilon(), kept.delta(), rho));
    }
    return name.equals(NAME) ? Optional.of(Laplace.of(kept.epsilon())) : Optional.empty();
  }

  /** Whether what is kept under one name stands for what is made under another. */
  static boolean isApart(String kept, String wanted) {
    return !kept.equals(wanted) && (kept.startsWith(NAME + "-") || wanted.startsWith(NAME + "-"));
  }

  /** What all of it would be if noise were all that it takes. */
  public Additive whole() {
    return normal.isPresent() ? normal.get() : Laplace.of(epsilon);
  }

  /**
   * How far the whole would have to move to have the noise that is drawn: more, as parts are taken
   * away before.
   */
  public BigDecimal widened(BigDecimal sensitivity) {
    return normal
        .map(
            n ->
                sensitivity.multiply(
                    n.concentration().divide(concentration(), UP).sqrt(UP).max(BigDecimal.ONE)))
        .orElseGet(() -> sensitivity.multiply(epsilon).divide(adding(), UP));
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
    requireLaplace();
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
    requireLaplace();
    BigDecimal rest = epsilon.subtract(choosing());
    return choosesLabels ? rest.subtract(choosing()) : rest;
  }

  private void requireLaplace() {
    if (normal.isPresent()) {
      throw new IllegalStateException("Gaussian noise has a part of ρ");
    }
  }

  /** The part of ρ that chooses the level that so many measurements share. */
  public BigDecimal choosingConcentration(int measurements) {
    BigDecimal rho = normal.orElseThrow().concentration();
    return rho.multiply(EIGHTH).multiply(BigDecimal.valueOf(measurements));
  }

  /** The part of ρ that noise is made for. */
  public BigDecimal concentration() {
    BigDecimal rho = normal.orElseThrow().concentration();
    return rho.subtract(rho.multiply(EIGHTH));
  }

  /** The noise that is drawn, as if it were all. */
  public Additive added() {
    return normal
        .<Additive>map(n -> Gaussian.ofZcdp(concentration(), n.delta()))
        .orElseGet(() -> Laplace.of(adding()));
  }

  /** Of the noise, at a level that moves an answer so far. */
  @Override
  public BigDecimal scale(BigDecimal sensitivity) {
    return normal
        .map(n -> added().scale(sensitivity))
        .orElseGet(() -> sensitivity.divide(adding(), new MathContext(40, RoundingMode.CEILING)));
  }

  @Override
  public Optional<BigDecimal> rho() {
    return normal.flatMap(Gaussian::rho).or(() -> Optional.of(Mechanism.rhoOfPure(epsilon)));
  }
}
