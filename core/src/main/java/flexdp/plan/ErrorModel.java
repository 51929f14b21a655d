package flexdp.plan;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.metrics.Metrics;
import flexdp.query.DpQuery;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How far noisy values are from exact ones, as far as that is public (guarantee §8).
 *
 * @param noise by the column of the noisy value; a measurement whose noise is private is absent
 * @param fits of values that are estimated from several noisy ones
 * @param apart whether different measurements were drawn by themselves; of answers that follow from
 *     earlier ones nobody knows
 */
public record ErrorModel(
    Map<Integer, PublicNoise> noise, Map<Integer, EstimateNoise> fits, boolean apart) {
  /** Error bars hold the exact value with this probability. */
  public static final BigDecimal CONFIDENCE = new BigDecimal("0.95");

  public static final ErrorModel NONE = new ErrorModel(Map.of());

  private static final MathContext DOWN = new MathContext(20, RoundingMode.FLOOR);

  public ErrorModel {
    noise = Map.copyOf(noise);
    fits = Map.copyOf(fits);
  }

  public ErrorModel(Map<Integer, PublicNoise> noise) {
    this(noise, Map.of());
  }

  public ErrorModel(Map<Integer, PublicNoise> noise, Map<Integer, EstimateNoise> fits) {
    this(noise, fits, false);
  }

  public static ErrorModel of(Plan plan, Metrics metrics, RuleSet rules) {
    Map<Integer, PublicNoise> known = new HashMap<>();
    for (PlannedMeasurement planned : plan.measurements()) {
      PublicNoise.of(planned, plan, metrics, rules)
          .ifPresent(noise -> known.put(planned.measurement().output().id(), noise));
    }
    return new ErrorModel(known, Map.of(), true).in(plan.query());
  }

  /** Together with noise that is known of since. */
  public ErrorModel and(
      Map<Integer, PublicNoise> more, Map<Integer, EstimateNoise> estimated, DpQuery query) {
    Map<Integer, PublicNoise> all = new HashMap<>(noise);
    all.putAll(more);
    return new ErrorModel(all, fits, apart).with(estimated).in(query);
  }

  /** These errors for every column of a question that shows one of these noisy values. */
  public ErrorModel in(DpQuery query) {
    Map<Integer, PublicNoise> all = new HashMap<>(noise);
    query
        .readings()
        .forEach(
            (column, of) -> Optional.ofNullable(noise.get(of)).ifPresent(n -> all.put(column, n)));
    Map<Integer, EstimateNoise> shown = new HashMap<>(fits);
    AlgebraWalker.visit(
        query.top(),
        r -> {
          if (r instanceof Relation.Released released) {
            shown.putAll(shown(released));
          }
        });
    return new ErrorModel(all, shown, apart);
  }

  /** Estimates under the names that a reader gives to them and to what tells them apart. */
  private Map<Integer, EstimateNoise> shown(Relation.Released released) {
    Map<Integer, EstimateNoise> shown = new HashMap<>();
    for (int i = 0; i < released.of().size(); i++) {
      EstimateNoise fit = fits.get(released.of().get(i));
      if (fit != null) {
        List<Integer> named =
            fit.places().stream()
                .map(place -> released.of().indexOf(place))
                .filter(at -> at >= 0)
                .map(at -> released.columns().get(at).id())
                .toList();
        boolean all = named.size() == fit.places().size();
        shown.put(released.columns().get(i).id(), fit.at(all ? named : List.of()));
      }
    }
    return shown;
  }

  /** These errors, where nothing is known of these columns. */
  public ErrorModel without(Set<Integer> columns) {
    Map<Integer, PublicNoise> drawn = new HashMap<>(noise);
    drawn.keySet().removeAll(columns);
    Map<Integer, EstimateNoise> estimated = new HashMap<>(fits);
    estimated.keySet().removeAll(columns);
    return new ErrorModel(drawn, estimated, apart);
  }

  /** With estimates in place of the noise of single draws, by the column of the value. */
  public ErrorModel with(Map<Integer, EstimateNoise> estimated) {
    Map<Integer, PublicNoise> drawn = new HashMap<>(noise);
    drawn.keySet().removeAll(estimated.keySet());
    Map<Integer, EstimateNoise> all = new HashMap<>(fits);
    all.putAll(estimated);
    return new ErrorModel(drawn, all, apart);
  }

  public boolean measures(int column) {
    return noise.containsKey(column) || fits.containsKey(column);
  }

  /** The columns that say which of several errors a value has. */
  public List<Integer> places(int column) {
    return fits.containsKey(column) ? fits.get(column).places() : List.of();
  }

  /**
   * Half the width of an interval around a noisy value such that, with probability 95 %, so many
   * intervals of different measurements hold their exact values all at once (Bonferroni).
   */
  public BigDecimal halfWidth(int column, int together) {
    return fits.containsKey(column)
        ? fits.get(column).halfWidth(confidence(together))
        : noise.get(column).halfWidth(confidence(together));
  }

  /** How far the exact value may be above the noisy one; half the width, unless values are cut. */
  public BigDecimal above(int column, int together) {
    return fits.containsKey(column)
        ? fits.get(column).above(confidence(together))
        : noise.get(column).above(confidence(together));
  }

  /** How far the exact value may be below the noisy one. */
  public BigDecimal below(int column, int together) {
    return fits.containsKey(column)
        ? fits.get(column).below(confidence(together))
        : noise.get(column).below(confidence(together));
  }

  /**
   * How far above its exact value one of several values may be.
   *
   * @param told what the columns say that tell them apart
   */
  public BigDecimal above(int column, int together, List<Object> told) {
    return fits.get(column).above(confidence(together), told);
  }

  /** How far one of several values may be below. */
  public BigDecimal below(int column, int together, List<Object> told) {
    return fits.get(column).below(confidence(together), told);
  }

  static BigDecimal confidence(long together) {
    BigDecimal tail =
        BigDecimal.ONE.subtract(CONFIDENCE).divide(BigDecimal.valueOf(together), DOWN);
    return BigDecimal.ONE.subtract(tail);
  }
}
