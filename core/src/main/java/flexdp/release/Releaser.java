package flexdp.release;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.compute.Conversion;
import flexdp.compute.Ordering;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.BitSource;
import flexdp.noise.Distributions;
import flexdp.noise.MostFrequent;
import flexdp.noise.Noise;
import flexdp.noise.Quantiles;
import flexdp.plan.Calibrated;
import flexdp.plan.Planned;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** Turns exact cells into noisy rows. What leaves here is private; what enters never leaves. */
public final class Releaser {
  private static final MathContext UP = new MathContext(40, RoundingMode.CEILING);

  private final BitSource source;
  private final Noise noise;
  private final Optional<BigDecimal> thresholdDelta;

  /**
   * @param thresholdDelta the policy's δ of one thresholded histogram
   */
  public Releaser(
      BitSource source, Distributions distributions, Optional<BigDecimal> thresholdDelta) {
    this.source = source;
    this.noise = new Noise(source, distributions);
    this.thresholdDelta = thresholdDelta;
  }

  /** Rejects, before anything is spent, a histogram whose labels could not be shown. */
  public static void check(ReleasePoint point) {
    if (point.labels() instanceof Labels.Thresholded && counting(point).isEmpty()) {
      throw Rejection.of(
          RejectionCode.LABELS_NOT_ENUMERABLE,
          "Labels are shown where a noisy count is large enough, and this query counts no rows.",
          "Add COUNT(*) to the query.",
          point.at());
    }
  }

  /** The columns of the noisy rows: keys, grouping ids, measurements. */
  public static List<Column> columns(ReleasePoint point) {
    List<Column> columns = new ArrayList<>(point.keys());
    point.groupingIds().forEach(g -> columns.add(g.output()));
    point.measurements().forEach(m -> columns.add(m.output()));
    return columns;
  }

  /**
   * The noisy rows of a release point.
   *
   * @param planned its measurements, in order, each with a mechanism
   */
  public Rows release(ReleasePoint point, List<Planned> planned, Histogram histogram) {
    return release(point, planned, histogram, Map.of());
  }

  /**
   * The same with some measurements estimated otherwise.
   *
   * @param estimated noisy values of all bins, by the place of the measurement
   */
  public Rows release(
      ReleasePoint point,
      List<Planned> planned,
      Histogram histogram,
      Map<Integer, List<BigDecimal>> estimated) {
    List<List<BigDecimal>> columns = new ArrayList<>();
    for (int m = 0; m < planned.size(); m++) {
      columns.add(
          estimated.containsKey(m) ? estimated.get(m) : noisy(planned.get(m), m, histogram));
    }
    Optional<BigDecimal> threshold = threshold(point, planned);
    int counting = counting(point).orElse(-1);
    List<List<Object>> rows = new ArrayList<>();
    for (int bin = 0; bin < histogram.bins().size(); bin++) {
      if (threshold.isPresent() && columns.get(counting).get(bin).compareTo(threshold.get()) <= 0) {
        continue;
      }
      rows.add(row(point, histogram.bins().get(bin), columns, bin));
    }
    if (threshold.isPresent()) {
      // The order in which a database met its groups is nobody's business.
      rows.sort((one, two) -> Ordering.rows(one, two, point.keys().size()));
    }
    return new Rows(columns(point), rows);
  }

  /**
   * Rows of values that have their noise already.
   *
   * @param columns by measurement and bin
   */
  public static Rows rows(ReleasePoint point, Histogram bins, List<List<BigDecimal>> columns) {
    List<List<Object>> rows = new ArrayList<>();
    for (int bin = 0; bin < bins.bins().size(); bin++) {
      rows.add(row(point, bins.bins().get(bin), columns, bin));
    }
    return new Rows(columns(point), rows);
  }

  private static List<Object> row(
      ReleasePoint point, Histogram.Bin bin, List<List<BigDecimal>> columns, int index) {
    List<Object> row = labels(point, bin);
    for (int m = 0; m < columns.size(); m++) {
      Measurement measurement = point.measurements().get(m);
      row.add(Conversion.to(measurement.output().type(), columns.get(m).get(index)));
    }
    return row;
  }

  /** The beginning of a row: labels and grouping ids. */
  public static List<Object> labels(ReleasePoint point, Histogram.Bin bin) {
    List<Object> row = new ArrayList<>(bin.labels());
    point.groupingIds().forEach(id -> row.add(groupingId(point, id, bin.set())));
    return row;
  }

