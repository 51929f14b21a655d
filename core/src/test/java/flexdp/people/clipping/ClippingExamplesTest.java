package flexdp.people.clipping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Rational;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The examples by which clipping was decided, each with its numbers. */
class ClippingExamplesTest {
  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static BigInteger clipped(ClipLevels levels, int level, long... people) {
    Contributions<Integer> table = new Contributions<>(levels, 0);
    for (long c : people) {
      table.person(big(c), Map.of(0, big(c)));
    }
    return table.clipped(0, level);
  }

  /**
   * A person of 100,001 labels: rounded down, her bins move by 98.7τ; toward zero, by at most τ.
   */
  @Test
  void negativeSharesAreTruncatedTowardZero() {
    int labels = 100_000;
    int digits = 10;
    Map<Integer, BigInteger> values = new HashMap<>();
    values.put(-1, BigInteger.ONE.shiftLeft(60).negate());
    for (int label = 0; label < labels; label++) {
      values.put(label, BigInteger.ONE.negate());
    }
    BigInteger size = BigInteger.ONE.shiftLeft(60).add(big(labels));
    Contributions<Integer> table = new Contributions<>(new ClipLevels(BigInteger.ONE, 20), digits);
    table.person(size, values);
    BigInteger moved = BigInteger.ZERO;
    BigInteger down = BigInteger.ZERO;
    for (Map.Entry<Integer, BigInteger> cell : values.entrySet()) {
      moved = moved.add(table.clipped(cell.getKey(), 0).abs());
      down = down.add(new Rational(cell.getValue().shiftLeft(digits), size).floor().abs());
    }
    assertTrue(moved.compareTo(BigInteger.ONE.shiftLeft(digits)) <= 0);
    assertEquals(98.7, down.doubleValue() / (1 << digits), 0.05);
  }

  /** Beside a table of rows: her 5 becomes −5, and at τ = 1 the sum moves by 2, not by τ. */
  @Test
  void oneRowOfAnotherTableMovesATouchedPersonAcrossZero() {
    ClipLevels levels = new ClipLevels(BigInteger.ONE, 4);
    BigInteger moved = clipped(levels, 0, 5).subtract(clipped(levels, 0, -5));
    assertEquals(big(2), moved);
    assertEquals(
        big(2), new CrossUnitSensitivity(big(1), big(1)).twoSided(BigInteger.ONE, big(10)));
  }

  /** Beside a table of rows: her only row changes its label, and the bins move by 2. */
  @Test
  void oneRowOfAnotherTableMovesAWholeVector() {
    ClipLevels levels = new ClipLevels(BigInteger.ONE, 4);
    Contributions<String> one = new Contributions<>(levels, 10);
    Contributions<String> two = new Contributions<>(levels, 10);
    one.person(BigInteger.ONE, Map.of("a", BigInteger.ONE));
    two.person(BigInteger.ONE, Map.of("b", BigInteger.ONE));
    BigInteger moved = one.clipped("a", 0).add(two.clipped("b", 0));
    assertEquals(big(2).shiftLeft(10), moved);
    assertEquals(big(2), new CrossUnitSensitivity(big(1), big(1)).bins(BigInteger.ONE));
  }

  /** Beside a table of rows: a 65th row, and weights of whole numbers fall from 64 to 0. */
  @Test
  void oneRowOfAnotherTableMovesAFlooredWeightByTheWholeLevel() {
    Contributions<Integer> one = new Contributions<>(new ClipLevels(BigInteger.ONE, 20), 0);
    Contributions<Integer> two = new Contributions<>(new ClipLevels(BigInteger.ONE, 20), 0);
    one.person(big(64), Map.of(0, big(64), 1, BigInteger.ONE));
    two.person(big(65), Map.of(0, big(64), 1, BigInteger.ONE));
    assertEquals(big(64), one.clipped(0, 6).subtract(two.clipped(0, 6)));
    assertEquals(big(64), new CrossUnitSensitivity(big(1), big(1)).weightedCount(big(64)));
  }

  /**
   * Rows of two kinds, truncated by one and clipped by the other: a customer comes, and the first
   * row of each of 500 suppliers is hers.
   */
  @Test
  void truncatingByOneKindAndClippingByTheOtherIsUnsound() {
    int suppliers = 500;
    // Without her every first row belongs to one customer, who is clipped at 1; with her, hers do
    // not: 499 of them belong to as many others.
    List<Integer> before = new ArrayList<>(Collections.nCopies(suppliers, 0));
    List<Integer> after = new ArrayList<>();
    for (int s = 0; s < suppliers; s++) {
      after.add(s);
    }
    assertEquals(1, before.stream().distinct().count());
    assertEquals(500, after.stream().distinct().count());
    ClipLevels levels = new ClipLevels(BigInteger.ONE, 20);
    assertEquals(BigInteger.ONE, clipped(levels, 0, suppliers));
    long[] ones = new long[suppliers];
    java.util.Arrays.fill(ones, 1);
    assertEquals(big(500), clipped(levels, 0, ones));
  }

  /** A person of nine values moves COUNT(DISTINCT v) by nine; vouching for two of them, by two. */
  @Test
  void distinctValuesAreVouchedFor() {
    List<List<Integer>> others = List.of(List.of(1, 2), List.of(2));
    List<List<Integer>> all = new ArrayList<>(others);
    all.add(List.of(11, 12, 13, 14, 15, 16, 17, 18, 19));
    assertEquals(9, distinct(all, 9) - distinct(others, 9));
    assertEquals(2, distinct(all, 2) - distinct(others, 2));
  }

  private static long distinct(List<List<Integer>> people, int each) {
    return people.stream().flatMap(values -> values.stream().limit(each)).distinct().count();
  }

  @Test
  void oneRowOfAnotherTableMovesTheHistogramOfPeopleByTwo() {
    assertEquals(big(2), new CrossUnitSensitivity(big(3), big(1)).histogram());
    assertEquals(big(6), new CrossUnitSensitivity(big(3), big(9)).histogram());
  }
}
