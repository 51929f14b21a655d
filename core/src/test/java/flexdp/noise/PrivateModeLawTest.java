package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All pairs of small neighbours, by exact probabilities: what the sampler does is within ε, and
 * what is nearly it is not.
 *
 * <p>The sampler is a step function of one uniform number, so its steps are found by bisection, to
 * 63 digits.
 */
class PrivateModeLawTest {
  private static final int MOST = 3;
  private static final double ROUNDING = 1e-9;

  /** So many rows more of each label leave nothing to "nothing", and the labels as they were. */
  private static final int MANY = 2_000;

  /** How likely each label is. */
  private interface Law {
    double[] of(int[] counts);
  }

  /** A number between 0 and 1 by its first 63 digits. */
  private static final class Given extends BitSource {
    private final SplittableRandom rest = new SplittableRandom(5);
    private final long first;
    private boolean begun;

    Given(long first) {
      this.first = first;
    }

    @Override
    protected long next() {
      if (begun) {
        return rest.nextLong();
      }
      begun = true;
      return first;
    }
  }

  /** The label chosen; of labels without rows that stand together, the first; or "nothing". */
  private static int chosen(int[] counts, String epsilon, int moved, long uniform) {
    List<PrivateQuantiles.Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        buckets.add(
            new PrivateQuantiles.Bucket(BigInteger.valueOf(i), BigInteger.valueOf(counts[i])));
      }
    }
    int label =
        PrivateMode.choose(
                new ExponentialMechanism(new BigDecimal(epsilon)),
                BigDecimal.valueOf(moved),
                BigInteger.ONE,
                BigInteger.valueOf(counts.length),
                buckets,
                new Given(uniform))
            .map(BigInteger::intValueExact)
            .orElse(counts.length);
    while (label > 0 && label < counts.length && counts[label] == 0 && counts[label - 1] == 0) {
      label--;
    }
    return label;
  }

  private static Law sampled(String epsilon, int moved) {
    return sampled(epsilon, moved, MANY);
  }

  /** With so many rows more of each label; "nothing" is the last. */
  private static Law sampled(String epsilon, int moved, int more) {
    Map<String, double[]> known = new TreeMap<>();
    return few ->
        known.computeIfAbsent(
            Arrays.toString(few),
            k -> {
              int[] counts = Arrays.stream(few).map(n -> n + more).toArray();
              double[] law = new double[counts.length + 1];
              double before = 0;
              for (int from = 0; from < law.length; ) {
                int to = from + 1;
                while (to < counts.length && counts[from] == 0 && counts[to] == 0) {
                  to++;
                }
                double until = to == law.length ? 1 : below(counts, epsilon, moved, to);
                Arrays.fill(law, from, to, (until - before) / (to - from));
                before = until;
                from = to;
              }
              return law;
            });
  }

  /** How likely a label before this one is. */
  private static double below(int[] counts, String epsilon, int moved, int label) {
    long low = 0;
    long high = Long.MAX_VALUE;
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (chosen(counts, epsilon, moved, middle) < label) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high / 0x1p63;
  }

  /** The greatest of counts with discrete Laplace noise; of equal ones the first, in some order. */
  private static double[] noisy(int[] counts, double rate, boolean trueOrder) {
    double r = Math.exp(-rate);
    int far = (int) Math.ceil(45 / rate);
    double[] law = new double[counts.length];
    for (int i = 0; i < law.length; i++) {
      for (int x = -far; x <= far + 9; x++) {
        double p = (1 - r) / (1 + r) * Math.pow(r, Math.abs(x - counts[i]));
        for (int j = 0; j < law.length; j++) {
          boolean first = trueOrder && counts[j] != counts[i] ? counts[j] > counts[i] : j < i;
          p *= j == i ? 1 : atMost(x - counts[j] - (first ? 1 : 0), r);
        }
        law[i] += p;
      }
    }
    return law;
  }

  private static double atMost(int z, double r) {
    return z < 0 ? Math.pow(r, -z) / (1 + r) : 1 - Math.pow(r, z + 1) / (1 + r);
  }

  /** Only labels that some row has. */
  private static double[] observed(int[] counts, double rate) {
    double[] law = new double[counts.length];
    for (int i = 0; i < law.length; i++) {
      law[i] = counts[i] == 0 ? 0 : Math.exp(rate * counts[i]);
    }
    double sum = Arrays.stream(law).sum();
    return Arrays.stream(law).map(p -> sum == 0 ? 1.0 / counts.length : p / sum).toArray();
  }

  private static List<int[]> vectors(int labels, int most) {
    List<int[]> all = new ArrayList<>(List.of(new int[0]));
    for (int label = 0; label < labels; label++) {
      List<int[]> longer = new ArrayList<>();
      for (int[] start : all) {
        for (int count = 0; count <= most; count++) {
          int[] more = Arrays.copyOf(start, start.length + 1);
          more[start.length] = count;
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }

  private static int apart(int[] one, int[] two) {
    int sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += Math.abs(one[i] - two[i]);
    }
    return sum;
  }

  /** A row is added; or one is replaced, by one with another label or with none. */
  private static boolean neighbours(int[] one, int[] two, boolean replaced) {
    int rows = Math.abs(Arrays.stream(one).sum() - Arrays.stream(two).sum());
    int apart = apart(one, two);
    return apart == 1 || replaced && apart == 2 && rows == 0;
  }

  /** The worst loss over all neighbours with two and with three labels. */
  private static double worst(Law law, boolean replaced) {
    double worst = 0;
    for (int labels = 2; labels <= 3; labels++) {
      List<int[]> all = vectors(labels, MOST);
      for (int[] one : all) {
        for (int[] two : all) {
          if (neighbours(one, two, replaced)) {
            worst = Math.max(worst, loss(law.of(one), law.of(two)));
          }
        }
      }
    }
    return worst;
  }

  private static double loss(double[] one, double[] two) {
    double worst = 0;
    for (int i = 0; i < one.length; i++) {
      worst = one[i] == two[i] ? worst : Math.max(worst, Math.abs(Math.log(one[i] / two[i])));
    }
    return worst;
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "1", "3"})
  void everyPairOfNeighboursIsWithinEpsilon(String epsilon) {
    double most = Double.parseDouble(epsilon);
    double added = worst(sampled(epsilon, 1), false);
    double replaced = worst(sampled(epsilon, 2), true);
    assertTrue(added <= most + ROUNDING, "added: " + added);
    assertTrue(replaced <= most + ROUNDING, "replaced: " + replaced);
    assertTrue(added > most / 2 && replaced > most / 2, added + " and " + replaced);
  }

  /** Where "nothing" is likely, and where a few rows more make it unlikely. */
  @ParameterizedTest
  @ValueSource(strings = {"0.1", "1", "3"})
  void neighboursOfNothingAreWithinEpsilon(String epsilon) {
    double most = Double.parseDouble(epsilon);
    double last = 1;
    for (int more : new int[] {0, (int) (3 / most), (int) (6 / most)}) {
      assertTrue(worst(sampled(epsilon, 1, more), false) <= most + ROUNDING);
      assertTrue(worst(sampled(epsilon, 2, more), true) <= most + ROUNDING);
      double nothing = sampled(epsilon, 1, more).of(new int[] {0, 0})[2];
      assertTrue(nothing < last, more + ": " + nothing);
      last = nothing;
    }
    assertTrue(sampled(epsilon, 1, 0).of(new int[] {0, 0})[2] > 0.99);
  }

  /** A replaced row leaves one group and comes to another, and both groups show a label. */
  @ParameterizedTest
  @ValueSource(strings = {"0.1", "1", "3"})
  void twoGroupsShareWhatARowMoves(String epsilon) {
    double most = Double.parseDouble(epsilon);
    assertTrue(2 * worst(sampled(epsilon, 2), false) <= most + ROUNDING);
    assertTrue(2 * worst(sampled(epsilon, 1), false) > most * 1.2, "a T of its own each");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "1", "3"})
  void twinsAreCaught(String epsilon) {
    double most = Double.parseDouble(epsilon);
    String twice = new BigDecimal(epsilon).multiply(BigDecimal.TWO).toPlainString();
    assertTrue(worst(sampled(twice, 1), false) > most * 1.2, "twice the rate, added");
    assertTrue(worst(sampled(twice, 2), true) > most * 1.05, "twice the rate, replaced");
    assertTrue(worst(sampled(epsilon, 1), true) > most * 1.05, "T of one label only");
    assertTrue(worst(counts -> noisy(counts, most, true), false) > most * 1.05, "true tie-break");
    assertEquals(
        Double.POSITIVE_INFINITY, worst(counts -> observed(counts, most), false), "labels of rows");
  }

  /** So it is the tie-break that the twin above is caught for. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 1, 3})
  void noisyCountsWithTiesByLabelAreWithinEpsilon(double epsilon) {
    assertTrue(worst(counts -> noisy(counts, epsilon, false), false) <= epsilon + ROUNDING);
  }

  /** How often it is missed, wherever the label stands that leads all others by this. */
  private static double[] missed(int labels, int lead, double epsilon) {
    double[] missed = new double[2];
    for (int place = 0; place < labels; place++) {
      int[] counts = new int[labels];
      counts[place] = lead;
      missed[0] += 1 - 1 / (1 + (labels - 1) * Math.exp(-epsilon * lead));
      missed[1] += 1 - noisy(counts, epsilon, false)[place];
    }
    return missed;
  }

  /** For the same ε and T. Near ties among three labels and more are the other way round. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 20})
  void aLabelThatStandsOutIsMissedLessOftenThanByNoisyCounts(int labels) {
    for (double epsilon : new double[] {0.1, 0.5, 1, 2}) {
      int lead = (int) Math.ceil((4 + Math.log(labels - 1)) / epsilon);
      double[] far = missed(labels, lead, epsilon);
      assertTrue(far[0] < 0.9 * far[1], epsilon + ": " + Arrays.toString(far));
      double[] near = missed(labels, 1, epsilon);
      assertEquals(
          labels > 2, near[0] > near[1] + ROUNDING, epsilon + ": " + Arrays.toString(near));
    }
  }
}
