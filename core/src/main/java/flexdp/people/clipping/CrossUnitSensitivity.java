package flexdp.people.clipping;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * How far clipped values move when one row of another ancestor comes or goes: a table protected by
 * rows, or another kind. Such a row touches at most D people and changes at most T rows; both must
 * be public. A touched person moves within [0, τ] or [−τ, τ], and from one bucket to another.
 *
 * <p>Weights and bins spread a person's whole τ anew when one of her rows changes, so T bounds
 * nothing there: only D does.
 *
 * @param rows T: changed rows
 * @param people D: touched people
 */
public record CrossUnitSensitivity(BigInteger rows, BigInteger people) {
  private static final BigInteger TWO = BigInteger.TWO;

  public CrossUnitSensitivity {
    if (rows.signum() < 0 || people.signum() < 0) {
      throw new IllegalArgumentException("numbers of rows and people must not be negative");
    }
  }

  /** The histogram of people, in L1. */
  public BigInteger histogram() {
    return TWO.multiply(rows.min(people));
  }

  /** One number, COUNT or SUM of values ≥ 0 that are at most {@code largest} per row. */
  public BigInteger oneSided(BigInteger level, BigInteger largest) {
    return rows.multiply(largest).min(people.multiply(level));
  }

  /** One number, SUM of values of either sign. */
  public BigInteger twoSided(BigInteger level, BigInteger largest) {
    return rows.multiply(largest).min(TWO.multiply(people).multiply(level));
  }

  /** The bins of one measurement, in L1. */
  public BigInteger bins(BigInteger level) {
    return TWO.multiply(people).multiply(level);
  }

  /** A weighted count, ungrouped. */
  public BigInteger weightedCount(BigInteger level) {
    return people.multiply(level);
  }

  /**
   * How many rows that come or go move the score of a weighted quantile, ungrouped, no less. Of a
   * touched person's rows those up to a value weigh x, and those beyond it y, with x + y ≤ τ before
   * and after. The score has (1−q)·x − q·y of them, which lies within [−q·τ, (1−q)·τ]: all of her
   * rows may go from one end to the other, so it moves by τ, and not by τ·max(q, 1−q), as where she
   * comes or goes.
   *
   * @param perRow max(q, 1−q): by so much one row that comes or goes moves the score
   */
  public BigInteger weightedRanks(BigInteger level, BigDecimal perRow) {
    return new BigDecimal(people.multiply(level))
        .divide(perRow, 0, RoundingMode.CEILING)
        .toBigIntegerExact();
  }

  /** A weighted sum, ungrouped, of values from −below to above. */
  public BigInteger weightedSum(BigInteger level, BigInteger below, BigInteger above) {
    return people.multiply(level).multiply(above.max(ZERO).add(below.max(ZERO)));
  }

  private static final BigInteger ZERO = BigInteger.ZERO;
}
