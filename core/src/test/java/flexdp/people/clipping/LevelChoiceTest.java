package flexdp.people.clipping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The level that a noisy histogram of people chooses. */
class LevelChoiceTest {
  private static final ClipLevels LEVELS = ClipLevels.ofRows(Optional.empty());

  private static NoisySizeHistogram people(long... buckets) {
    List<BigInteger> all = new ArrayList<>();
    for (int b = 0; b < LEVELS.buckets(); b++) {
      all.add(BigInteger.valueOf(b < buckets.length ? buckets[b] : 0));
    }
    // ε₁ = 0.2: a bucket is certain above 70 and likely above 16.
    return new NoisySizeHistogram(LEVELS, all, Rational.of(5));
  }

  @Test
  void theHighestBucketThatNoiseDoesNotFill() {
    assertEquals(3, people(1000, 900, 400, 71).level());
    assertEquals(2, people(1000, 900, 400, 16).level());
  }

  @Test
  void furtherUpWhileTheNextSeemsToHoldSomebody() {
    assertEquals(5, people(1000, 900, 400, 71, 17, 17, 16).level());
  }

  @Test
  void fewPeopleAreClippedWhereMostOfThemAre() {
    assertEquals(1, people(3, 12, 2, 0).level());
    assertEquals(0, people().level());
  }

  @Test
  void noiseGoesToEveryBucket() {
    Contributions<Integer> nobody = new Contributions<>(LEVELS, 0);
    NoisySizeHistogram shown =
        NoisySizeHistogram.publish(
            nobody, new BigDecimal("0.2"), BigInteger.ONE, new SeededBits(3));
    long moved = shown.buckets().stream().filter(n -> n.signum() != 0).count();
    assertTrue(moved > 15, shown.toString());
    assertEquals(Rational.of(5), shown.scale());
    NoisySizeHistogram wider =
        NoisySizeHistogram.publish(
            nobody, new BigDecimal("0.2"), BigInteger.valueOf(4), new SeededBits(3));
    assertEquals(Rational.of(20), wider.scale());
  }

  /** 20,000 people of geometric sizes at ε = 0.8: clipping and noise cost less than 1 % mostly. */
  @Test
  void theChosenLevelIsGoodOnOrdinaryPeople() {
    SplittableRandom random = new SplittableRandom(1);
    Contributions<Integer> table = new Contributions<>(LEVELS, 0);
    long total = 0;
    for (int p = 0; p < 20_000; p++) {
      long c = 1 + (long) (-Math.log(1 - random.nextDouble()) * 9);
      total += c;
      table.person(BigInteger.valueOf(c), Map.of(0, BigInteger.valueOf(c)));
    }
    SeededBits bits = new SeededBits(2);
    for (int draw = 0; draw < 50; draw++) {
      int level =
          NoisySizeHistogram.publish(table, new BigDecimal("0.2"), BigInteger.ONE, bits).level();
      assertTrue(level >= 5 && level <= 7, "level " + level);
      double lost = total - table.clipped(0, level).doubleValue();
      double noise = LEVELS.at(level).doubleValue() / 0.6;
      assertTrue((lost + noise) / total < 0.01);
    }
  }

  /** Many cells share what heavy people lose, and each has noise of its own. */
  @Test
  void manyCellsAreClippedLower() {
    ClipLevels fine = LEVELS.refined();
    long[] counts = new long[fine.buckets()];
    for (int b = 0; b < 12; b++) {
      counts[b] = 20_000 >> b;
    }
    List<BigInteger> all = Arrays.stream(counts).mapToObj(BigInteger::valueOf).toList();
    NoisySizeHistogram people = new NoisySizeHistogram(fine, all, Rational.of(5));
    int before = people.level();
    for (int cells : new int[] {3, 10, 100, 1_000}) {
      int level = people.level(cells, 1.7);
      assertTrue(level <= before, cells + " cells at level " + level);
      before = level;
    }
    assertTrue(before <= people.level() / 2, "level " + before);
    assertTrue(people.lost(before, 1).compareTo(people.lost(before + 1, 1)) > 0);
    // Nobody is lost above the highest level that has people for certain.
    assertEquals(0, people.lost(people.level(), 1).signum());
  }

  /**
   * Neighbours whose rows lie in one cell or in all: what the database returned decides nothing.
   */
  @Test
  void howManyCellsHaveRowsIsPrivate() {
    NoisySizeHistogram people =
        new NoisySizeHistogram(
            LEVELS.refined(),
            Stream.concat(
                    Stream.of(9_000, 4_000, 2_000, 900, 500, 90, 80).map(BigInteger::valueOf),
                    Stream.generate(() -> BigInteger.ZERO))
                .limit(LEVELS.refined().buckets())
                .toList(),
            Rational.of(5));
    assertTrue(people.level(1, 1.7) > people.level(50, 1.7), "or one person would flip the level");
  }

  @Test
  void levelsBetweenAreWholeSteps() {
    ClipLevels fine = new ClipLevels(BigInteger.valueOf(5), 3).refined();
    List<Integer> all = new ArrayList<>();
    for (int level = 0; level < fine.buckets(); level++) {
      all.add(fine.at(level).intValueExact() / 5);
      assertEquals(level, fine.bucket(fine.at(level)));
      assertEquals(
          Math.min(level + 1, fine.last() + 1), fine.bucket(fine.at(level).add(BigInteger.ONE)));
    }
    assertEquals(List.of(1, 2, 3, 4, 6, 8, 12), all);
    assertEquals(fine.last() + 1, fine.bucket(BigInteger.valueOf(41)));
    assertEquals(
        new ClipLevels(BigInteger.ONE, 0, true), new ClipLevels(BigInteger.ONE, 0).refined());
    assertEquals(40, LEVELS.refined().count());
    assertEquals(BigInteger.ONE.shiftLeft(20), LEVELS.refined().at(39));
  }

  @Test
  void levelsOfTheDesign() {
    assertEquals(21, ClipLevels.ofRows(Optional.empty()).count());
    ClipLevels sums = ClipLevels.ofSums(BigInteger.valueOf(1 << 20), Optional.empty());
    assertEquals(25, sums.count());
    assertEquals(BigInteger.valueOf(1 << 20).shiftLeft(14), sums.at(sums.last()));
    assertEquals(8, ClipLevels.ofRows(Optional.of(BigInteger.valueOf(200))).last());
    assertEquals(0, ClipLevels.ofRows(Optional.of(BigInteger.ONE)).last());
    ClipLevels few = ClipLevels.ofSums(BigInteger.valueOf(7), Optional.empty());
    assertTrue(few.at(few.last()).compareTo(BigInteger.valueOf(7 << 14)) >= 0 && few.count() <= 25);
  }
}
