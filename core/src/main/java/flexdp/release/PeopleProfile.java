package flexdp.release;

import flexdp.metrics.ContributionProfile;
import flexdp.noise.Noise;
import flexdp.noise.Rational;
import flexdp.people.clipping.Contributions;
import flexdp.people.clipping.NoisySizeHistogram;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.query.Measurement;
import flexdp.release.ReleasePlan.LevelRelease;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Publishes how much people have: the histogram by which a clipped answer chooses its level, bought
 * with all of an ε instead of a quarter, and kept. A person is in one bucket of it, so it moves by
 * one when she comes or goes (or by what {@link ClippingPlan#peopleMoved} says of other units); it
 * is read as that of the answer is, so that whoever is one person there is one here.
 */
public final class PeopleProfile {
  private static final MathContext UP = new MathContext(12, RoundingMode.CEILING);

  private PeopleProfile() {}

  /** Whether a release shows, without GROUP BY, one number of what people have. */
  public static boolean isOf(ReleasePlan release) {
    return release.target().keys().isEmpty()
        && switch (release) {
          case ClippedRelease clipped ->
              clipped.noise().size() == 1
                  && clipped.noise().getFirst().measurement() instanceof Measurement.Additive;
          case HistogramRelease rows ->
              rows.target().measurements().size() == 1
                  && rows.target().measurements().getFirst() instanceof Measurement.Count;
          case MarginalsRelease ignored -> false;
          case LevelRelease ignored -> false;
          case ClippedMarginals ignored -> false;
          case ClippedParts ignored -> false;
        };
  }

  /**
   * @param release one number of what people have
   * @param epsilon of the whole of it, as it is planned with
   */
  public static ContributionProfile publish(
      ReleasePlan release,
      ExactRows from,
      String table,
      Optional<String> column,
      String kind,
      BigDecimal epsilon,
      Noise noise) {
    if (release instanceof ClippedRelease clipped) {
      return clipped(clipped, from, table, column, kind, epsilon, noise);
    }
    // One row for each person, by the structure: their number is all there is to say.
    List<List<Object>> whole = List.of(List.of());
    Released released = release.draw(release.read(from, Optional.of(whole)), noise);
    Object number = released.rows().rows().getFirst().getLast();
    BigInteger people = new BigDecimal(number.toString()).toBigInteger();
    return new ContributionProfile(
        table,
        column,
        kind,
        List.of(BigDecimal.ONE),
        List.of(people, BigInteger.ZERO),
        BigDecimal.ONE.divide(epsilon, UP),
        epsilon);
  }

  private static ContributionProfile clipped(
      ClippedRelease clipped,
      ExactRows from,
      String table,
      Optional<String> column,
      String kind,
      BigDecimal epsilon,
      Noise noise) {
    CalibratedMechanism.Clipped first = clipped.noise().getFirst();
    ClippingPlan clipping = first.clipping();
    Contributions<?> people = clipped.contributions(from, Optional.of(List.of(List.of())));
    NoisySizeHistogram noisy =
        NoisySizeHistogram.publish(people, epsilon, clipping.peopleMoved(), noise.source());
    BigDecimal unit = clipping.byRows() ? BigDecimal.ONE : first.measurement().grid();
    List<BigDecimal> upTo = new ArrayList<>();
    for (int level = 0; level <= noisy.levels().last(); level++) {
      upTo.add(new BigDecimal(noisy.levels().at(level)).multiply(unit));
    }
    Rational scale = noisy.scale();
    return new ContributionProfile(
        table, column, kind, upTo, noisy.buckets(), scale.decimal(UP), epsilon);
  }
}
