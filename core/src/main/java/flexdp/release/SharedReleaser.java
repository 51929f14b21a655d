package flexdp.release;

import flexdp.compute.Conversion;
import flexdp.compute.Ordering;
import flexdp.noise.BitSource;
import flexdp.people.descent.Descent;
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
 * Turns what rows with several owners weigh into one noisy number (people, section 6). What leaves
 * here is private; what enters never leaves.
 */
public final class SharedReleaser {
  private final BitSource source;
  private final Solver solver;

  public SharedReleaser(BitSource source, Solver solver) {
    this.source = source;
    this.solver = solver;
  }

  /** A noisy row, and the level that was chosen; both may be shown. */
  public record Descended(Rows rows, int level) {}

  /** An owner's name in the form in which equal values are equal. */
  public static OwnerSets.Owner owner(int kind, Object id) {
    return new OwnerSets.Owner(kind, Ordering.canonical(id));
  }

  public Descended release(ReleasePoint point, Calibrated.Descended noise, OwnerSets sets) {
    Descent descent =
        new Descent(
            noise.descending().levels(),
            noise.mechanism().epsilon(),
            noise.descending().isApproximate());
    Descent.Released released =
        descent.release(new Values(sets, noise.descending().levels(), solver), source);
    BigInteger two = BigInteger.TWO;
    // To the nearest step: rounding what is noisy already costs nothing.
    BigInteger steps =
        released
            .noisy()
            .numerator()
            .multiply(two)
            .add(released.noisy().denominator())
            .divide(released.noisy().denominator().multiply(two));
    BigDecimal value = noise.measurement().grid().multiply(new BigDecimal(steps));
    List<Object> row = new ArrayList<>();
    row.add(Conversion.to(noise.measurement().output().type(), value));
    return new Descended(new Rows(Releaser.columns(point), List.of(row)), released.level());
  }
}
