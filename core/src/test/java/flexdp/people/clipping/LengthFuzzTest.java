package flexdp.people.clipping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Cells clipped together in L2, in doubles as databases compute them: one person comes, and the
 * exact square of how far all cells move is at most τ². Each wrong twin is caught.
 */
class LengthFuzzTest {
  private static final int DIGITS = 20;
  private static final double LESS = 1 - 0x1p-40;
  private static final ClipLevels LEVELS = new ClipLevels(BigInteger.valueOf(3), 8).refined();

  private final Map<String, Integer> caught = new TreeMap<>();
  private int checks;

  @Test
  void onePersonMovesAllCellsByNoMoreThanTheLevel() {
    run(3_000, 1);
  }

  @Test
  @Tag("soak")
  void onePersonMovesAllCellsByNoMoreThanTheLevelAtLength() {
    run(1_000_000, 2);
  }

  private void run(int people, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < people; i++) {
      long[] vector = vector(random);
      BigInteger unit = LEVELS.unit();
      BigInteger squares = squares(vector, unit, true);
      for (int level = 0; level <= LEVELS.last(); level++) {
        BigInteger tau = LEVELS.at(level);
        BigInteger most = tau.multiply(tau).shiftLeft(2 * DIGITS);
        BigInteger moved = moved(vector, level, squares, x -> truncated(x * LESS));
        assertTrue(moved.compareTo(most) <= 0, Arrays.toString(vector) + " at level " + level);
        checks++;
        twin("a cast rounds", moved(vector, level, squares, Math::rint), most);
        twin("FLOOR", moved(vector, level, squares, Math::floor), most);
        twin(
            "sizes rounded down",
            moved(vector, level, squares(vector, unit, false), x -> truncated(x * LESS)),
            most);
        // A total of cells that were clipped together is no cell.
        BigInteger total = total(vector, level, squares);
        twin("marginals of clipped cells", total.multiply(total), most);
      }
    }
    assertTrue(checks > people);
    for (String twin :
        List.of("a cast rounds", "FLOOR", "sizes rounded down", "marginals of clipped cells")) {
      assertTrue(caught.getOrDefault(twin, 0) > 10, twin + " was not caught: " + caught);
    }
  }

  private void twin(String name, BigInteger moved, BigInteger most) {
    if (moved.compareTo(most) > 0) {
      caught.merge(name, 1, Integer::sum);
    }
  }

  /** Extreme vectors: a few large cells, or very many small ones, of either sign. */
  private static long[] vector(SplittableRandom random) {
    long[] vector = new long[1 + random.nextInt(random.nextBoolean() ? 4 : 120)];
    long most = 1L << (1 + random.nextInt(26));
    for (int i = 0; i < vector.length; i++) {
      vector[i] = random.nextLong(-most, most + 1);
    }
    return vector;
  }

  private static double truncated(double x) {
    return x < 0 ? Math.ceil(x) : Math.floor(x);
  }

  /** Σn², n = |v| in units, rounded up. */
  private static BigInteger squares(long[] vector, BigInteger unit, boolean up) {
    long w = unit.longValueExact();
    BigInteger sum = BigInteger.ZERO;
    for (long v : vector) {
      long n = (Math.abs(v) + (up ? w - 1 : 0)) / w;
      sum = sum.add(BigInteger.valueOf(n * n));
    }
    return sum;
  }

  /** What her cells are, in steps of 2^(−s). */
  private static BigInteger[] cells(
      long[] vector, int level, BigInteger squares, DoubleUnaryOperator rounded) {
    BigInteger tau = LEVELS.at(level);
    BigInteger units = tau.divide(LEVELS.unit());
    double length = LEVELS.unit().doubleValue() * Math.sqrt(squares.doubleValue());
    boolean within = squares.compareTo(units.multiply(units)) <= 0;
    return Arrays.stream(vector)
        .mapToObj(
            v -> {
              double share = v * (double) (1 << DIGITS) / length;
              return within
                  ? BigInteger.valueOf(v).shiftLeft(DIGITS)
                  : tau.multiply(BigInteger.valueOf((long) rounded.applyAsDouble(share)));
            })
        .toArray(BigInteger[]::new);
  }

  private static BigInteger moved(
      long[] vector, int level, BigInteger squares, DoubleUnaryOperator rounded) {
    return Arrays.stream(cells(vector, level, squares, rounded))
        .map(x -> x.multiply(x))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static BigInteger total(long[] vector, int level, BigInteger squares) {
    return Arrays.stream(cells(vector, level, squares, x -> truncated(x * LESS)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** A length of 24 bits is too short by more than what is taken off shares. */
  @Test
  void singlePrecisionIsTooCoarse() {
    SplittableRandom random = new SplittableRandom(3);
    double most = 1L << 30;
    int tooLong = 0;
    for (int i = 0; i < 1_000; i++) {
      double v = random.nextInt(1 << 26);
      double half = v * most / (float) Math.sqrt((float) (v * v)) * LESS;
      double whole = v * most / Math.sqrt(v * v) * LESS;
      tooLong += truncated(half) > most ? 1 : 0;
      assertTrue(truncated(whole) <= most);
    }
    assertTrue(tooLong > 100, tooLong + " of 1,000");
  }

  /** One row in each of 97 cells: a length of 9.85 and a total of 97. */
  @Test
  void aTotalOfClippedCellsIsNotBounded() {
    long[] visits = IntStream.range(0, 97).mapToLong(i -> 1).toArray();
    assertEquals(BigInteger.valueOf(97), squares(visits, BigInteger.ONE, true));
    assertTrue(Math.sqrt(97) < 9.85);
  }

  /** Σn² of 64 bits: who has too much would look light, and count with all of it. */
  @Test
  void squaresThatOverflowAreNoSizes() {
    long most = 1L << 25;
    long wrapped = 0;
    BigInteger exact = BigInteger.ZERO;
    for (int cell = 0; cell < 1 << 14; cell++) {
      wrapped += most * most;
      exact = exact.add(BigInteger.valueOf(most).pow(2));
    }
    assertEquals(0, wrapped);
    assertEquals(64, exact.bitLength() - 1);
    // Cut at 2^60 before anything is added up to more, she counts for nothing.
    assertTrue(exact.compareTo(BigInteger.ONE.shiftLeft(60)) > 0);
  }

  /** Two labels in one packed number, added up over people: (65535, 7) and one row is (0, 8). */
  @Test
  void packedSumsOverPeopleCarry() {
    long before = 65_535L | 7L << 16;
    long after = before + 1;
    assertEquals(0, after & 0xffff);
    assertEquals(8, after >> 16);
    assertTrue(Math.abs((after & 0xffff) - (before & 0xffff)) > 1);
  }

  /** Several measurements share weights by rows: each moves by u·τ. */
  @Test
  void whatSharesWeightsMovesByItsRange() {
    SplittableRandom random = new SplittableRandom(5);
    int range = 7;
    int unweighed = 0;
    for (int person = 0; person < 2_000; person++) {
      int cells = 1 + random.nextInt(30);
      List<long[]> rowsAndSums = new ArrayList<>();
      BigInteger squares = BigInteger.ZERO;
      for (int c = 0; c < cells; c++) {
        long rows = random.nextInt(50);
        long sum = 0;
        for (int r = 0; r < rows; r++) {
          sum += random.nextInt(-range, range + 1) > 0 ? range : -random.nextInt(range + 1);
        }
        rowsAndSums.add(new long[] {rows, sum});
        squares = squares.add(BigInteger.valueOf(rows * rows));
      }
      for (int tau : new int[] {1, 3, 8, 24}) {
        boolean within = squares.compareTo(BigInteger.valueOf((long) tau * tau)) <= 0;
        BigInteger moved = BigInteger.ZERO;
        BigInteger plain = BigInteger.ZERO;
        for (long[] cell : rowsAndSums) {
          double share = cell[1] * (double) (1 << DIGITS) / Math.sqrt(squares.doubleValue());
          BigInteger x =
              within
                  ? BigInteger.valueOf(cell[1]).shiftLeft(DIGITS)
                  : BigInteger.valueOf(tau)
                      .multiply(BigInteger.valueOf((long) truncated(share * LESS)));
          moved = moved.add(x.multiply(x));
          plain = plain.add(BigInteger.valueOf(cell[1] * cell[1]).shiftLeft(2 * DIGITS));
        }
        BigInteger most = BigInteger.valueOf((long) range * tau).pow(2).shiftLeft(2 * DIGITS);
        assertTrue(moved.compareTo(most) <= 0);
        unweighed += plain.compareTo(most) > 0 ? 1 : 0;
      }
    }
    assertTrue(unweighed > 100);
  }

  /** Beside a table of rows: her rows move to other labels. */
  @Test
  void oneRowOfAnotherTableMovesALengthByRootTwo() {
    Map<String, long[]> moves = new HashMap<>();
    moves.put("counts", new long[] {3, 0, 0, 3});
    moves.put("sums of either sign", new long[] {3, 0, -3, 0});
    long apart = 0;
    for (Map.Entry<String, long[]> move : moves.entrySet()) {
      long[] v = move.getValue();
      long squared = (v[0] - v[2]) * (v[0] - v[2]) + (v[1] - v[3]) * (v[1] - v[3]);
      assertEquals(move.getKey().equals("counts") ? 2 * 9 : 4 * 9, squared);
      apart += squared;
    }
    assertEquals(54, apart);
  }
}
