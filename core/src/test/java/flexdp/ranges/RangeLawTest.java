package flexdp.ranges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Range;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The exact law of a noisy histogram, the range that is chosen from it and the noisy sum of values
 * clamped to it, on all tiny tables and all their neighbours; and of wrong twins, each of which has
 * to lose more than it may somewhere.
 *
 * <p>Nothing is sampled: probabilities of ranges are sums of products of discrete Laplace weights
 * over a lattice of noisy histograms, and the sum adds the exponent of its noise.
 */
class RangeLawTest {
  private static final double HISTOGRAM = 1.6;
  private static final double SUM = 0.9;
  private static final double ROUNDED = 1e-7;

  /** Low ones, so that tiny tables make every range possible; they decide accuracy alone. */
  private static final RangeSelection.Standing LOW =
      new RangeSelection.Standing(0.9, -0.6, -0.4, 0.8);

  private static final int LOW_COUNT = -8;
  private static final int HIGH_COUNT = 11;

  /** No value, and then each bucket's: the last one lies beyond the ladder. */
  private static final Double[] VALUES = {null, 0.0, 1.0, 2.0, 1000.0};

  private static final Double[] SIGNED = {null, -700.0, -1.0, 0.0, 1.0, 700.0};

  private static final RangeBuckets TWO_LEVELS = buckets(List.of(), List.of(1, 2), true);
  private static final RangeBuckets BOTH_SIDES = buckets(List.of(1), List.of(1), false);

  /** What can come out: nothing found, or a range. */
  private static final Optional<Range> NOTHING = Optional.empty();

  private static RangeBuckets buckets(List<Integer> below, List<Integer> above, boolean open) {
    return new RangeBuckets(
        below.stream().map(BigDecimal::valueOf).toList(),
        above.stream().map(BigDecimal::valueOf).toList(),
        open);
  }

  /** How a way of doing it differs from the one that is right. */
  private enum Twin {
    RIGHT,
    EMPTY_BUCKETS_WITHOUT_NOISE,
    ENDS_AT_THE_LARGEST_VALUE,
    CHOSEN_BY_EXACT_SUMS,
    FOUND_BY_THE_EXACT_COUNT,
    NOT_CLAMPED_BEYOND_THE_LADDER,
    A_PRIVATE_SCALE
  }

  /** A chance for each outcome, and what is summed then. */
  private record Law(Map<Optional<Range>, Double> chance, Map<Optional<Range>, Double> sum) {}

  /** One way of doing it, over a lattice of noisy histograms. */
  private static final class Way {
    private final RangeBuckets buckets;
    private final Double[] values;
    private final double scale;
    private final double epsilon;
    private final boolean replace;
    private final int times;
    private final Twin twin;
    private final List<Optional<Range>> outcomes = new ArrayList<>();
    private final byte[] chosen;
    private final byte[] otherwise;
    private final Map<List<Integer>, Law> laws = new HashMap<>();

    Way(
        RangeBuckets buckets,
        Double[] values,
        double scale,
        double epsilon,
        boolean replace,
        int times,
        Twin twin) {
      this.buckets = buckets;
      this.values = values;
      this.scale = scale;
      this.epsilon = epsilon;
      this.replace = replace;
      this.times = times;
      this.twin = twin;
      outcomes.add(NOTHING);
      this.chosen = chosen(1 / epsilon);
      this.otherwise = twin == Twin.A_PRIVATE_SCALE ? chosen(30 / epsilon) : chosen;
    }

    private int width() {
      return HIGH_COUNT - LOW_COUNT + 1;
    }

    private byte[] chosen(double perUnit) {
      int n = buckets.ids().size();
      RangeSelection choice = new RangeSelection(buckets, scale, LOW);
      byte[] table = new byte[(int) Math.pow(width(), n)];
      int[] counts = new int[n];
      for (int at = 0; at < table.length; at++) {
        int rest = at;
        List<BigDecimal> noisy = new ArrayList<>();
        for (int b = 0; b < n; b++) {
          counts[b] = LOW_COUNT + rest % width();
          rest /= width();
          noisy.add(BigDecimal.valueOf(counts[b]));
        }
        Optional<Range> range =
            choice.sum(noisy, perUnit, !replace).map(RangeSelection.Found::range);
        if (!outcomes.contains(range)) {
          outcomes.add(range);
        }
        table[at] = (byte) outcomes.indexOf(range);
      }
      return table;
    }

    private double[] weights(int exact, boolean noise) {
      double[] weights = new double[width()];
      double p = Math.exp(-1 / scale);
      for (int i = 0; i < weights.length; i++) {
        int off = Math.abs(LOW_COUNT + i - exact);
        weights[i] = noise ? (1 - p) / (1 + p) * Math.pow(p, off) : off == 0 ? 1 : 0;
      }
      return weights;
    }

    private double[] chances(int[] exact, byte[] table) {
      double[] chances = new double[outcomes.size()];
      double[][] weights = new double[exact.length][];
      for (int b = 0; b < exact.length; b++) {
        weights[b] = weights(exact[b], twin != Twin.EMPTY_BUCKETS_WITHOUT_NOISE || exact[b] > 0);
      }
      add(weights, table, exact.length - 1, 0, 1, chances);
      return chances;
    }

