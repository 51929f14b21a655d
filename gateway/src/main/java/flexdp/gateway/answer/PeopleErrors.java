package flexdp.gateway.answer;

import flexdp.noise.Laplace;
import flexdp.people.clip.Shortfall;
import flexdp.plan.Calibrated;
import flexdp.plan.Planned;
import flexdp.plan.PublicNoise;
import flexdp.question.Measurement;
import flexdp.release.PeopleReleaser;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The noise of answers by people, once their levels are chosen: that of Laplace noise for the whole
 * ε, scaled to as much more as the other parts of ε took away, and about how much was cut off. Of a
 * descent nobody may know how much was cut off, so its answers have no intervals.
 */
final class PeopleErrors {
  private static final MathContext UP = new MathContext(30, RoundingMode.CEILING);

  private PeopleErrors() {}

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
