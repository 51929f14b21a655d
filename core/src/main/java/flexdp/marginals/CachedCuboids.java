package flexdp.marginals;

import flexdp.algebra.Column;
import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.plan.EstimateNoise;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.reuse.Derivation;
import flexdp.reuse.MeasurementShape;
import flexdp.reuse.ReleasedCells;
import flexdp.workload.CuboidLattice;
import flexdp.workload.Estimates;
import flexdp.workload.SumDistribution;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The noisy cuboids of one measurement and what their cells mean, in words that another question
 * can be compared with. Keys that a question does not look at are left out of it by the cuboids
 * without them, so nothing has to be known of their labels.
 *
 * @param conditions that all counted rows meet
 * @param value what was measured
 * @param grid what a step is
 * @param measured noisy cells by cuboid, in steps
 */
public record CachedCuboids(
    List<String> conditions,
    List<Key> keys,
    ReleasedCells.Value value,
    BigDecimal grid,
    Estimates estimates,
    Map<Integer, double[]> measured) {
  private static final int MOST = 100_000;

  /**
   * A key.
   *
   * @param labels those of its cells that have one, the first cell first; none where cells are
   *     pieces of an ordered column
   * @param complete whether every value that a row can have is among them
   */
  public record Key(String text, List<Object> labels, boolean complete) {
    public Key {
      labels = Collections.unmodifiableList(new ArrayList<>(labels));
    }
  }

  /** Numbers of another question, one for each of its bins, and their errors. */
  public record Estimated(List<Object> values, EstimateNoise noise) {}

  /**
   * @param parts of the release point that was read
   */
  public static CachedCuboids of(MeasuredMarginals drawn, MeasurementShape parts) {
    KeyDomain frame = drawn.strategy().frame();
    List<Key> keys = new ArrayList<>();
    for (int key = 0; key < parts.keys().size(); key++) {
      String text = parts.keys().get(key).text();
      keys.add(
          switch (frame.ruler(key)) {
            case BinIndex.Listed listed -> new Key(text, listed.values(), listed.complete());
            case BinIndex.Ordered ignored -> new Key(text, List.of(), false);
          });
    }
    MeasurementShape.Value value = parts.values().get(drawn.strategy().place());
    Set<String> filters = new TreeSet<>();
    value.conditions().forEach(c -> filters.add(c.text()));
    return new CachedCuboids(
        parts.conditions().stream().map(MeasurementShape.Condition::text).toList(),
        keys,
        new ReleasedCells.Value(value.text(), value.additive(), filters),
        drawn.strategy().measurement().grid(),
        drawn.strategy().estimates(),
        drawn.cells());
  }

  /**
   * A measurement of another question, if it follows from what was measured.
   *
   * @param point the other question's
   */
  public Optional<Estimated> estimated(NoisyAggregate point, Derivation derivation, int place) {
    Measurement measurement = point.measurements().get(place);
    if (measurement.grid().compareTo(grid) != 0 || derivation.bins().isEmpty()) {
      return Optional.empty();
    }
    CuboidSums sums = new CuboidSums(this, point, measurement, derivation.bins());
    List<Integer> all = IntStream.range(0, keys.size()).boxed().toList();
    for (int set = 0; set < point.groupingSets().size(); set++) {
      Optional<Set<Integer>> read = derivation.reads(place, cells(all, List.of()), 0, set);
      if (read.isEmpty() || read.get().stream().anyMatch(key -> keys.get(key).labels().isEmpty())) {
        return Optional.empty();
      }
      List<Integer> some = List.copyOf(new TreeSet<>(read.get()));
      int cuboid = cuboid(some);
      if (estimates.lattice().cells(cuboid) > MOST
          || !estimates.fit().knows(estimates.lattice().cell(cuboid))) {
        return Optional.empty();
      }
      Optional<List<List<List<Object>>>> chosen =
          derivation.chosen(place, cells(some, rows(some)), 0, set);
      if (chosen.isEmpty() || !sums.add(set, some, cuboid, chosen.get())) {
        return Optional.empty();
      }
    }
    return Optional.of(sums.all());
  }

  private int cuboid(List<Integer> some) {
    int[] levels = new int[keys.size()];
    some.forEach(key -> levels[key] = estimates.lattice().finest(key));
    return estimates.lattice().point(levels);
  }

  private ReleasedCells cells(List<Integer> some, List<List<Object>> rows) {
    List<List<Integer>> complete = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      if (keys.get(some.get(i)).complete()) {
        complete.add(List.of(i));
      }
    }
    return new ReleasedCells(
        conditions.stream().map(text -> new ReleasedCells.Condition(text, false)).toList(),
        some.stream().map(key -> keys.get(key).text()).toList(),
        List.of(value),
        complete,
        Set.of(),
        rows);
  }

  /** Every combination of labels, and the places of its labels after them. */
  private List<List<Object>> rows(List<Integer> some) {
    List<List<Object>> rows = List.of(List.of());
    for (int key : some) {
      List<List<Object>> longer = new ArrayList<>();
      for (List<Object> row : rows) {
        for (Object label : keys.get(key).labels()) {
          List<Object> more = new ArrayList<>(row);
          more.add(label);
          longer.add(more);
        }
      }
      rows = longer;
    }
    List<List<Object>> numbered = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<Object> row = new ArrayList<>(rows.get(i));
      row.add(i);
      numbered.add(row);
    }
    return numbered;
  }

  /** Numbers of a question as sums of estimated cells of kept cuboids, with their errors. */
  private static final class CuboidSums {
    private final CachedCuboids kept;
    private final NoisyAggregate point;
    private final Measurement measurement;
    private final List<ExactHistogram.Bin> bins;
    private final Object[] values;
    private final Map<SumDistribution, Integer> places = new HashMap<>();
    private final List<SumDistribution> laws = new ArrayList<>();
    private final Map<List<Object>, Integer> byLabels = new HashMap<>();

    CuboidSums(
        CachedCuboids kept,
        NoisyAggregate point,
        Measurement measurement,
        List<ExactHistogram.Bin> bins) {
      this.kept = kept;
      this.point = point;
      this.measurement = measurement;
      this.bins = bins;
      this.values = new Object[bins.size()];
    }

    /**
     * The bins of one grouping set; false where the labels of some bin are no product of labels of
     * keys.
     *
     * @param some the keys of the cuboid
     * @param chosen by bin, rows that end with the number of their combination of labels
     */
    boolean add(int set, List<Integer> some, int cuboid, List<List<List<Object>>> chosen) {
      double[] fitted = kept.estimates().fit().cuboids(kept.measured(), List.of(cuboid))[cuboid];
      Map<List<Integer>, SumDistribution> known = new HashMap<>();
      for (int bin = 0; bin < bins.size(); bin++) {
        if (bins.get(bin).set() != set) {
          continue;
        }
        List<TreeSet<Integer>> digits = new ArrayList<>();
        some.forEach(key -> digits.add(new TreeSet<>()));
        double sum = 0;
        for (List<Object> row : chosen.get(bin)) {
          sum += fitted[cell(some, (Integer) row.getLast(), digits)];
        }
        long product = digits.stream().mapToLong(TreeSet::size).reduce(1, (a, b) -> a * b);
        if (chosen.get(bin).isEmpty() || product != chosen.get(bin).size()) {
          return false;
        }
        // Labels of one key are alike, so only how many are added up matters.
        SumDistribution law =
            known.computeIfAbsent(
                digits.stream().map(TreeSet::size).toList(), counts -> law(some, cuboid, counts));
        if (places.putIfAbsent(law, places.size()) == null) {
          laws.add(law);
        }
        byLabels.put(name(bins.get(bin)), places.get(law));
        BigDecimal whole = new BigDecimal(sum).setScale(0, RoundingMode.HALF_EVEN);
        values[bin] = ValueConversion.to(measurement.output().type(), whole.multiply(kept.grid()));
      }
      return true;
    }

    /** The cell of a combination of labels; cells beyond the labels are of the rest. */
    private int cell(List<Integer> some, int combination, List<TreeSet<Integer>> digits) {
      int[] label = new int[some.size()];
      int rest = combination;
      for (int i = label.length - 1; i >= 0; i--) {
        int labels = kept.keys().get(some.get(i)).labels().size();
        label[i] = rest % labels;
        rest /= labels;
      }
      CuboidLattice lattice = kept.estimates().lattice();
      int cell = 0;
      for (int i = 0; i < label.length; i++) {
        digits.get(i).add(label[i]);
        cell = cell * lattice.blocks(some.get(i), lattice.finest(some.get(i))) + label[i];
      }
      return cell;
    }

    private SumDistribution law(List<Integer> some, int cuboid, List<Integer> counts) {
      int[][] blocks = new int[kept.keys().size()][];
      Arrays.setAll(blocks, key -> new int[] {0});
      for (int i = 0; i < counts.size(); i++) {
        blocks[some.get(i)] = IntStream.range(0, counts.get(i)).toArray();
      }
      return kept.estimates().law(cuboid, blocks);
    }

    private List<Object> name(ExactHistogram.Bin bin) {
      List<Object> name = new ArrayList<>(bin.labels());
      if (point.set().isPresent()) {
        name.add(BigDecimal.valueOf(point.bits(point.groupingSets().get(bin.set()))));
      }
      return ValueOrdering.canonical(name);
    }

    CachedCuboids.Estimated all() {
      List<Integer> telling = new ArrayList<>(point.keys().stream().map(Column::id).toList());
      point.set().ifPresent(set -> telling.add(set.id()));
      EstimateNoise noise =
          laws.size() == 1
              ? new EstimateNoise.Sums(laws.getFirst(), kept.grid())
              : new EstimateNoise.Sums(telling, laws, byLabels, kept.grid());
      return new CachedCuboids.Estimated(Arrays.asList(values), noise);
    }
  }
}
