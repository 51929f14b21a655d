package flexdp.gateway.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * What of a question's ε finds its ranges, what counts the values outside of them, and what is left
 * for the answer. Where squares of ε add up, squares are shared. Rounded down, so that together
 * they never exceed the whole.
 *
 * @param finding for each histogram
 * @param counting for each range
 * @param answering for the question itself
 */
public record RangeShares(BigDecimal finding, BigDecimal counting, BigDecimal answering) {
  private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);
  private static final MathContext MORE = new MathContext(40, RoundingMode.FLOOR);

  /** Finding, counting and answering, in parts of all of them together. */
  private static final int[] SHARES = {8, 1, 23};

  private static final int[] SQUARES = {16, 1, 111};

  /**
   * @param epsilon of the whole question
   * @param histograms how many are made
   * @param ranges how many are found
   * @param squares whether what is spent adds up by squares
   */
  public static RangeShares of(BigDecimal epsilon, int histograms, int ranges, boolean squares) {
    int[] shares = squares ? SQUARES : SHARES;
    int all = shares[0] + shares[1] + shares[2];
    return new RangeShares(
        part(epsilon, shares[0], (long) all * histograms, squares),
        part(epsilon, shares[1], (long) all * ranges, squares),
        part(epsilon, shares[2], all, squares));
  }

  private static BigDecimal part(BigDecimal epsilon, long share, long all, boolean squares) {
    BigDecimal part = BigDecimal.valueOf(share);
    BigDecimal whole = BigDecimal.valueOf(all);
    return squares
        ? epsilon.multiply(part.divide(whole, MORE).sqrt(MORE), DOWN)
        : epsilon.multiply(part).divide(whole, DOWN);
  }
}