    private void add(
        double[][] weights, byte[] table, int bucket, int at, double chance, double[] into) {
      for (int i = 0; i < width(); i++) {
        double next = chance * weights[bucket][i];
        int place = at * width() + i;
        if (next == 0) {
          continue;
        }
        if (bucket == 0) {
          into[table[place]] += next;
        } else {
          add(weights, table, bucket - 1, place, next, into);
        }
      }
    }

    private static double clamped(List<Double> rows, Range range, boolean beyond, double top) {
      double sum = 0;
      for (Double x : rows) {
        if (x != null) {
          boolean kept = beyond && Math.abs(x) > top && range.high().doubleValue() == top;
          sum +=
              kept
                  ? x
                  : Math.min(Math.max(x, range.low().doubleValue()), range.high().doubleValue());
        }
      }
      return sum;
    }

    Law of(List<Integer> table) {
      return laws.computeIfAbsent(table, this::law);
    }

    private Law law(List<Integer> table) {
      List<Double> rows = new ArrayList<>();
      table.forEach(v -> rows.addAll(java.util.Collections.nCopies(times, values[v])));
      int[] exact = new int[buckets.ids().size()];
      int present = 0;
      for (Double x : rows) {
        if (x != null) {
          exact[buckets.ids().indexOf(buckets.of(BigDecimal.valueOf(x)))]++;
          present++;
        }
      }
      byte[] by = twin == Twin.A_PRIVATE_SCALE && present >= 2 ? otherwise : chosen;
      double[] chances = chances(exact, by);
      double top = buckets.widest().high().doubleValue();
      Map<Optional<Range>, Double> chance = new LinkedHashMap<>();
      Map<Optional<Range>, Double> sum = new HashMap<>();
      for (int i = 0; i < chances.length; i++) {
        Optional<Range> outcome = outcomes.get(i);
        double p = chances[i];
        if (twin == Twin.ENDS_AT_THE_LARGEST_VALUE && outcome.isPresent()) {
          Range found = outcome.get();
          double largest =
              rows.stream()
                  .filter(x -> x != null && x <= found.high().doubleValue())
                  .mapToDouble(x -> x)
                  .max()
                  .orElse(0);
          outcome = Optional.of(new Range(BigDecimal.ZERO, BigDecimal.valueOf(largest)));
        }
        chance.merge(outcome, p, Double::sum);
        boolean beyond = twin == Twin.NOT_CLAMPED_BEYOND_THE_LADDER;
        outcome.ifPresent(r -> sum.put(Optional.of(r), clamped(rows, r, beyond, top)));
      }
      if (twin == Twin.CHOSEN_BY_EXACT_SUMS) {
        Optional<Range> best = NOTHING;
        double least = Double.POSITIVE_INFINITY;
        double all = clamped(rows, new Range(BigDecimal.ZERO, BigDecimal.valueOf(1e9)), false, 0);
        for (Optional<Range> range : outcomes) {
          if (range.isPresent()) {
            double end = range.get().high().doubleValue();
            double error = end / epsilon + all - clamped(rows, range.get(), false, 0);
            if (error < least) {
              least = error;
              best = range;
            }
          }
        }
        double nothing = chance.get(NOTHING);
        chance.replaceAll((range, p) -> 0.0);
        chance.put(NOTHING, nothing);
        chance.put(best, 1 - nothing);
      }
      if (twin == Twin.FOUND_BY_THE_EXACT_COUNT) {
        double found = 1 - chance.get(NOTHING);
        boolean enough = present >= 3;
        chance.replaceAll(
            (range, p) -> range.isEmpty() ? enough ? 0.0 : 1.0 : enough ? p / found : 0.0);
      }
      return new Law(chance, sum);
    }

    /** The most that a pair of neighbours tells of itself, over all outcomes. */
    double worst(int most) {
      double worst = 0;
      for (List<Integer> table : tables(values.length, most)) {
        for (List<Integer> other : neighbours(table)) {
          worst = Math.max(worst, loss(of(table), of(other)));
        }
      }
      return worst;
    }

    private double delta(Range range) {
      double up = Math.max(range.high().doubleValue(), 0);
      double down = Math.max(-range.low().doubleValue(), 0);
      double one = replace ? up + down : Math.max(up, down);
      return one == 0 ? 1e-9 : one * times;
    }

    private double loss(Law one, Law other) {
      double worst = 0;
      Set<Optional<Range>> all = new HashSet<>(one.chance().keySet());
      all.addAll(other.chance().keySet());
      for (Optional<Range> outcome : all) {
        double p = one.chance().getOrDefault(outcome, 0.0);
        double q = other.chance().getOrDefault(outcome, 0.0);
        if (p < 1e-9 && q < 1e-9) {
          continue;
        }
        if (p < 1e-12 || q < 1e-12) {
          return Double.POSITIVE_INFINITY;
        }
        double moved =
            outcome
                .map(
                    r ->
                        epsilon
                            * Math.abs(one.sum().get(outcome) - other.sum().get(outcome))
                            / delta(r))
                .orElse(0.0);
        worst = Math.max(worst, Math.abs(Math.log(p / q)) + moved);
      }
      return worst;
    }

