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

/**
 * How far noisy values are from exact ones, as far as that is public (guarantee D9).
 *
 * @param noise by the column of the noisy value; a measurement whose noise is private is absent
 */
public record Errors(Map<Integer, PublicNoise> noise) {
  /** Error bars hold the exact value with this probability. */
  public static final BigDecimal CONFIDENCE = new BigDecimal("0.95");

  public static final Errors NONE = new Errors(Map.of());

  private static final MathContext DOWN = new MathContext(20, RoundingMode.FLOOR);

  public Errors {
    noise = Map.copyOf(noise);
  }

  public static Errors of(Plan plan, Metrics metrics, Rules rules) {
    Map<Integer, PublicNoise> known = new HashMap<>();
    for (Planned planned : plan.measurements()) {
      PublicNoise.of(planned, plan, metrics, rules)
          .ifPresent(noise -> known.put(planned.measurement().output().id(), noise));
    }
    return new Errors(known).in(plan.question());
  }

  /** The same, for every column of a question that shows one of these noisy values. */
  public Errors in(Question question) {
    Map<Integer, PublicNoise> all = new HashMap<>(noise);
    question
        .readings()
        .forEach(
            (column, of) -> Optional.ofNullable(noise.get(of)).ifPresent(n -> all.put(column, n)));
    return new Errors(all);
  }

  public boolean measures(int column) {
    return noise.containsKey(column);
  }

  /**
   * Half the width of an interval around a noisy value such that, with probability 95 %, so many
   * intervals of different measurements hold their exact values all at once (Bonferroni).
   */
  public BigDecimal halfWidth(int column, int together) {
    BigDecimal tail =
        BigDecimal.ONE.subtract(CONFIDENCE).divide(BigDecimal.valueOf(together), DOWN);
    return noise.get(column).halfWidth(BigDecimal.ONE.subtract(tail));
  }
}
