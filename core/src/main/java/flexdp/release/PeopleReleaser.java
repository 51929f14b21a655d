package flexdp.release;

import flexdp.compute.Ordering;
import flexdp.noise.BitSource;
import flexdp.noise.Clip;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Exponential;
import flexdp.noise.LabelThreshold;
import flexdp.noise.MostFrequent;
import flexdp.noise.Quantiles;
import flexdp.noise.Rational;
import flexdp.people.clip.Contributions;
import flexdp.people.clip.NoisyPeople;
import flexdp.plan.Clipping;
import flexdp.plan.LabelsByPeople;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Turns what people contribute into noisy rows (people, section 5): a quarter of ε publishes how
 * many people are of which size, which chooses the level; the rest is shared by the measurements,
 * each clipped there. Pure ε. What leaves here is private; what enters never leaves.
 */
public final class PeopleReleaser {
  private final BitSource source;

  public PeopleReleaser(BitSource source) {
    this.source = source;
  }

  /** Noisy rows, with what chose their level; all of it may be shown. */
  public record Clipped(Rows rows, NoisyPeople people, int level) {}

  /**
   * The noisy rows of a release point over a relation in which every row is one person's.
   *
   * @param mechanism of each measurement: its parts of ε add up
   * @param bins an empty histogram that has the labels
   */
  public Clipped release(
      ReleasePoint point,
      Clipping clipping,
      Clip mechanism,
      Contributions<PersonCell> contributions,
      Histogram bins) {
    BigDecimal choosing = mechanism.choosing(point.measurements().size());
    NoisyPeople people =
        NoisyPeople.publish(contributions, choosing, clipping.peopleMoved(), source);
    int level = people.level();
    fill(point, clipping, contributions, level, bins);
    Rational adding = Rational.of(mechanism.adding());
    List<List<BigDecimal>> columns = new ArrayList<>();
    for (int m = 0; m < point.measurements().size(); m++) {
      columns.add(noisy(point.measurements().get(m), m, clipping, level, adding, bins));
    }
    return new Clipped(Releaser.rows(point, bins, columns), people, level);
  }

  /**
   * The labels that enough people have, in order. Which of them are shown is private by ε and δ.
   *
   * @param people how many have each label, as {@link LabelsByPeople#counting} says
   * @param measurements how many share the labels
   */
  public List<List<Object>> labels(
      LabelsByPeople labels, Clip mechanism, int measurements, BigDecimal delta, Histogram people) {
    Rational scale =
        Rational.of(labels.moved()).over(Rational.of(mechanism.labelling(measurements)));
    DiscreteLaplace noise = new DiscreteLaplace(scale);
    BigDecimal most = new BigDecimal(labels.moved());
    BigDecimal threshold = LabelThreshold.of(most, scale, most, delta, BigDecimal.ONE);
    List<List<Object>> shown = new ArrayList<>();
    List<BigInteger> counts = people.numbers(0);
    for (int bin = 0; bin < counts.size(); bin++) {
      BigInteger noisy = counts.get(bin).add(noise.sample(source));
      if (new BigDecimal(noisy).compareTo(threshold) > 0) {
        shown.add(people.bins().get(bin).labels());
      }
    }
    shown.sort((one, two) -> Ordering.rows(one, two, one.size()));
    return shown;
  }

  private static void fill(
      ReleasePoint point,
      Clipping clipping,
      Contributions<PersonCell> from,
      int level,
      Histogram bins) {
    for (PersonCell cell : from.cells()) {
      long grouping = cell.grouping().orElseGet(bins::onlyGrouping);
      Measurement measurement = point.measurements().get(cell.measurement());
      BigInteger value = clipping.value(from, cell, measurement, level);
      if (cell.step().isPresent()) {
        bins.add(grouping, cell.labels(), cell.measurement(), cell.step().get(), value);
      } else {
        bins.add(grouping, cell.labels(), cell.measurement(), value);
      }
    }
  }

  private List<BigDecimal> noisy(
      Measurement measurement,
      int index,
      Clipping clipping,
      int level,
      Rational epsilon,
      Histogram bins) {
    BigInteger moved = clipping.moved(measurement, level);
    return switch (measurement) {
      case Measurement.Amount amount -> {
        DiscreteLaplace noise = new DiscreteLaplace(Rational.of(moved).over(epsilon));
        yield bins.numbers(index).stream()
            .map(n -> onGrid(n.add(noise.sample(source)), clipping.digits(), amount.grid()))
            .toList();
      }
      case Measurement.Picked picked -> {
        List<BigDecimal> chosen = new ArrayList<>();
        for (int bin = 0; bin < bins.bins().size(); bin++) {
          chosen.add(picked(picked, moved, epsilon, bins.buckets(bin, index)));
        }
        yield chosen;
      }
    };
  }

  /** Rounding what is noisy already costs nothing. */
  private static BigDecimal onGrid(BigInteger noisy, int digits, BigDecimal grid) {
    BigDecimal steps =
        new BigDecimal(noisy)
            .divide(new BigDecimal(BigInteger.ONE.shiftLeft(digits)), 0, RoundingMode.HALF_EVEN);
    return grid.multiply(steps);
  }

  /**
   * One value of weighted rows. A person moves the bins together by her weight in L1, each of them
   * a selection of its own, so every selection is made as if she were in it with all of it.
   */
  private BigDecimal picked(
      Measurement.Picked picked,
      BigInteger moved,
      Rational epsilon,
      Map<BigInteger, BigInteger> rows) {
    BigInteger first = picked.clamp().firstStep();
    List<Quantiles.Bucket> buckets = new ArrayList<>();
    rows.forEach((step, n) -> buckets.add(new Quantiles.Bucket(step.subtract(first), n)));
    BigInteger candidates = picked.clamp().lastStep().subtract(first).add(BigInteger.ONE);
    BigDecimal down = epsilon.decimal(new java.math.MathContext(30, RoundingMode.FLOOR));
    BigInteger chosen =
        switch (picked) {
          case Measurement.Quantile quantile ->
              Quantiles.choose(
                  new Exponential(down),
                  quantile.fraction(),
                  new BigDecimal(moved),
                  candidates,
                  buckets,
                  source);
          case Measurement.Mode ignored ->
              MostFrequent.choose(
                  new Exponential(down), new BigDecimal(moved), candidates, buckets, source);
        };
    return picked.grid().multiply(new BigDecimal(first.add(chosen)));
  }
}
