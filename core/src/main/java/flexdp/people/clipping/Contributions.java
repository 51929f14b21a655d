package flexdp.people.clipping;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What one pass over an owned relation tells about every level at once; private.
 *
 * <p>A person's size N_p is how many rows she has, or the L1 norm of her contributions to one
 * measurement. For each bucket of sizes and each cell (a bin of a measurement) it holds the sum of
 * her values x and of her shares x·2^s/N_p, <em>truncated toward zero</em> for each person and
 * cell. Clipping at τ scales a person of size above τ by τ/N_p, so a cell is Σ x·2^s over buckets
 * within τ plus τ·Σ shares beyond, in steps of 2^(−s): exactly what clipping person by person
 * gives.
 *
 * <p>Sound: |share| ≤ |x|·2^s/N_p, so all cells of a person together move by no more than
 * τ·2^s·Σ|x|/N_p. (Rounding down, negative values would move by more: one step for each bin.)
 */
public final class Contributions<C> {
  private record Cell(BigInteger[] plain, BigInteger[] shares) {}

  private final ClipLevels levels;
  private final int digits;
  private final BigInteger[] people;
  private final Map<C, Cell> cells = new LinkedHashMap<>();

  /**
   * @param digits s; 0 where the only cell is the size itself, for then a share is a sign
   */
  public Contributions(ClipLevels levels, int digits) {
    if (digits < 0) {
      throw new IllegalArgumentException("digits of shares must not be negative");
    }
    this.levels = levels;
    this.digits = digits;
    this.people = zeros();
  }

  private BigInteger[] zeros() {
    BigInteger[] zeros = new BigInteger[levels.buckets()];
    Arrays.fill(zeros, BigInteger.ZERO);
    return zeros;
  }

  public ClipLevels levels() {
    return levels;
  }

  /** The share of a person of this size, truncated toward zero. */
  public static BigInteger share(BigInteger value, BigInteger size, int digits) {
    return size.signum() == 0 ? BigInteger.ZERO : value.shiftLeft(digits).divide(size.abs());
  }

  /** Counts people whose size falls into this bucket. */
  public void people(int bucket, BigInteger count) {
    people[bucket] = people[bucket].add(count);
  }

  /** What people of this bucket have in a cell. */
  public void add(int bucket, C cell, BigInteger plain, BigInteger shares) {
    Cell known = cells.computeIfAbsent(cell, c -> new Cell(zeros(), zeros()));
    known.plain[bucket] = known.plain[bucket].add(plain);
    known.shares[bucket] = known.shares[bucket].add(shares);
  }

  /** One person, for those who hold her numbers. */
  public void person(BigInteger size, Map<C, BigInteger> values) {
    int bucket = levels.bucket(size);
    people(bucket, BigInteger.ONE);
    values.forEach((cell, x) -> add(bucket, cell, x, share(x, size, digits)));
  }

  public Set<C> cells() {
    return Collections.unmodifiableSet(cells.keySet());
  }

  /** Private, as everything here. */
  public BigInteger people(int bucket) {
    return people[bucket];
  }

  /** A cell with all that everybody has in it, in steps of 2^(−s). */
  public BigInteger whole(C cell) {
    Cell known = cells.get(cell);
    return known == null
        ? BigInteger.ZERO
        : Arrays.stream(known.plain).reduce(BigInteger.ZERO, BigInteger::add).shiftLeft(digits);
  }

  /** A cell when nobody weighs more than τ_level, in steps of 2^(−s); zero if nobody is in it. */
  public BigInteger clipped(C cell, int level) {
    Cell known = cells.get(cell);
    if (known == null) {
      return BigInteger.ZERO;
    }
    BigInteger within = BigInteger.ZERO;
    BigInteger beyond = BigInteger.ZERO;
    for (int bucket = 0; bucket < levels.buckets(); bucket++) {
      if (bucket <= level) {
        within = within.add(known.plain[bucket]);
      } else {
        beyond = beyond.add(known.shares[bucket]);
      }
    }
    return within.shiftLeft(digits).add(levels.at(level).multiply(beyond));
  }
}
