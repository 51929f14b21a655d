package flexdp.people.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The level that a noisy histogram of people chooses. */
class LevelChoiceTest {
  private static final Levels LEVELS = Levels.ofRows(Optional.empty());

  private static NoisyPeople people(long... buckets) {
    List<BigInteger> all = new ArrayList<>();
    for (int b = 0; b < LEVELS.buckets(); b++) {
      all.add(BigInteger.valueOf(b < buckets.length ? buckets[b] : 0));
    }
    // ε₁ = 0.2: a bucket is certain above 70 and likely above 16.
    return new NoisyPeople(LEVELS, all, Rational.of(5));
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
    NoisyPeople shown =
        NoisyPeople.publish(nobody, new BigDecimal("0.2"), BigInteger.ONE, new SeededBits(3));
    long moved = shown.buckets().stream().filter(n -> n.signum() != 0).count();
    assertTrue(moved > 15, shown.toString());
    assertEquals(Rational.of(5), shown.scale());
    NoisyPeople wider =
        NoisyPeople.publish(
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
      int level = NoisyPeople.publish(table, new BigDecimal("0.2"), BigInteger.ONE, bits).level();
      assertTrue(level >= 5 && level <= 7, "level " + level);
      double lost = total - table.clipped(0, level).doubleValue();
      double noise = LEVELS.at(level).doubleValue() / 0.6;
      assertTrue((lost + noise) / total < 0.01);
    }
  }

  @Test
  void levelsOfTheDesign() {
    assertEquals(21, Levels.ofRows(Optional.empty()).count());
    Levels sums = Levels.ofSums(BigInteger.valueOf(1 << 20), Optional.empty());
    assertEquals(25, sums.count());
    assertEquals(BigInteger.valueOf(1 << 20).shiftLeft(14), sums.at(sums.last()));
    assertEquals(8, Levels.ofRows(Optional.of(BigInteger.valueOf(200))).last());
    assertEquals(0, Levels.ofRows(Optional.of(BigInteger.ONE)).last());
    Levels few = Levels.ofSums(BigInteger.valueOf(7), Optional.empty());
    assertTrue(few.at(few.last()).compareTo(BigInteger.valueOf(7 << 14)) >= 0 && few.count() <= 25);
  }
}
