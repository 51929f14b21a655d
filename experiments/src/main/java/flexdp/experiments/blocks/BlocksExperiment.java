package flexdp.experiments.blocks;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.noise.BitSource;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.PrivateQuantiles;
import flexdp.noise.SecureBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The slope of fares over distances: the private median of blocks against five noisy sums. */
public final class BlocksExperiment implements Experiment {
  private static final int STEPS = 2_001;
  private static final double MOST = 10;
  private static final List<String> COLUMNS =
      List.of(
          "rows",
          "epsilon",
          "blocks",
          "median of blocks",
          "five noisy sums",
          "times better",
          "as many blocks as rows^0.4");

  @Override
  public String name() {
    return "blocks";
  }

  @Override
  public String title() {
    return "Statistics without a rule: sample and aggregate (GUPT, section 6)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(1L, 4L, 15L));
  }

  /**
   * For the median: enough that a wrong answer is unlikely, and no more, since blocks are biased.
   */
  static int blocks(double epsilon) {
    return (int) Math.ceil(4 / epsilon * Math.log(20.0 * STEPS));
  }

  @Override
  public Section run(Run run) {
    List<List<Object>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    BitSource bits = new SecureBits();
    SplittableRandom random = new SplittableRandom(run.seed());
    int times = run.scale().of(11, 51, 201);
    for (int count : new int[] {20_000, run.scale().of(20_000, 200_000, 200_000)}) {
      FareRows fares = new FareRows(count, run.seed());
      double truth = fares.slopes(1)[0];
      for (String epsilon : List.of("0.1", "1")) {
        double e = Double.parseDouble(epsilon);
        double ours = error(fares.slopes(blocks(e)), truth, epsilon, times, bits);
        double gupt = error(fares.slopes((int) Math.pow(count, 0.4)), truth, epsilon, times, bits);
        double sums = sums(fares, truth, e, times, random);
        rows.add(
            Passage.row(
                count,
                epsilon,
                blocks(e),
                round(ours),
                round(sums),
                round(sums / ours),
                round(gupt)));
        findings.add(
            new Finding(
                count + " rows, ε = " + epsilon,
                count == 20_000 ? (e < 1 ? "112" : "14") : e < 1 ? "19" : "10",
                String.format(Locale.ROOT, "%.0f", sums / ours),
                "other made-up rows; medians of few errors"));
      }
      run.say(count + " rows");
    }
    return new Section(
        name(),
        title(),
        findings,
        List.of(
            new Passage.Prose(
                "Median absolute errors of a slope of about 1.8 that is known to be from 0 to 10."
                    + " Rows fall into blocks by a hash of their key, each block has a slope, and"
                    + " the exponential mechanism chooses the median of these: one row moves one"
                    + " block, also over a join when blocks are made by the join key. The number of"
                    + " blocks follows from ε and the grid, never from the number of rows, which is"
                    + " private; GUPT's rows^0.4 is too few at small ε. Beside it: the same slope"
                    + " from a count and four sums with noise. The figures beside ours are those of"
                    + " the design's prototype."),
            new Passage.Verbatim(
                """
                SELECT MEDIAN(LEAST(GREATEST(s, 0), 10))
                FROM (SELECT DP_BLOCK(id, 400) AS b, REGR_SLOPE(fare, distance) AS s
                      FROM trips GROUP BY b) z\
                """),
            new Passage.Table("blocks", "Median absolute error of the slope", COLUMNS, rows)));
  }

  /** The median error of the private median of some values. */
  static double error(double[] values, double truth, String epsilon, int times, BitSource bits) {
    TreeMap<BigInteger, BigInteger> counts = new TreeMap<>();
    for (double value : values) {
      double kept = Math.min(MOST, Math.max(0, value));
      counts.merge(
          BigInteger.valueOf(Math.round(kept / MOST * (STEPS - 1))),
          BigInteger.ONE,
          BigInteger::add);
    }
    List<PrivateQuantiles.Bucket> buckets = new ArrayList<>();
    counts.forEach((candidate, rows) -> buckets.add(new PrivateQuantiles.Bucket(candidate, rows)));
    double[] errors = new double[times];
    for (int i = 0; i < times; i++) {
      BigInteger chosen =
          PrivateQuantiles.choose(
                  new ExponentialMechanism(new BigDecimal(epsilon)),
                  new BigDecimal("0.5"),
                  BigDecimal.TWO,
                  BigInteger.ONE,
                  BigInteger.valueOf(STEPS),
                  buckets,
                  bits)
              .orElse(BigInteger.ZERO);
      errors[i] = Math.abs(chosen.doubleValue() / (STEPS - 1) * MOST - truth);
    }
    return median(errors);
  }

  /** The median error of the slope of five noisy sums, each with a fifth of ε. */
  private static double sums(
      FareRows fares, double truth, double epsilon, int times, SplittableRandom random) {
    double[] exact = fares.sums();
    double x = FareRows.FARTHEST / 2;
    double y = FareRows.DEAREST / 2;
    double[] most = {1, x, y, x * y, x * x};
    double[] errors = new double[times];
    for (int i = 0; i < times; i++) {
      double[] noisy = exact.clone();
      for (int k = 0; k < noisy.length; k++) {
        noisy[k] += 5 * most[k] / epsilon * laplace(random);
      }
      errors[i] = Math.abs(Math.min(MOST, Math.max(0, FareRows.slope(noisy))) - truth);
    }
    return median(errors);
  }

  private static double laplace(SplittableRandom random) {
    double size = -Math.log(1 - random.nextDouble());
    return random.nextBoolean() ? size : -size;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static double round(double value) {
    return new BigDecimal(value).round(new MathContext(3)).doubleValue();
  }
}
