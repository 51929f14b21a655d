package flexdp.gateway.answer;

import flexdp.noise.Laplace;
import flexdp.people.clip.Shortfall;
import flexdp.plan.Calibrated;
import flexdp.plan.Errors;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.plan.PublicNoise;
import flexdp.question.Measurement;
import flexdp.release.PeopleReleaser;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The noise of answers by people, once their levels are chosen: that of Laplace noise for the whole
 * ε, scaled to as much more as the other parts of ε took away, and about how much was cut off. Of a
 * descent nobody may know how much was cut off, so its answers have no intervals.
 */
final class PeopleErrors {
  private static final MathContext UP = new MathContext(30, RoundingMode.CEILING);

  private PeopleErrors() {}

  /** Which columns have error bars, those among them whose noise is known with the answer only. */
  static IntPredicate barred(Plan plan, Errors errors) {
    Set<Integer> later = new HashSet<>();
    for (Planned planned : plan.measurements()) {
      if (planned.measurement() instanceof Measurement.Amount amount
          && planned.noise().filter(Calibrated.Clipped.class::isInstance).isPresent()) {
        later.add(amount.output().id());
      }
    }
    plan.question()
        .readings()
        .forEach(
            (column, of) -> {
              if (later.contains(of)) {
                later.add(column);
              }
            });
    return column -> errors.measures(column) || later.contains(column);
  }

  static Map<Integer, PublicNoise> clipped(List<Planned> planned, PeopleReleaser.Clipped released) {
    Map<Integer, PublicNoise> known = new HashMap<>();
    Shortfall cut = released.people().shortfall(released.level());
    for (Planned one : planned) {
      if (one.noise().orElseThrow() instanceof Calibrated.Clipped noise
          && one.measurement() instanceof Measurement.Amount amount) {
        BigDecimal epsilon = noise.mechanism().epsilon();
        BigDecimal scaled =
            noise.at(released.level()).multiply(epsilon).divide(noise.mechanism().adding(), UP);
        known.put(
            amount.output().id(),
            new PublicNoise(Laplace.of(epsilon), scaled, amount.grid(), BigDecimal.ZERO)
                .cut(noise.clipping().shortfall(amount, cut)));
      }
    }
    return known;
  }
}
