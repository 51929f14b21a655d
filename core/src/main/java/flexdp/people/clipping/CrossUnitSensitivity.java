package flexdp.people.clipping;

import java.math.BigInteger;

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

  /** A weighted count, ungrouped, or the score of a weighted quantile. */
  public BigInteger weightedCount(BigInteger level) {
    return people.multiply(level);
  }

  /** A weighted sum, ungrouped, of values from −below to above. */
  public BigInteger weightedSum(BigInteger level, BigInteger below, BigInteger above) {
    return people.multiply(level).multiply(above.max(ZERO).add(below.max(ZERO)));
  }

  private static final BigInteger ZERO = BigInteger.ZERO;
}
