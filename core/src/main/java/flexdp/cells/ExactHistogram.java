package flexdp.cells;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.compute.ValueOrdering;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The exact cells of one release point, private: a number, in steps of the measurement's grid, for
 * every label and measurement. A label that no row has is zero; a row with a label that is not
 * listed is dropped without a word.
 */
public final class ExactHistogram implements CellSink {
  /** A label within one grouping set: a value per key, NULL for keys that the set lacks. */
  public record Bin(int set, List<Object> labels) {}

  private record Place(int set, List<Object> key) {}

  private final NoisyAggregate point;
  private final boolean open;
  private final Map<Long, List<Integer>> setsByGrouping = new HashMap<>();
  private final Map<Place, Integer> places = new LinkedHashMap<>();
  private final List<Bin> bins = new ArrayList<>();
  private final List<BigInteger[]> numbers = new ArrayList<>();
  private final List<Map<Integer, NavigableMap<BigInteger, BigInteger>>> buckets =
      new ArrayList<>();

  private ExactHistogram(NoisyAggregate point, boolean open) {
    this.point = point;
    this.open = open;
    for (int set = 0; set < point.groupingSets().size(); set++) {
      long grouping = point.bits(point.groupingSets().get(set));
      setsByGrouping.computeIfAbsent(grouping, g -> new ArrayList<>()).add(set);
    }
  }

  /** With exactly these labels, in this order. */
  public static ExactHistogram of(NoisyAggregate point, List<List<Object>> labels) {
    ExactHistogram histogram = new ExactHistogram(point, false);
    for (int set = 0; set < point.groupingSets().size(); set++) {
      for (List<Object> row : labels) {
        histogram.place(set, histogram.projected(set, row));
      }
    }
    return histogram;
  }

  /** With whatever labels the data have; only thresholding may show them. */
  public static ExactHistogram open(NoisyAggregate point) {
    return new ExactHistogram(point, true);
  }

  private List<Object> projected(int set, List<Object> row) {
    List<Object> kept = new ArrayList<>(Collections.nCopies(row.size(), null));
    point.groupingSets().get(set).forEach(key -> kept.set(key, row.get(key)));
    return kept;
  }

  private int place(int set, List<Object> labels) {
    return places.computeIfAbsent(
        new Place(set, ValueOrdering.canonical(labels)),
        place -> {
          bins.add(new Bin(set, labels));
          BigInteger[] zeros = new BigInteger[point.measurements().size()];
          java.util.Arrays.fill(zeros, BigInteger.ZERO);
          numbers.add(zeros);
          buckets.add(new HashMap<>());
          return bins.size() - 1;
        });
  }

  private int find(int set, List<Object> labels) {
    return open
        ? place(set, labels)
        : places.getOrDefault(new Place(set, ValueOrdering.canonical(labels)), -1);
  }

  @Override
  public long onlyGrouping() {
    return setsByGrouping.keySet().iterator().next();
  }

  @Override
  public void add(long grouping, List<Object> labels, int measurement, BigInteger steps) {
    for (int set : setsByGrouping.getOrDefault(grouping, List.of())) {
      int bin = find(set, labels);
      if (bin >= 0) {
        numbers.get(bin)[measurement] = numbers.get(bin)[measurement].add(steps);
      }
    }
  }

  @Override
  public void add(
      long grouping, List<Object> labels, int measurement, BigInteger bucket, BigInteger rows) {
    if (rows.signum() <= 0) {
      return;
    }
    if (!(point.measurements().get(measurement) instanceof Measurement.Selected picked)) {
      throw new IllegalArgumentException("only quantiles have buckets");
    }
    BigInteger step = picked.clamp().nearest(bucket);
    for (int set : setsByGrouping.getOrDefault(grouping, List.of())) {
      int bin = find(set, labels);
      if (bin >= 0) {
        buckets
            .get(bin)
            .computeIfAbsent(measurement, m -> new TreeMap<>())
            .merge(step, rows, BigInteger::add);
      }
    }
  }

