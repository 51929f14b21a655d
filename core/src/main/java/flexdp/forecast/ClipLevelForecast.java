package flexdp.forecast;

import flexdp.metrics.ContributionProfile;
import flexdp.noise.ClippedNoise;
import flexdp.noise.Rational;
import flexdp.people.clipping.ClipLevels;
import flexdp.people.clipping.ClippingBias;
import flexdp.people.clipping.NoisySizeHistogram;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.plan.PublicNoise;
import flexdp.query.Measurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The level at which people's contributions will be clipped, by the very rule that chooses it, on
 * people as they are believed to be in place of the histogram that will be drawn.
 *
 * @param tau in the measurement's units, or rows
 * @param noise at that level
 */
record ClipLevelForecast(BigDecimal tau, Optional<PublicNoise> noise) {
  /**
   * @param sharing how many measurements share the level
   * @param cells how many labels there are
   * @param sizes groups of people by their size, in the measurement's units or rows
   */
  static ClipLevelForecast of(
      CalibratedMechanism.Clipped noise,
      int sharing,
      List<ContributionProfile.Group> sizes,
      int cells) {
    ClippingPlan clipping = noise.clipping();
    ClipLevels levels = clipping.levels();
    BigDecimal unit = clipping.byRows() ? BigDecimal.ONE : noise.measurement().grid();
    double[] people = new double[levels.buckets()];
    for (ContributionProfile.Group group : sizes) {
      BigInteger size =
          new BigDecimal(group.size()).divide(unit, 0, RoundingMode.CEILING).toBigInteger();
      people[levels.bucket(size)] += group.people();
    }
    List<BigInteger> buckets =
        Arrays.stream(people).mapToObj(n -> BigInteger.valueOf(Math.round(n))).toList();
    ClippedNoise mechanism = noise.mechanism();
    NoisySizeHistogram foretold =
        clipping.euclidean()
            ? new NoisySizeHistogram(
                levels,
                buckets,
                NoisySizeHistogram.deviation(
                    clipping.peopleVariance(mechanism.choosingConcentration(sharing))),
                true)
            : new NoisySizeHistogram(
                levels,
                buckets,
                Rational.of(clipping.peopleMoved()).over(Rational.of(mechanism.choosing(sharing))));
    int level = clipping.level(foretold, cells, mechanism);
    ClippingBias cut =
        clipping.isForCells(cells) ? ClippingBias.NONE : foretold.shortfall(level, cells);
    BigDecimal tau = new BigDecimal(levels.at(level)).multiply(unit);
    if (!(noise.measurement() instanceof Measurement.Additive amount)) {
      return new ClipLevelForecast(tau, Optional.empty());
    }
    return new ClipLevelForecast(tau, Optional.of(noise.known(amount, level, cut)));
  }
}
