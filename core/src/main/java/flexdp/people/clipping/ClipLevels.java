package flexdp.people.clipping;

import java.math.BigInteger;
import java.util.Optional;

/**
 * The levels at which contributions may be clipped: τ_j = 2^j·unit, j = 0 … last, or with 3·2^k
 * between them. They follow from the policy and the kind of the measurement, so they are public.
 * All are whole steps of the grid: half of a doubling would not be, and rounding what people add up
 * to moves it by more than τ.
 *
 * @param unit τ₀, in whole steps of the grid
 * @param fine whether they are 1, 2, 3, 4, 6, 8, 12 … units
 */
public record ClipLevels(BigInteger unit, int last, boolean fine) {
  private static final BigInteger THREE = BigInteger.valueOf(3);

  private static final int ROWS = 20;
  private static final int FINER = 10;
  private static final int COARSER = 14;

  public ClipLevels {
    if (unit.signum() <= 0 || last < 0) {
      throw new IllegalArgumentException("levels start above zero, and there is at least one");
    }
  }

  /** 1, 2, 4 … units. */
  public ClipLevels(BigInteger unit, int last) {
    this(unit, last, false);
  }

  /** These levels with those between them. */
  public ClipLevels refined() {
    return fine ? this : new ClipLevels(unit, Math.max(0, 2 * last - 1), true);
  }

  /** For rows: 1, 2, 4 … 2²⁰. */
  public static ClipLevels ofRows(Optional<BigInteger> perPersonAtMost) {
    return new ClipLevels(BigInteger.ONE, ROWS).upTo(perPersonAtMost);
  }

  /**
   * For sums: from about a thousandth of the largest value to 2¹⁴ times it, at most 25 levels.
   *
   * @param largest max(U⁺, L⁻) of one row, in steps
   */
  public static ClipLevels ofSums(BigInteger largest, Optional<BigInteger> perPersonAtMost) {
    BigInteger most = largest.max(BigInteger.ONE);
    BigInteger unit =
        most.add(BigInteger.ONE.shiftLeft(FINER)).subtract(BigInteger.ONE).shiftRight(FINER);
    ClipLevels wide = new ClipLevels(unit, FINER + COARSER);
    return wide.upTo(Optional.of(most.shiftLeft(COARSER))).upTo(perPersonAtMost);
  }

  /**
   * For sums of values that are all or nothing: from one to 2¹⁴ of them, as who has any has one.
   *
   * @param each one of them, in steps
   */
  public static ClipLevels ofWhole(BigInteger each, Optional<BigInteger> perPersonAtMost) {
    return new ClipLevels(each.max(BigInteger.ONE), COARSER).upTo(perPersonAtMost);
  }

  /** Without the levels that are not needed to reach this contribution. */
  public ClipLevels upTo(Optional<BigInteger> contribution) {
    return contribution
        .map(most -> new ClipLevels(unit, Math.min(last, bucket(most.max(BigInteger.ONE))), fine))
        .orElse(this);
  }

  /** B, the number of levels. */
  public int count() {
    return last + 1;
  }

  /** How many buckets people fall into: one per level, and one for those beyond. */
  public int buckets() {
    return last + 2;
  }

  /** τ_j; one more than the last stands for those beyond. */
  public BigInteger at(int level) {
    if (level < 0 || level > last + 1) {
      throw new IllegalArgumentException("no such level");
    }
    return fine && level > 0 && level % 2 == 0
        ? unit.multiply(THREE).shiftLeft(level / 2 - 1)
        : unit.shiftLeft(fine ? (level + 1) / 2 : level);
  }

  /** The least j with |c| ≤ τ_j, or the bucket beyond the last level. */
  public int bucket(BigInteger contribution) {
    BigInteger size = contribution.abs();
    for (int level = 0; level <= last; level++) {
      if (size.compareTo(at(level)) <= 0) {
        return level;
      }
    }
    return last + 1;
  }
}
