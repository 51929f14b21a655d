package flexdp.experiments.median;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.Lomax;
import flexdp.noise.Noise;
import flexdp.noise.PrivateQuantiles;
import flexdp.noise.SecureBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A median with noise for its smooth sensitivity, and by the exponential mechanism. */
public final class MedianExperiment implements Experiment {
  /** Fares from 0 to 500 in cents. */
  private static final long HIGH = 50_000;

  private static final BigDecimal STEP = new BigDecimal("0.01");
  private static final List<String> EPSILONS = List.of("0.1", "1");

  @Override
  public String name() {
    return "median";
  }

  @Override
  public String title() {
    return "A median by smooth sensitivity, and by ours (section 6)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(3L, 20L, 60L));
  }

  @Override
  public Section run(Run run) {
    SplittableRandom random = new SplittableRandom(run.seed());
    int times = run.scale().of(11, 101, 401);
    List<List<Object>> rows = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int size :
        run.scale().of(List.of(100), List.of(100, 1_000), List.of(100, 1_000, 10_000))) {
      long[] fares = fares(size, random);
      for (String epsilon : EPSILONS) {
        double smooth = smooth(fares, new BigDecimal(epsilon), times);
        double chosen = Math.max(chosen(fares, new BigDecimal(epsilon), times), 0.005);
        least = Math.min(least, smooth / chosen);
        most = Math.max(most, smooth / chosen);
        rows.add(
            Passage.row(size, epsilon, rounded(smooth), rounded(chosen), rounded(smooth / chosen)));
        run.say(size + " rows, epsilon " + epsilon);
      }
    }
    return new Section(
        name(),
        title(),
        List.of(
            new Finding(
                "how many times further off smooth sensitivity is",
                "1.3 to 32",
                String.format(Locale.ROOT, "%.1f to %.1f", least, most),
                "the figures beside ours are the prototype's; errors are medians of draws")),
        List.of(
            new Passage.Prose(
                "Fares of made-up trips, log-normal, from 0 to 500 in cents. Smooth sensitivity of"
                    + " the median (Nissim, Raskhodnikova, Smith 2007) with Lomax noise, pure ε,"
                    + " against the exponential mechanism over the grid that MEDIAN uses. Median"
                    + " absolute errors. Smooth sensitivity is never better here, so FlexDP does"
                    + " not offer it for medians."),
            new Passage.Table(
                "median",
                "Median absolute errors of a median",
                List.of("rows", "epsilon", "smooth sensitivity", "exponential", "times"),
                rows)));
  }

  private static long[] fares(int size, SplittableRandom random) {
    return IntStream.range(0, size)
        .mapToLong(i -> Math.round(100 * Math.exp(2.6 + 0.7 * random.nextGaussian())))
        .map(cents -> Math.min(HIGH, cents))
        .sorted()
        .toArray();
  }

  /** Its sensitivity is rounded up to a step, which is more noise than it needs. */
  private static double smooth(long[] fares, BigDecimal epsilon, int times) {
    Lomax lomax = Lomax.of(epsilon);
    double bound =
        MedianSensitivity.of(fares, 0, HIGH, lomax.smoothing().orElseThrow().doubleValue());
    BigDecimal sensitivity = STEP.multiply(BigDecimal.valueOf(Math.max(1e-9, bound)));
    BigDecimal exact =
        STEP.multiply(BigDecimal.valueOf(fares[MedianSensitivity.middle(fares.length)]));
    Noise noise = Noise.secure();
    return median(
        times,
        () -> noise.add(lomax, sensitivity, exact, STEP).subtract(exact).abs().doubleValue());
  }

  private static double chosen(long[] fares, BigDecimal epsilon, int times) {
    Map<Long, Long> counts = new TreeMap<>();
    Arrays.stream(fares).forEach(fare -> counts.merge(fare, 1L, Long::sum));
    List<PrivateQuantiles.Bucket> buckets = new ArrayList<>();
    counts.forEach(
        (fare, n) ->
            buckets.add(
                new PrivateQuantiles.Bucket(BigInteger.valueOf(fare), BigInteger.valueOf(n))));
    SecureBits bits = new SecureBits();
    ExponentialMechanism mechanism = new ExponentialMechanism(epsilon);
    long exact = fares[MedianSensitivity.middle(fares.length)];
    return median(
        times,
        () -> {
          BigInteger step =
              PrivateQuantiles.choose(
                      mechanism,
                      new BigDecimal("0.5"),
                      BigDecimal.TWO, // a replaced row goes, and another comes
                      BigInteger.ONE,
                      BigInteger.valueOf(HIGH + 1),
                      buckets,
                      bits)
                  .orElse(BigInteger.ZERO);
          return Math.abs(step.longValueExact() - exact) / 100.0;
        });
  }

  private interface Draw {
    double error();
  }

  private static double median(int times, Draw draw) {
    double[] errors = new double[times];
    for (int i = 0; i < times; i++) {
      errors[i] = draw.error();
    }
    Arrays.sort(errors);
    return errors[times / 2];
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
