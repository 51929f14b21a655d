package flexdp.ranges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Range;
import flexdp.policy.Type;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which range noisy counts suggest. */
class RangeSelectionTest {
  private static final RangeBuckets REALS =
      RangeBuckets.of(Type.DOUBLE, Optional.empty(), Optional.empty(), 0).orElseThrow();

  private static List<BigDecimal> numbers(String text) {
    return Arrays.stream(text.trim().split(" ")).map(BigDecimal::new).toList();
  }

  private static Optional<Range> range(String text) {
    if (text.trim().equals("none")) {
      return Optional.empty();
    }
    List<BigDecimal> ends = numbers(text);
    return Optional.of(new Range(ends.get(0), ends.get(1)));
  }

  private static String shown(Optional<Range> range) {
    return range.map(r -> r.low().doubleValue() + " to " + r.high().doubleValue()).orElse("none");
  }

  /** Kept answers of the rule as it was first written down and measured, in another language. */
  @Test
  void isTheRuleThatWasMeasured() throws IOException {
    List<String> lines;
    try (InputStream in = RangeSelectionTest.class.getResourceAsStream("/ranges/prototype.txt")) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    assertTrue(lines.size() > 200);
    for (String line : lines) {
      String[] parts = line.split("\\|");
      List<BigDecimal> levels = numbers(parts[0]);
      boolean signed = parts[1].trim().equals("1");
      RangeBuckets buckets = new RangeBuckets(signed ? levels : List.of(), levels, false);
      RangeSelection choice = new RangeSelection(buckets, Double.parseDouble(parts[2]));
      double weight = Double.parseDouble(parts[3]);
      List<BigDecimal> noisy = numbers(parts[4]);
      Optional<Range> sum =
          range(parts[5])
              .map(r -> new Range(r.low().min(BigDecimal.ZERO), r.high().max(BigDecimal.ZERO)));
      assertEquals(
          shown(sum), shown(choice.sum(noisy, weight, false).map(RangeSelection.Found::range)));
      assertEquals(
          shown(range(parts[6])),
          shown(choice.centred(noisy, 2 * weight).map(RangeSelection.Found::range)),
          line);
      assertEquals(
          shown(range(parts[7])), shown(choice.extremes(noisy).map(RangeSelection.Found::range)));
    }
  }

  /** Noisy counts of some values. */
  private static List<BigDecimal> counts(
      RangeBuckets buckets, double[] values, double scale, long seed) {
    Random random = new Random(seed);
    double[] counts = new double[buckets.size()];
    for (double value : values) {
      counts[buckets.of(BigDecimal.valueOf(value)) - buckets.first()]++;
    }
    List<BigDecimal> noisy = new ArrayList<>();
    for (double count : counts) {
      double u = random.nextDouble() - 0.5;
      double noise = -scale * Math.signum(u) * Math.log(1 - 2 * Math.abs(u));
      noisy.add(BigDecimal.valueOf(Math.round(count + noise)));
    }
    return noisy;
  }

  @Test
  void anEmptyTableHasARangeByChanceOnceInFourHundredAtMost() {
    int found = 0;
    for (int i = 0; i < 4_000; i++) {
      found +=
          new RangeSelection(REALS, 4).extremes(counts(REALS, new double[0], 4, i)).isPresent()
              ? 1
              : 0;
    }
    assertTrue(found <= 18, found + " of 4000");
  }

  @Test
  void aSumIsWideAndAnAverageNarrow() {
    double[] years = new Random(3).doubles(20_000, 1930, 2010).map(Math::rint).toArray();
    RangeSelection choice = new RangeSelection(REALS, 4);
    List<BigDecimal> noisy = counts(REALS, years, 4, 5);
    assertEquals(
        "-5000.0 to 5000.0", shown(choice.sum(noisy, 5, true).map(RangeSelection.Found::range)));
    assertEquals(
        "0.0 to 5000.0", shown(choice.sum(noisy, 5, false).map(RangeSelection.Found::range)));
    Optional<RangeSelection.Found> average = choice.centred(noisy, 5);
    assertEquals("1000.0 to 5000.0", shown(average.map(RangeSelection.Found::range)));
    assertEquals(20_000, average.orElseThrow().values().doubleValue(), 100);
  }