    private Collection<List<Integer>> neighbours(List<Integer> table) {
      Set<List<Integer>> all = new HashSet<>();
      for (int value = 0; value < values.length; value++) {
        if (replace) {
          for (int i = 0; i < table.size(); i++) {
            List<Integer> other = new ArrayList<>(table);
            other.set(i, value);
            all.add(other.stream().sorted().toList());
          }
        } else {
          all.add(Stream.concat(table.stream(), Stream.of(value)).sorted().toList());
        }
      }
      return all;
    }
  }

  /** All tables of up to so many rows. */
  private static List<List<Integer>> tables(int values, int most) {
    Set<List<Integer>> all = new HashSet<>(Set.of(List.of()));
    List<List<Integer>> last = List.of(List.of());
    for (int size = 0; size < most; size++) {
      Set<List<Integer>> next = new HashSet<>();
      for (List<Integer> table : last) {
        for (int value = 0; value < values; value++) {
          next.add(Stream.concat(table.stream(), Stream.of(value)).sorted().toList());
        }
      }
      all.addAll(next);
      last = List.copyOf(next);
    }
    return List.copyOf(all);
  }

  private static Way rows(Twin twin) {
    return new Way(TWO_LEVELS, VALUES, 1 / HISTOGRAM, SUM, false, 1, twin);
  }

  @TestFactory
  Stream<DynamicTest> nobodyTellsMoreThanIsCharged() {
    Map<String, Way> right = new LinkedHashMap<>();
    right.put("a row more", rows(Twin.RIGHT));
    right.put(
        "a row replaced", new Way(TWO_LEVELS, VALUES, 2 / HISTOGRAM, SUM, true, 1, Twin.RIGHT));
    right.put(
        "a row counts twice",
        new Way(TWO_LEVELS, VALUES, 2 / HISTOGRAM, SUM, false, 2, Twin.RIGHT));
    right.put("both signs", new Way(BOTH_SIDES, SIGNED, 1 / HISTOGRAM, SUM, false, 1, Twin.RIGHT));
    right.put(
        "both signs, a row replaced",
        new Way(BOTH_SIDES, SIGNED, 2 / HISTOGRAM, SUM, true, 1, Twin.RIGHT));
    return right.entrySet().stream()
        .map(
            way ->
                DynamicTest.dynamicTest(
                    way.getKey(),
                    () -> {
                      double worst = way.getValue().worst(3);
                      assertTrue(worst <= HISTOGRAM + SUM + ROUNDED, "loss " + worst);
                      assertTrue(worst > HISTOGRAM + ROUNDED, "hardly tried: " + worst);
                      assertTrue(way.getValue().outcomes.size() >= 2, "ranges are chosen");
                    }));
  }

  @Test
  void nothingFoundCostsTheHistogramAndNoLess() {
    Way way = rows(Twin.RIGHT);
    double worst = 0;
    for (List<Integer> table : tables(VALUES.length, 3)) {
      for (List<Integer> other : way.neighbours(table)) {
        double one = way.of(table).chance().get(NOTHING);
        double two = way.of(other).chance().get(NOTHING);
        worst = Math.max(worst, Math.abs(Math.log(one / two)));
      }
    }
    assertTrue(worst <= HISTOGRAM + ROUNDED);
    // That it were free would be wrong.
    assertTrue(worst > HISTOGRAM / 2, "" + worst);
  }

  @TestFactory
  Stream<DynamicTest> wrongTwinsAreCaught() {
    Map<String, Way> twins = new LinkedHashMap<>();
    Arrays.stream(Twin.values())
        .filter(twin -> twin != Twin.RIGHT)
        .forEach(twin -> twins.put(twin.name(), rows(twin)));
    twins.put(
        "a row replaced, noise for a row more",
        new Way(TWO_LEVELS, VALUES, 1 / HISTOGRAM, SUM, true, 1, Twin.RIGHT));
    twins.put(
        "a row counts twice, noise for once",
        new Way(TWO_LEVELS, VALUES, 1 / HISTOGRAM, SUM, false, 2, Twin.RIGHT));
    twins.put(
        "the sum has all of epsilon",
        new Way(TWO_LEVELS, VALUES, 1 / HISTOGRAM, HISTOGRAM + SUM, false, 1, Twin.RIGHT));
    return twins.entrySet().stream()
        .map(
            twin ->
                DynamicTest.dynamicTest(
                    twin.getKey(),
                    () -> assertTrue(twin.getValue().worst(3) > HISTOGRAM + SUM + ROUNDED)));
  }

  @Test
  void theLatticeHoldsNearlyAllOfTheLaw() {
    Law law = rows(Twin.RIGHT).of(List.of(1, 2, 4));
    assertEquals(1, law.chance().values().stream().mapToDouble(p -> p).sum(), 1e-3);
  }
}
