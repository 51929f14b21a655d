package flexdp.release;

import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueOrdering;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ContributionBounding;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan.Exact;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rows stand for themselves: every measurement is a histogram of its own, to which noise is added
 * or of which values are selected. They share the labels and, where data decide these, the noisy
 * count by which they are shown.
 *
 * @param rows the release point over the rows that are read
 * @param planned the measurements, in order
 * @param thresholding the policy's δ of one thresholded histogram
 */
public record HistogramRelease(
    NoisyAggregate target,
    NoisyAggregate rows,
    List<PlannedMeasurement> planned,
    Optional<BigDecimal> thresholding)
    implements ReleasePlan {
  private static final MathContext UP = new MathContext(40, RoundingMode.CEILING);

  record Cells(ExactHistogram histogram) implements Exact {}

  public HistogramRelease {
    planned = List.copyOf(planned);
  }

  /** Rejects, before anything is spent, a histogram whose labels could not be shown. */
  public static void check(NoisyAggregate point, ContributionBounding bounding) {
    if (!bounding.showsLabelsByPeople()) {
      check(point);
    }
  }

  /** Refuses a release point that cannot be drawn where rows show labels. */
  public static void check(NoisyAggregate point) {
    if (point.labels() instanceof Labels.Thresholded && counting(point).isEmpty()) {
      throw Rejection.of(
          RejectionCode.LABELS_NOT_ENUMERABLE,
          "Labels are shown where a noisy count is large enough, and this query counts no rows.",
          "Add COUNT(*) to the query.",
          point.at());
    }
  }

  @Override
  public List<Mechanism> draws() {
    return planned.stream().map(p -> p.noise().orElseThrow().mechanism()).toList();
  }

  @Override
  public List<Reading> readings() {
    return List.of(reading());
  }

  private Reading.Cells reading() {
    return new Reading.Cells(rows, Reading.Cells.Use.AGGREGATE);
  }

  @Override
  public Cells read(ExactRows from, Optional<List<List<Object>>> labels) {
    Cells cells = none(labels);
    from.cells(reading(), cells.histogram());
    return cells;
  }

  /** What the only measurement of the only bin is, in steps of its grid; private. */
  public BigInteger number(Exact exact) {
    return ((Cells) exact).histogram().numbers(0).getFirst();
  }

  /** Of no rows. */
  Cells none(Optional<List<List<Object>>> labels) {
    return new Cells(
        labels
            .map(all -> ExactHistogram.of(target, all))
            .orElseGet(() -> ExactHistogram.open(target)));
  }

  @Override
  public Released draw(Exact exact, Noise noise) {
    return Released.of(noisy(((Cells) exact).histogram(), noise, Map.of()));
  }

  /**
   * Noisy rows with some measurements estimated otherwise.
   *
   * @param estimated noisy values of all bins, by the place of the measurement
   */
  public RowTable noisy(
      ExactHistogram histogram, Noise noise, Map<Integer, List<BigDecimal>> estimated) {
    List<List<BigDecimal>> columns = new ArrayList<>();
    for (int m = 0; m < planned.size(); m++) {
      columns.add(
          estimated.containsKey(m) ? estimated.get(m) : noisy(planned.get(m), m, histogram, noise));
    }
    Optional<BigDecimal> threshold = threshold();
    if (threshold.isEmpty()) {
      return Released.rows(target, histogram, columns);
    }
    int counting = counting(target).orElseThrow();
    List<List<Object>> shown = new ArrayList<>();
    for (int bin = 0; bin < histogram.bins().size(); bin++) {
      if (columns.get(counting).get(bin).compareTo(threshold.get()) > 0) {
        shown.add(Released.row(target, histogram.bins().get(bin), columns, bin));
      }
    }
    // The order in which a database met its groups is nobody's business.
    shown.sort((one, two) -> ValueOrdering.rows(one, two, target.keys().size()));
    return new RowTable(ExactHistogram.columns(target), shown);
  }

  private static List<BigDecimal> noisy(
      PlannedMeasurement planned, int index, ExactHistogram histogram, Noise noise) {
    return switch (planned.noise().orElseThrow()) {
      case CalibratedMechanism.Additive added -> {
        BigDecimal grid = planned.measurement().grid();
        List<BigDecimal> exact = new ArrayList<>();
        for (BigInteger steps : histogram.numbers(index)) {
          exact.add(grid.multiply(new BigDecimal(steps)));
        }
        yield noise.add(added.mechanism(), added.sensitivity(), exact, grid);
      }
      case CalibratedMechanism.Selected chosen -> {
        SelectionDraw picking = picking(chosen);
        List<BigDecimal> values = new ArrayList<>();
        for (int bin = 0; bin < histogram.bins().size(); bin++) {
          values.add(picking.alone(histogram.buckets(bin, index), noise));
        }
        yield values;
      }
      case CalibratedMechanism.Clipped ignored -> throw byPeople();
      case CalibratedMechanism.Packed ignored -> throw byPeople();
    };
  }

  private static IllegalArgumentException byPeople() {
    return new IllegalArgumentException("people's contributions are not rows that stand alone");
  }

  private static SelectionDraw picking(CalibratedMechanism.Selected chosen) {
    BigDecimal sensitivity = chosen.sensitivity();
    // A score that nothing can move gets the noise of one that a single row can.
    BigDecimal moved =
        sensitivity.signum() == 0
            ? BigDecimal.ONE
            : sensitivity.divide(chosen.picked().perRow(), UP);
    return new SelectionDraw(chosen.picked(), chosen.mechanism(), moved, BigInteger.ONE);
  }

  /** The measurement that counts all rows of a bin, which is what thresholding looks at. */
  private static Optional<Integer> counting(NoisyAggregate point) {
    for (int i = 0; i < point.measurements().size(); i++) {
      if (point.measurements().get(i).isOfAllRows()) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /**
   * Δ∞ + b·ln(T/(2δ)). The L1 sensitivity of the counts bounds both how many bins one neighbour has
   * more than the other and how much such a bin holds.
   */
  private Optional<BigDecimal> threshold() {
    if (!(target.labels() instanceof Labels.Thresholded)) {
      return Optional.empty();
    }
    CalibratedMechanism with = planned.get(counting(target).orElseThrow()).noise().orElseThrow();
    BigDecimal touched = with.sensitivity().max(BigDecimal.ONE);
    Optional<BigDecimal> threshold =
        with.added()
            .filter(CalibratedMechanism::isPublic)
            .flatMap(
                added ->
                    added
                        .mechanism()
                        .labelThreshold(added.sensitivity(), touched, thresholding.orElseThrow()));
    if (threshold.isEmpty()) {
      throw new IllegalStateException("thresholding needs a public scale");
    }
    // Fewer than so many hold as much as each of them may move a bin by.
    BigDecimal fewer = BigDecimal.valueOf(target.labels().fewest() - 1L);
    BigDecimal more = with.sensitivity().multiply(fewer).subtract(touched).max(BigDecimal.ZERO);
    return threshold.map(t -> t.add(more));
  }

  @Override
  public List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other) {
    List<PlannedMeasurement> theirs = ((HistogramRelease) there).planned();
    List<NeighborDistance> moved = new ArrayList<>();
    for (int m = 0; m < planned.size(); m++) {
      BigInteger apart = ((Cells) one).histogram().apart(((Cells) other).histogram(), m);
      moved.add(
          new NeighborDistance(
              NeighborDistance.words(planned.get(m).measurement()),
              planned.get(m).measurement().perStep().multiply(new BigDecimal(apart)),
              planned.get(m).claimed().min(theirs.get(m).claimed())));
    }
    return moved;
  }

  @Override
  public List<String> shownOtherwise(Exact one, Exact other) {
    return ((Cells) one).histogram().shownOtherwise(((Cells) other).histogram());
  }
}
