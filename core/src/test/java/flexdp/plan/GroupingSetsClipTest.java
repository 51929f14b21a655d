package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.people.clipping.ClipLevels;
import flexdp.people.clipping.Contributions;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Several groupings of the same rows: a person whose size is taken over all of them moves all bins
 * together by τ at most. Taken over one of them, or with a set shown twice that counts once, she
 * moves them by more.
 */
class GroupingSetsClipTest {
  private static final int DIGITS = 20;
  private static final ClipLevels LEVELS = new ClipLevels(BigInteger.ONE, 6);

  /** A person's rows as bins of two keys, grouped by (a, b), by a, and in all. */
  private static Map<String, BigInteger> bins(SplittableRandom random, boolean twice) {
    Map<String, BigInteger> bins = new HashMap<>();
    int rows = 1 + random.nextInt(12);
    for (int i = 0; i < rows; i++) {
      int a = random.nextInt(3);
      int b = random.nextInt(3);
      for (String bin : List.of("ab" + a + b, "a" + a, "")) {
        bins.merge(bin, BigInteger.ONE, BigInteger::add);
        if (twice && bin.isEmpty()) {
          bins.merge("again", BigInteger.ONE, BigInteger::add);
        }
      }
    }
    return bins;
  }

  private enum Size {
    ALL_SETS,
    ONE_SET,
    WITHOUT_COPIES
  }

  private static BigInteger size(Map<String, BigInteger> bins, Size how) {
    BigInteger size = BigInteger.ZERO;
    for (Map.Entry<String, BigInteger> bin : bins.entrySet()) {
      boolean counts =
          switch (how) {
            case ALL_SETS -> true;
            case ONE_SET -> bin.getKey().isEmpty();
            case WITHOUT_COPIES -> !bin.getKey().equals("again");
          };
      size = counts ? size.add(bin.getValue()) : size;
    }
    return size;
  }

  /** How often somebody moved all bins together by more than so many times τ. */
  private static int violations(Size how, boolean twice, int copies) {
    SplittableRandom random = new SplittableRandom(5);
    int violations = 0;
    for (int run = 0; run < 400; run++) {
      List<Map<String, BigInteger>> people = new ArrayList<>();
      int others = random.nextInt(4);
      for (int i = 0; i <= others; i++) {
        people.add(bins(random, twice));
      }
      Contributions<String> with = contributions(people, how);
      Contributions<String> without = contributions(people.subList(1, people.size()), how);
      Set<String> cells = new HashSet<>(with.cells());
      for (int level = 0; level <= LEVELS.last(); level++) {
        BigInteger moved = BigInteger.ZERO;
        for (String cell : cells) {
          moved = moved.add(with.clipped(cell, level).subtract(without.clipped(cell, level)).abs());
        }
        BigInteger most = LEVELS.at(level).multiply(BigInteger.valueOf(copies)).shiftLeft(DIGITS);
        violations += moved.compareTo(most) > 0 ? 1 : 0;
      }
    }
    return violations;
  }

  private static Contributions<String> contributions(
      List<Map<String, BigInteger>> people, Size how) {
    Contributions<String> all = new Contributions<>(LEVELS, DIGITS);
    people.forEach(bins -> all.person(size(bins, how), bins));
    return all;
  }

  @Test
  void aSizeOverAllSetsBoundsThemTogether() {
    assertEquals(0, violations(Size.ALL_SETS, false, 1));
    assertEquals(0, violations(Size.WITHOUT_COPIES, true, 2));
  }

  @Test
  void wrongTwinsAreNoticed() {
    assertTrue(violations(Size.ONE_SET, false, 1) > 100);
    assertTrue(violations(Size.WITHOUT_COPIES, true, 1) > 100);
  }
}
