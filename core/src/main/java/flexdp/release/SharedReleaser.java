package flexdp.release;

import flexdp.compute.Conversion;
import flexdp.compute.Ordering;
import flexdp.noise.BitSource;
import flexdp.people.clip.Levels;
import flexdp.people.descent.Descent;
import flexdp.people.descent.Holdings;
import flexdp.people.descent.OwnerSets;
import flexdp.people.descent.Solver;
import flexdp.people.descent.Values;
import flexdp.plan.Calibrated;
import flexdp.question.ReleasePoint;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns what rows with several owners weigh into noisy numbers (people, section 6). What leaves
 * here is private; what enters never leaves.
 */
public final class SharedReleaser {
  private final BitSource source;
  private final Solver solver;

  public SharedReleaser(BitSource source, Solver solver) {
    this.source = source;
    this.solver = solver;
  }

  /**
   * Noisy rows, and the level that was chosen for each bin of each measurement; both may be shown.
   */
  public record Descended(Rows rows, List<List<Integer>> levels) {}

  /** An owner's name in the form in which equal values are equal. */
  public static OwnerSets.Owner owner(int kind, Object id) {
    return new OwnerSets.Owner(kind, Ordering.canonical(id));
  }

  /**
   * @param noise of each measurement
   * @param sets by measurement and bin, what sets of owners have
   */
  public Descended release(
      ReleasePoint point,
      List<Calibrated.Descended> noise,
      List<? extends List<? extends Holdings>> sets,
      Histogram bins) {
    List<List<Integer>> levels = new ArrayList<>();
    noise.forEach(n -> levels.add(new ArrayList<>()));
    List<List<Object>> rows = new ArrayList<>();
    for (int bin = 0; bin < bins.bins().size(); bin++) {
      List<Object> row = Releaser.labels(point, bins.bins().get(bin));
      for (int m = 0; m < noise.size(); m++) {
        Descent.Released released = release(noise.get(m), sets.get(m).get(bin));
        levels.get(m).add(released.level());
        row.add(shown(noise.get(m), released));
      }
      rows.add(row);
    }
    return new Descended(new Rows(Releaser.columns(point), rows), levels);
  }

  private Descent.Released release(Calibrated.Descended noise, Holdings sets) {
    Levels levels = noise.descending().levels();
    Descent descent =
        new Descent(levels, noise.each().epsilon(), noise.descending().isApproximate());
    return descent.release(new Values(sets, levels, solver), source);
  }

  /** To the nearest step: rounding what is noisy already costs nothing. */
  private static Object shown(Calibrated.Descended noise, Descent.Released released) {
    BigInteger two = BigInteger.TWO;
    BigInteger steps =
        released
            .noisy()
            .numerator()
            .multiply(two)
            .add(released.noisy().denominator())
            .divide(released.noisy().denominator().multiply(two));
    BigDecimal value = noise.measurement().grid().multiply(new BigDecimal(steps));
    return Conversion.to(noise.measurement().output().type(), value);
  }
}