  private static BigDecimal groupingId(
      ReleasePoint point, Relation.Aggregate.GroupingId id, int set) {
    long bits = 0;
    for (int key : id.keys()) {
      bits = bits << 1 | (point.groupingSets().get(set).contains(key) ? 0 : 1);
    }
    return BigDecimal.valueOf(bits);
  }

  private List<BigDecimal> noisy(Planned planned, int index, Histogram histogram) {
    return switch (planned.noise().orElseThrow()) {
      case Calibrated.Added added -> {
        BigDecimal grid = planned.measurement().grid();
        List<BigDecimal> exact = new ArrayList<>();
        for (BigInteger steps : histogram.numbers(index)) {
          exact.add(grid.multiply(new BigDecimal(steps)));
        }
        yield noise.add(added.mechanism(), added.sensitivity(), exact, grid);
      }
      case Calibrated.Chosen chosen -> {
        List<BigDecimal> values = new ArrayList<>();
        for (int bin = 0; bin < histogram.bins().size(); bin++) {
          values.add(picked(chosen, histogram.buckets(bin, index)));
        }
        yield values;
      }
      case Calibrated.Clipped ignored -> throw byPeople();
      case Calibrated.Descended ignored -> throw byPeople();
    };
  }

  private static IllegalArgumentException byPeople() {
    return new IllegalArgumentException("people's contributions are released by PeopleReleaser");
  }

  /** One value; candidates are the steps of the grid from the low end of the range. */
  private BigDecimal picked(
      Calibrated.Chosen chosen, NavigableMap<BigInteger, BigInteger> buckets) {
    Measurement.Picked measurement = chosen.picked();
    BigDecimal sensitivity = chosen.sensitivity();
    BigInteger low = measurement.clamp().firstStep();
    BigInteger high = measurement.clamp().lastStep();
    // A score that nothing can move gets the noise of one that a single row can.
    BigDecimal stability =
        sensitivity.signum() == 0 ? BigDecimal.ONE : sensitivity.divide(measurement.perRow(), UP);
    List<Quantiles.Bucket> counted = new ArrayList<>();
    buckets.forEach((step, rows) -> counted.add(new Quantiles.Bucket(step.subtract(low), rows)));
    BigInteger candidates = high.subtract(low).add(BigInteger.ONE);
    BigInteger step =
        switch (measurement) {
          case Measurement.Quantile quantile ->
              Quantiles.choose(
                  chosen.mechanism(), quantile.fraction(), stability, candidates, counted, source);
          case Measurement.Mode ignored ->
              MostFrequent.choose(chosen.mechanism(), stability, candidates, counted, source);
        };
    return measurement.grid().multiply(new BigDecimal(low.add(step)));
  }

  /** The measurement that counts all rows of a bin, which is what thresholding looks at. */
  private static Optional<Integer> counting(ReleasePoint point) {
    for (int i = 0; i < point.measurements().size(); i++) {
      if (point.measurements().get(i) instanceof Measurement.Count m && m.isOfAllRows()) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /**
   * Δ∞ + b·ln(T/(2δ)). The L1 sensitivity of the counts bounds both how many bins one neighbour has
   * more than the other and how much such a bin holds.
   */
  private Optional<BigDecimal> threshold(ReleasePoint point, List<Planned> planned) {
    if (!(point.labels() instanceof Labels.Thresholded)) {
      return Optional.empty();
    }
    Calibrated with = planned.get(counting(point).orElseThrow()).noise().orElseThrow();
    BigDecimal touched = with.sensitivity().max(BigDecimal.ONE);
    Optional<BigDecimal> threshold =
        switch (with) {
          case Calibrated.Added added when added.isPublic() ->
              added
                  .mechanism()
                  .labelThreshold(added.sensitivity(), touched, thresholdDelta.orElseThrow());
          case Calibrated.Added ignored -> Optional.empty();
          case Calibrated.Chosen ignored -> Optional.empty();
          case Calibrated.Clipped ignored -> Optional.empty();
          case Calibrated.Descended ignored -> Optional.empty();
        };
    if (threshold.isEmpty()) {
      throw new IllegalStateException("thresholding needs a public scale");
    }
    return threshold;
  }
}
