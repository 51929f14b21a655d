package flexdp.forecast;

import flexdp.algebra.Relation;
import flexdp.cells.ExactHistogram;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.JointClipping;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.plan.PublicNoise;
import flexdp.policy.Type;
import flexdp.properties.Lineage;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.Released;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the release points of a question will hold, about, and with which noise: rows spread evenly
 * over all cells. Post-processing of released numbers, so it costs nothing and is decided by
 * nothing private.
 *
 * @param rows by release point, as if they had been released
 * @param kept the same without what people have beyond the level, by the same; where that is less
 * @param noise of clipped measurements, by the column of their value, at the level that the
 *     profiles of people lead to
 * @param levels the same level in words, by the same
 * @param ranks of values that are chosen, by the same
 * @param people how many take part, by release point, where profiles say it
 * @param from the tables whose released numbers say so
 * @param uneven whether cells are told apart by stored texts, which are rarely equally frequent
 */
public record Forecast(
    Map<Integer, RowTable> rows,
    Map<Integer, RowTable> kept,
    Map<Integer, PublicNoise> noise,
    Map<Integer, Tau> levels,
    Map<Integer, Rank> ranks,
    Map<Integer, Double> people,
    Set<String> from,
    boolean uneven) {
  private static final double TAIL = 0.05;

  /** More cells than these are not looked at one by one. */
  private static final int MOST_CELLS = 2_000;

  /**
   * The level that a question is likely to be clipped at.
   *
   * @param size in the units of what is counted or added up
   * @param byRows whether it is a number of rows
   */
  public record Tau(BigDecimal size, boolean byRows) {}

  /**
   * How far a value that is chosen lies from the one that is wanted.
   *
   * @param off how many rows lie between them, at most, with 95 %
   * @param rows of a cell
   * @param isEnd whether the least or the largest one is wanted
   */
  public record Rank(double off, double rows, boolean isEnd) {}

  public Forecast {
    ranks = Map.copyOf(ranks);
    people = Map.copyOf(people);
    rows = Map.copyOf(rows);
    kept = Map.copyOf(kept);
    noise = Map.copyOf(noise);
    levels = Map.copyOf(levels);
    from = Set.copyOf(from);
  }

  /**
   * @param labels by release point; absent where data decide
   * @return nothing where no released number says how many rows there are
   */
  public static Optional<Forecast> of(
      Plan plan, Metrics metrics, Map<Integer, Optional<List<List<Object>>>> labels) {
    if (metrics.profiles().isEmpty() && metrics.released().isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, RowTable> rows = new HashMap<>();
    Map<Integer, RowTable> kept = new HashMap<>();
    Map<Integer, PublicNoise> noise = new HashMap<>();
    Map<Integer, Tau> levels = new HashMap<>();
    Map<Integer, Rank> ranks = new HashMap<>();
    Map<Integer, Double> people = new HashMap<>();
    Set<String> from = new LinkedHashSet<>();
    for (NoisyAggregate point : plan.query().releases()) {
      CardinalityEstimate cardinality = new CardinalityEstimator(metrics).of(point.input());
      if (!cardinality.isKnown()) {
        return Optional.empty();
      }
      from.addAll(cardinality.from());
      if (!cardinality.people().isEmpty()) {
        people.put(point.id(), cardinality.count());
      }
      One one =
          new One(
              point,
              metrics,
              cardinality,
              bins(point, labels.get(point.id())),
              plan.countsKeys(point));
      Map<Integer, Double> cut = new HashMap<>();
      for (PlannedMeasurement measured : plan.of(point)) {
        if (measured.noise().orElse(null) instanceof CalibratedMechanism.Clipped clipped
            && !cardinality.people().isEmpty()) {
          CalibratedMechanism.Clipped meant =
              clipped.bySet().isPresent() ? clipped.ofCuboids() : clipped;
          int sharing = sharing(point, measured.measurement());
          ClipLevelForecast level =
              ClipLevelForecast.of(meant, sharing, one.sizes(meant), one.bins().bins().size());
          int id = measured.measurement().output().id();
          level.noise().ifPresent(n -> noise.put(id, n));
          levels.put(id, new Tau(level.tau(), meant.clipping().byRows()));
          cut.put(id, one.cut(meant, level.tau().doubleValue()));
          if (measured.measurement() instanceof Measurement.Selected picked) {
            double moved = level.tau().doubleValue() * picked.perRow().doubleValue();
            ranks.put(id, one.rank(picked, moved, meant.mechanism().adding().doubleValue(), true));
          }
        } else if (measured.noise().orElse(null) instanceof CalibratedMechanism.Selected chosen) {
          double moved = chosen.sensitivity().doubleValue();
          double epsilon = chosen.mechanism().epsilon().doubleValue();
          ranks.put(
              measured.measurement().output().id(),
              one.rank(chosen.picked(), moved, epsilon, false));
        }
      }
      rows.put(point.id(), one.rows(Map.of()));
      kept.put(point.id(), one.rows(cut));
    }
    boolean uneven = plan.query().releases().stream().anyMatch(Forecast::isUneven);
    return Optional.of(new Forecast(rows, kept, noise, levels, ranks, people, from, uneven));
  }

  private static boolean isUneven(NoisyAggregate point) {
    return point.keys().stream()
        .map(key -> Lineage.of(point.input(), key.id()))
        .anyMatch(
            key ->
                key.relation() instanceof Relation.Scan
                    && key.column().type().kind() == Type.Kind.VARCHAR);
  }

  /** How many measurements are clipped at one level. */
  private static int sharing(NoisyAggregate point, Measurement measurement) {
    int place = point.measurements().indexOf(measurement);
    return JointClipping.of(point).stream()
        .filter(part -> part.contains(place))
        .mapToInt(List::size)
        .findFirst()
        .orElse(1);
  }

  private static ExactHistogram bins(NoisyAggregate point, Optional<List<List<Object>>> labels) {
    List<List<Object>> listed =
        labels
            .map(all -> all.subList(0, Math.min(all.size(), MOST_CELLS)))
            .orElseGet(() -> List.of(java.util.Collections.nCopies(point.keys().size(), null)));
    return ExactHistogram.of(point, listed);
  }

  /** Whether labels are known at all; of others there may be any number. */
  public static boolean isListed(Map<Integer, Optional<List<List<Object>>>> labels) {
    return labels.values().stream().allMatch(Optional::isPresent);
  }

  /** One release point. */
  private record One(
      NoisyAggregate point,
      Metrics metrics,
      CardinalityEstimate cardinality,
      ExactHistogram bins,
      boolean countsKeys) {
    /** How many cells a grouping set has. */
    private double cells(int set) {
      return Math.max(1, bins.bins().stream().filter(b -> b.set() == set).count());
    }

    private CardinalityEstimate cardinality(Measurement measurement) {
      return measurement
          .filter()
          .map(f -> cardinality.kept(Selectivity.ofShares(point.input()).of(f)))
          .orElse(cardinality);
    }

    /**
     * @param cut which share of a value is cut off, by its column
     */
    RowTable rows(Map<Integer, Double> cut) {
      List<List<BigDecimal>> columns = new ArrayList<>();
      for (Measurement measurement : point.measurements()) {
        List<BigDecimal> column = new ArrayList<>();
        double left = 1 - cut.getOrDefault(measurement.output().id(), 0.0);
        bins.bins().forEach(bin -> column.add(value(measurement, cells(bin.set()), left)));
        columns.add(column);
      }
      return Released.rows(point, bins, columns);
    }

    private BigDecimal value(Measurement measurement, double cells, double left) {
      CardinalityEstimate some = cardinality(measurement);
      double value =
          switch (measurement) {
            case Measurement.Count ignored -> some.rows() / cells;
            case Measurement.Sum sum ->
                some.rows() / cells * new ValueEstimates(metrics, point.input()).mean(sum);
            case Measurement.CountDistinct ignored -> {
              double rows = some.rows() / cells;
              double people = some.people().isEmpty() ? rows : Math.min(some.count(), rows);
              // Of keys there are more than people and fewer than rows.
              yield countsKeys ? Math.sqrt(people * rows) : people;
            }
            case Measurement.Selected picked ->
                picked.clamp().range().low().add(picked.clamp().range().high()).doubleValue() / 2;
          };
      BigDecimal grid = measurement.grid();
      return new BigDecimal(value * left).divide(grid, 0, RoundingMode.HALF_EVEN).multiply(grid);
    }

    /**
     * Of k candidates one is chosen that is worse by this with probability 5 %, at most. An end of
     * an interval is chosen with a third of ε, as far away as it may miss (N-ENDS).
     */
    Rank rank(Measurement.Selected picked, double moved, double epsilon, boolean barred) {
      double candidates =
          picked.clamp().lastStep().subtract(picked.clamp().firstStep()).doubleValue() + 1;
      double cells = Math.max(1, bins.bins().size() / (double) point.groupingSets().size());
      double draws =
          barred && picked instanceof Measurement.Quantile q && q.isBetween() ? 2 * 3 : 1;
      return new Rank(
          draws * 2 * moved / epsilon * Math.log(candidates / TAIL),
          cardinality(picked).rows() / cells,
          picked instanceof Measurement.Quantile quantile
              && (quantile.fraction().signum() == 0
                  || quantile.fraction().compareTo(BigDecimal.ONE) == 0));
    }

    /** Groups of people by what clipping takes for their size. */
    List<ContributionProfile.Group> sizes(CalibratedMechanism.Clipped noise) {
      double each =
          !noise.clipping().byRows() && noise.measurement() instanceof Measurement.Sum sum
              ? new ValueEstimates(metrics, point.input()).size(sum)
              : 1;
      return whole(noise).stream()
          .map(group -> new ContributionProfile.Group(size(noise, group) * each, group.people()))
          .toList();
    }

    private double size(CalibratedMechanism.Clipped noise, ContributionProfile.Group whole) {
      return noise.clipping().euclidean() ? norm(whole.size()) : whole.size();
    }

    /** Groups of people by how much each has in all cells together, of rows or labels. */
    private List<ContributionProfile.Group> whole(CalibratedMechanism.Clipped noise) {
      Measurement measurement = noise.measurement();
      boolean rows = noise.clipping().byRows();
      double sets = noise.clipping().bySet() ? 1 : point.groupingSets().size();
      boolean once = measurement instanceof Measurement.CountDistinct && !rows && !countsKeys;
      return whole(measurement, rows).orElse(cardinality(measurement)).people().stream()
          .map(
              group ->
                  new ContributionProfile.Group(
                      once ? Math.min(group.size(), bins.bins().size()) : group.size() * sets,
                      group.people()))
          .toList();
    }

    /** About which share of a value is cut off at a level. */
    double cut(CalibratedMechanism.Clipped noise, double tau) {
      if (!(noise.measurement() instanceof Measurement.Additive)
          || noise.clipping().isUnclipped(noise.measurement())) {
        return 0;
      }
      List<ContributionProfile.Group> whole = whole(noise);
      List<ContributionProfile.Group> sizes = sizes(noise);
      double all = 0;
      double lost = 0;
      for (int i = 0; i < whole.size(); i++) {
        double own = whole.get(i).size() * whole.get(i).people();
        all += own;
        lost += own * Math.max(0, 1 - tau / sizes.get(i).size());
      }
      return all == 0 ? 0 : lost / all;
    }

    /** Rows in one cell have a norm of their number, in as many cells its root: between them. */
    private double norm(double rows) {
      double cells = Math.max(1, Math.min(rows, bins.bins().size()));
      return rows / Math.sqrt(Math.sqrt(cells));
    }

    /** The sizes of all rows where sizes are numbers of rows, which a filter does not change. */
    private Optional<CardinalityEstimate> whole(Measurement measurement, boolean rows) {
      return rows && measurement.filter().isPresent() ? Optional.of(cardinality) : Optional.empty();
    }
  }
}
