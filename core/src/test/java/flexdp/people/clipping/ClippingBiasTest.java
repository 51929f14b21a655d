package flexdp.people.clipping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.ClippedNoise;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Laplace;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.plan.PublicNoise;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Intervals around clipped counts: they hold the whole count in 95 % of all answers wherever sizes
 * tail off, and are not much wider than noise and what was cut off together.
 */
class ClippingBiasTest {
  private static final ClipLevels LEVELS = ClipLevels.ofRows(Optional.empty());
  private static final BigDecimal SURE = new BigDecimal("0.95");
  private static final int DRAWS = 400;

  private static NoisySizeHistogram people(long... buckets) {
    List<BigInteger> all = new ArrayList<>();
    for (int b = 0; b < LEVELS.buckets(); b++) {
      all.add(BigInteger.valueOf(b < buckets.length ? buckets[b] : 0));
    }
    return new NoisySizeHistogram(LEVELS, all, Rational.of(5));
  }

  @Test
  void noiseFarUpSaysNothing() {
    long[] noisy = {1000, 900, 3, -4, 2, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 14};
    ClippingBias cut = people(noisy).shortfall(1);
    assertEquals(0, cut.apart().signum());
    assertEquals(BigInteger.ZERO, people(noisy).beyond(1));
    // One person of the next bucket, who has two at most beyond the level, and few after her.
    assertTrue(cut.person().doubleValue() < 2.2, cut.toString());
    assertTrue(cut.most(0.05).doubleValue() < 40, cut.toString());
  }

  @Test
  void peopleWhoStandOutFarUpCount() {
    NoisySizeHistogram some = people(1000, 900, 3, 0, 0, 0, 0, 65);
    assertEquals(1, some.level());
    assertEquals(BigInteger.valueOf(65), some.beyond(1));
    assertEquals(BigDecimal.valueOf(65 * (128 - 2)), some.shortfall(1).apart());
  }

  @Test
  void whereSizesHalveTheTailWeighsMore() {
    double cut = people(1600, 800, 400, 200, 100, 50, 16).shortfall(5).person().doubleValue();
    assertTrue(cut > 3 * 32 && cut < 12 * 32, "" + cut);
  }

  private record Seen(double covered, double noiseOnly, double median) {}

  private static long[] sizes(int people, long seed, ToLongFunction<SplittableRandom> draw) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, people).mapToLong(i -> draw.applyAsLong(random)).toArray();
  }

  private static long pareto(SplittableRandom random, double a) {
    return (long) Math.min(1 << 19, Math.pow(1 - random.nextDouble(), -1 / a));
  }

  /** Sizes that tail off, as those of most things do. */
  private static Map<String, long[]> ordinary() {
    Map<String, long[]> all = new LinkedHashMap<>();
    all.put("all alike", sizes(3_000, 1, r -> 64));
    all.put("one above a level", sizes(3_000, 1, r -> 65));
    all.put("geometric", sizes(20_000, 2, r -> 1 + (long) (-9 * Math.log(1 - r.nextDouble()))));
    all.put("few, geometric", sizes(300, 3, r -> 1 + (long) (-9 * Math.log(1 - r.nextDouble()))));
    all.put("lognormal", sizes(20_000, 4, r -> 1 + (long) Math.exp(1 + 1.2 * r.nextGaussian())));
    all.put("Pareto 1.5", sizes(20_000, 5, r -> pareto(r, 1.5)));
    all.put("Pareto 2", sizes(20_000, 6, r -> pareto(r, 2)));
    all.put("uniform", sizes(5_000, 7, r -> 1 + r.nextInt(300)));
    return all;
  }

  /**
   * How many times as wide as noise and what is cut off together half an interval may be: two and a
   * half times where sizes end or tail off fast; more where the tail is heavy or people are few,
   * and the noisy histogram leaves open how much there is beyond.
   */
  private static double most(String sizes, BigDecimal epsilon) {
    boolean little = epsilon.compareTo(BigDecimal.ONE) < 0;
    return switch (sizes) {
      case "few, geometric" -> little ? 18 : 8;
      case "lognormal" -> little ? 5.3 : 4;
      case "Pareto 1.5" -> little ? 6.8 : 5.3;
      case "Pareto 2" -> little ? 3.2 : 2;
      default -> 2.5;
    };
  }

  @Test
  void intervalsHoldTheWholeCountAndAreOfUse() {
    int held = 0;
    int all = 0;
    double worst = 1;
    for (String epsilon : List.of("0.5", "1", "3")) {
      for (Map.Entry<String, long[]> sizes : ordinary().entrySet()) {
        Seen seen = seen(sizes.getValue(), new BigDecimal(epsilon));
        String what = sizes.getKey() + " at " + epsilon + ": " + seen;
        held += (int) Math.round(seen.covered() * DRAWS);
        all += DRAWS;
        // Three standard deviations of so many draws below 95 %.
        assertTrue(seen.covered() >= 0.917, what);
        assertTrue(seen.median() < most(sizes.getKey(), new BigDecimal(epsilon)), what);
        worst = Math.min(worst, seen.noiseOnly());
      }
    }
    assertTrue(held >= 0.95 * all, held + " of " + all);
    // Wrong: the noise alone. What is cut off may be far more.
    assertTrue(worst < 0.5, "noise alone holds " + worst);
  }

  /** Of many answers how many intervals hold the truth, and how wide they are. */
  private static Seen seen(long[] sizes, BigDecimal epsilon) {
    Contributions<Integer> table = new Contributions<>(LEVELS, 0);
    for (long size : sizes) {
      table.person(BigInteger.valueOf(size), Map.of(0, BigInteger.valueOf(size)));
    }
    double truth = Arrays.stream(sizes).sum();
    ClippedNoise clip = new ClippedNoise(epsilon);
    SeededBits bits = new SeededBits(sizes.length + epsilon.hashCode());
    int held = 0;
    int noiseOnly = 0;
    List<Double> widths = new ArrayList<>();
    for (int draw = 0; draw < DRAWS; draw++) {
      NoisySizeHistogram people =
          NoisySizeHistogram.publish(table, clip.choosing(), BigInteger.ONE, bits);
      int level = people.level();
      Rational scale = Rational.of(LEVELS.at(level)).over(Rational.of(clip.adding()));
      double exact = table.clipped(0, level).doubleValue();
      double answer = exact + new DiscreteLaplace(scale).sample(bits).doubleValue();
      BigDecimal moved = scale.decimal(MathContext.DECIMAL64).multiply(epsilon);
      PublicNoise noise =
          new PublicNoise(Laplace.of(epsilon), moved, BigDecimal.ONE, BigDecimal.ZERO)
              .cut(people.shortfall(level));
      double below = noise.below(SURE).doubleValue();
      double above = noise.above(SURE).doubleValue();
      held += answer - below <= truth && truth <= answer + above ? 1 : 0;
      noiseOnly += Math.abs(answer - truth) <= below ? 1 : 0;
      widths.add((below + above) / 2 / (below + truth - exact));
    }
    widths.sort(null);
    return new Seen((double) held / DRAWS, (double) noiseOnly / DRAWS, widths.get(DRAWS / 2));
  }
}