  /** As if it were not listed. */
  @Override
  public boolean takesUnreadable() {
    return false;
  }

  /** The place of a label among the bins where there is one grouping; none when not listed. */
  public OptionalInt place(List<Object> labels) {
    Integer place = places.get(new Place(0, ValueOrdering.canonical(labels)));
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  public List<Bin> bins() {
    return Collections.unmodifiableList(bins);
  }

  /**
   * How far a measurement is apart here and there, over all bins: in steps of its grid, or in rows
   * for quantiles. Private, as everything here; only {@code gateway.verify} asks, of data that it
   * made up.
   */
  public BigInteger apart(ExactHistogram other, int measurement) {
    BigInteger sum = BigInteger.ZERO;
    Set<Place> all = new LinkedHashSet<>(places.keySet());
    all.addAll(other.places.keySet());
    for (Place place : all) {
      sum = sum.add(cell(place, measurement).subtract(other.cell(place, measurement)).abs());
      NavigableMap<BigInteger, BigInteger> here = steps(place, measurement);
      NavigableMap<BigInteger, BigInteger> there = other.steps(place, measurement);
      Set<BigInteger> steps = new TreeSet<>(here.keySet());
      steps.addAll(there.keySet());
      for (BigInteger step : steps) {
        BigInteger rows = here.getOrDefault(step, BigInteger.ZERO);
        sum = sum.add(rows.subtract(there.getOrDefault(step, BigInteger.ZERO)).abs());
      }
    }
    return sum;
  }

  /**
   * Labels that are one here and there and would be shown in two ways: whoever sees one learns
   * which rows the group has. Private as well.
   */
  public List<String> shownOtherwise(ExactHistogram other) {
    List<String> found = new ArrayList<>();
    for (Map.Entry<Place, Integer> entry : places.entrySet()) {
      Integer there = other.places.get(entry.getKey());
      List<Object> shown = bins.get(entry.getValue()).labels();
      if (there != null && !shown.equals(other.bins.get(there).labels())) {
        found.add(shown + " is shown as " + other.bins.get(there).labels());
      }
    }
    return found;
  }

  private BigInteger cell(Place place, int measurement) {
    Integer bin = places.get(place);
    return bin == null ? BigInteger.ZERO : numbers.get(bin)[measurement];
  }

  private NavigableMap<BigInteger, BigInteger> steps(Place place, int measurement) {
    Integer bin = places.get(place);
    return bin == null ? new TreeMap<>() : buckets(bin, measurement);
  }

  /** The columns of the rows that bins become: keys, grouping ids, measurements. */
  public static List<Column> columns(NoisyAggregate point) {
    List<Column> columns = new ArrayList<>(point.keys());
    point.groupingIds().forEach(g -> columns.add(g.output()));
    point.measurements().forEach(m -> columns.add(m.output()));
    return columns;
  }

  /** The beginning of a row: labels and grouping ids. */
  public static List<Object> labels(NoisyAggregate point, Bin bin) {
    List<Object> row = new ArrayList<>(bin.labels());
    point.groupingIds().forEach(id -> row.add(groupingId(point, id, bin.set())));
    return row;
  }

  private static BigDecimal groupingId(
      NoisyAggregate point, Relation.Aggregate.GroupingId id, int set) {
    long bits = 0;
    for (int key : id.keys()) {
      bits = bits << 1 | (point.groupingSets().get(set).contains(key) ? 0 : 1);
    }
    return BigDecimal.valueOf(bits);
  }

  /** One measurement over all bins, in steps of its grid; private. */
  public List<BigInteger> numbers(int measurement) {
    List<BigInteger> column = new ArrayList<>(numbers.size());
    numbers.forEach(row -> column.add(row[measurement]));
    return column;
  }

  /** The rows of one bin by bucket, buckets in steps of the grid; private. */
  public NavigableMap<BigInteger, BigInteger> buckets(int bin, int measurement) {
    return buckets.get(bin).getOrDefault(measurement, new TreeMap<>());
  }
}
