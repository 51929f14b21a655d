package flexdp.plan;

import flexdp.metrics.Metrics;
import flexdp.question.Question;
import flexdp.sensitivity.Rules;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How far noisy values are from exact ones, as far as that is public (guarantee D9).
 *
 * @param noise by the column of the noisy value; a measurement whose noise is private is absent
 * @param fits of values that are estimated from several noisy ones
 * @param apart whether different measurements were drawn by themselves; of answers that follow from
 *     earlier ones nobody knows
 */
public record Errors(
    Map<Integer, PublicNoise> noise, Map<Integer, FittedNoise> fits, boolean apart) {
  /** Error bars hold the exact value with this probability. */
  public static final BigDecimal CONFIDENCE = new BigDecimal("0.95");

  public static final Errors NONE = new Errors(Map.of());

  private static final MathContext DOWN = new MathContext(20, RoundingMode.FLOOR);

  public Errors {
    noise = Map.copyOf(noise);
    fits = Map.copyOf(fits);
  }

  public Errors(Map<Integer, PublicNoise> noise) {
    this(noise, Map.of());
  }

  public Errors(Map<Integer, PublicNoise> noise, Map<Integer, FittedNoise> fits) {
    this(noise, fits, false);
  }

  public static Errors of(Plan plan, Metrics metrics, Rules rules) {
    Map<Integer, PublicNoise> known = new HashMap<>();
    for (Planned planned : plan.measurements()) {
      PublicNoise.of(planned, plan, metrics, rules)
          .ifPresent(noise -> known.put(planned.measurement().output().id(), noise));
    }
    return new Errors(known, Map.of(), true).in(plan.question());
  }

  /** Together with noise that is known of since. */
  public Errors and(Map<Integer, PublicNoise> more, Question question) {
    Map<Integer, PublicNoise> all = new HashMap<>(noise);
    all.putAll(more);
    return new Errors(all, fits, apart).in(question);
  }

  /** The same, for every column of a question that shows one of these noisy values. */
  public Errors in(Question question) {
    Map<Integer, PublicNoise> all = new HashMap<>(noise);
    question
        .readings()
        .forEach(
            (column, of) -> Optional.ofNullable(noise.get(of)).ifPresent(n -> all.put(column, n)));
    Map<Integer, FittedNoise> shown = new HashMap<>(fits);
    Map<Integer, Integer> sets = question.sets();
    question
        .readings()
        .forEach(
            (column, of) ->
                Optional.ofNullable(fits.get(of))
                    .ifPresent(f -> shown.put(column, f.at(sets.getOrDefault(column, -1)))));
    return new Errors(all, shown, apart);
  }

  /** Where nothing is known of these columns. */
  public Errors without(Set<Integer> columns) {
    Map<Integer, PublicNoise> drawn = new HashMap<>(noise);
    drawn.keySet().removeAll(columns);
    Map<Integer, FittedNoise> estimated = new HashMap<>(fits);
    estimated.keySet().removeAll(columns);
    return new Errors(drawn, estimated, apart);
  }

  /** With estimates in place of the noise of single draws, by the column of the value. */
  public Errors with(Map<Integer, FittedNoise> estimated) {
    Map<Integer, PublicNoise> drawn = new HashMap<>(noise);
    drawn.keySet().removeAll(estimated.keySet());
    Map<Integer, FittedNoise> all = new HashMap<>(fits);
    all.putAll(estimated);
    return new Errors(drawn, all, apart);
  }

  public boolean measures(int column) {
    return noise.containsKey(column) || fits.containsKey(column);
  }

  /** The column that says which of several errors a value has. */
  public OptionalInt set(int column) {
    return fits.containsKey(column)
        ? OptionalInt.of(fits.get(column).place())
        : OptionalInt.empty();
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
    return noise.containsKey(column)
        ? noise.get(column).above(confidence(together))
        : halfWidth(column, together);
  }

  /** How far the exact value may be below the noisy one. */
  public BigDecimal below(int column, int together) {
    return noise.containsKey(column)
        ? noise.get(column).below(confidence(together))
        : halfWidth(column, together);
  }

  /**
   * The same for a value of one grouping set.
   *
   * @param set what the column says that tells them apart
   */
  public BigDecimal halfWidth(int column, int together, Object set) {
    return set instanceof BigDecimal bits && fits.containsKey(column)
        ? fits.get(column).halfWidth(confidence(together), bits.longValue())
        : halfWidth(column, together);
  }

  static BigDecimal confidence(long together) {
    BigDecimal tail =
        BigDecimal.ONE.subtract(CONFIDENCE).divide(BigDecimal.valueOf(together), DOWN);
    return BigDecimal.ONE.subtract(tail);
  }
}
