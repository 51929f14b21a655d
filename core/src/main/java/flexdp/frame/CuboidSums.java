package flexdp.frame;

import flexdp.algebra.Column;
import flexdp.cells.Histogram;
import flexdp.compute.Conversion;
import flexdp.compute.Ordering;
import flexdp.plan.FittedNoise;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.workload.Lattice;
import flexdp.workload.SumLaw;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Numbers of a question as sums of estimated cells of kept cuboids, with their errors. */
final class CuboidSums {
  private final KeptCuboids kept;
  private final ReleasePoint point;
  private final Measurement measurement;
  private final List<Histogram.Bin> bins;
  private final Object[] values;
  private final Map<SumLaw, Integer> places = new HashMap<>();
  private final List<SumLaw> laws = new ArrayList<>();
  private final Map<List<Object>, Integer> byLabels = new HashMap<>();

  CuboidSums(
      KeptCuboids kept, ReleasePoint point, Measurement measurement, List<Histogram.Bin> bins) {
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
    Map<List<Integer>, SumLaw> known = new HashMap<>();
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
      SumLaw law =
          known.computeIfAbsent(
              digits.stream().map(TreeSet::size).toList(), counts -> law(some, cuboid, counts));
      if (places.putIfAbsent(law, places.size()) == null) {
        laws.add(law);
      }
      byLabels.put(name(bins.get(bin)), places.get(law));
      BigDecimal whole = new BigDecimal(sum).setScale(0, RoundingMode.HALF_EVEN);
      values[bin] = Conversion.to(measurement.output().type(), whole.multiply(kept.grid()));
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
    Lattice lattice = kept.estimates().lattice();
    int cell = 0;
    for (int i = 0; i < label.length; i++) {
      digits.get(i).add(label[i]);
      cell = cell * lattice.blocks(some.get(i), lattice.finest(some.get(i))) + label[i];
    }
    return cell;
  }

  private SumLaw law(List<Integer> some, int cuboid, List<Integer> counts) {
    int[][] blocks = new int[kept.keys().size()][];
    Arrays.setAll(blocks, key -> new int[] {0});
    for (int i = 0; i < counts.size(); i++) {
      blocks[some.get(i)] = IntStream.range(0, counts.get(i)).toArray();
    }
    return kept.estimates().law(cuboid, blocks);
  }

  private List<Object> name(Histogram.Bin bin) {
    List<Object> name = new ArrayList<>(bin.labels());
    if (point.set().isPresent()) {
      name.add(BigDecimal.valueOf(point.bits(point.groupingSets().get(bin.set()))));
    }
    return Ordering.canonical(name);
  }

  KeptCuboids.Estimated all() {
    List<Integer> telling = new ArrayList<>(point.keys().stream().map(Column::id).toList());
    point.set().ifPresent(set -> telling.add(set.id()));
    FittedNoise noise =
        laws.size() == 1
            ? new FittedNoise.Sums(laws.getFirst(), kept.grid())
            : new FittedNoise.Sums(telling, laws, byLabels, kept.grid());
    return new KeptCuboids.Estimated(Arrays.asList(values), noise);
  }
}