  @Test
  void nothingButZeroIsNoRange() {
    double[] values = new double[10_000];
    Arrays.fill(values, 0, 200, 24);
    Range range =
        new RangeSelection(REALS, 4)
            .sum(counts(REALS, values, 4, 1), 5, true)
            .orElseThrow()
            .range();
    assertTrue(range.high().signum() > 0);
  }

  @Test
  void whatIsBeyondTheLadderIsNotFound() {
    double[] values = new double[10_000];
    Arrays.fill(values, 3e16);
    assertTrue(new RangeSelection(REALS, 4).sum(counts(REALS, values, 4, 1), 5, true).isEmpty());
    Arrays.fill(values, 0, 5_000, 7);
    assertTrue(new RangeSelection(REALS, 4).extremes(counts(REALS, values, 4, 1)).isEmpty());
  }

  @Test
  void aQuantileIsLookedForWhereItsRankIs() {
    double[] values = IntStream.range(0, 30_000).mapToDouble(i -> i < 20_000 ? 40 : 7e8).toArray();
    RangeSelection choice = new RangeSelection(REALS, 4);
    List<BigDecimal> noisy = counts(REALS, values, 4, 1);
    Range median = choice.rank(noisy, 0.5).orElseThrow().range();
    assertTrue(median.low().doubleValue() <= 40 && median.high().doubleValue() >= 40);
    assertTrue(median.high().doubleValue() <= 100, "" + median);
    Range late = choice.rank(noisy, 0.9).orElseThrow().range();
    assertTrue(late.low().doubleValue() >= 100 && late.high().doubleValue() >= 7e8, "" + late);
  }

  @Test
  void everyNumberIsInOneBucketAndBetweenItsEnds() {
    Random random = new Random(11);
    for (Type type :
        List.of(Type.SMALLINT, Type.INTEGER, Type.BIGINT, Type.decimal(9, 2), Type.DOUBLE)) {
      for (Optional<BigDecimal> low :
          List.of(
              Optional.<BigDecimal>empty(),
              Optional.of(BigDecimal.ZERO),
              Optional.of(BigDecimal.valueOf(-70)))) {
        RangeBuckets buckets =
            RangeBuckets.of(type, low, Optional.empty(), random.nextInt(4)).orElseThrow();
        for (int i = 0; i < 500; i++) {
          BigDecimal x =
              new BigDecimal(random.nextLong())
                  .movePointLeft(random.nextInt(18) + type.scale())
                  .setScale(type.isExact() ? type.scale() : 12, java.math.RoundingMode.DOWN);
          int id = buckets.of(x);
          assertTrue(buckets.ids().contains(id));
          boolean listed = x.signum() >= 0 || !buckets.below().isEmpty();
          if (listed && !buckets.isBeyond(id) && Math.abs(id) < buckets.above().size()) {
            assertTrue(buckets.low(id).compareTo(x) <= 0 && x.compareTo(buckets.high(id)) <= 0);
          }
        }
      }
    }
  }

  @Test
  void laddersFollowFromTheType() {
    RangeBuckets small =
        RangeBuckets.of(Type.SMALLINT, Optional.empty(), Optional.empty(), 0).orElseThrow();
    assertEquals(new Range(BigDecimal.valueOf(-32767), BigDecimal.valueOf(32767)), small.widest());
    assertEquals(false, small.open());
    RangeBuckets cut =
        RangeBuckets.of(
                Type.BIGINT, Optional.of(BigDecimal.ZERO), Optional.of(BigDecimal.valueOf(70)), 0)
            .orElseThrow();
    assertEquals(Range.of(0, 70), cut.widest());
    assertEquals(List.of(), cut.below());
    assertEquals(7, cut.above().size());
    assertEquals(1e15, REALS.widest().high().doubleValue());
    assertTrue(RangeBuckets.of(Type.SMALLINT, Optional.empty(), Optional.empty(), 99).isEmpty());
  }
}
