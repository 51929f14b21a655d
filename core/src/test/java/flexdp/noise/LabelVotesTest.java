package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** By whom a label may be shown that one person brought. */
class LabelVotesTest {
  private static final double UNIT = 1 << LabelVotes.DIGITS;
  private static final BigDecimal DELTA = new BigDecimal("1e-8");

  private static LabelVotes votes(String rho, int most, int people) {
    Gaussian noise = Gaussian.ofZcdp(new BigDecimal(rho), DELTA);
    return new LabelVotes(noise, most, BigInteger.valueOf(people));
  }

  /** ln Q(z), by the continued fraction of Mills' ratio: not the series that the code uses. */
  private static double tail(double z) {
    double fraction = z;
    for (int i = 200; i >= 1; i--) {
      fraction = z + i / fraction;
    }
    return Math.exp(-z * z / 2 - Math.log(fraction * Math.sqrt(2 * Math.PI)));
  }

  /** The chance that some label is shown which one person alone has, if she has so many. */
  private static double shown(LabelVotes votes, BigInteger threshold, int labels, double each) {
    double sigma = Math.sqrt(votes.variance().doubleValue()) / UNIT;
    double needed = threshold.doubleValue() / UNIT - each;
    return -Math.expm1(labels * Math.log1p(-tail(needed / sigma)));
  }

  @Test
  void votesHaveLengthOneAtMost() {
    BigInteger one = BigInteger.ONE.shiftLeft(2 * LabelVotes.DIGITS);
    for (int k = 1; k <= 5000; k++) {
      BigInteger all = LabelVotes.vote(k).pow(2).multiply(BigInteger.valueOf(k));
      assertTrue(all.compareTo(one) <= 0, "k = " + k);
      BigInteger more =
          LabelVotes.vote(k).add(BigInteger.ONE).pow(2).multiply(BigInteger.valueOf(k));
      assertTrue(more.compareTo(one) > 0, "the wrong twin rounds up: k = " + k);
    }
  }

  @Test
  void nobodyIsShownByHerselfHoweverManyLabelsSheHas() {
    for (String rho : new String[] {"0.0001", "0.0065", "0.1", "5"}) {
      LabelVotes votes = votes(rho, 128, 0);
      BigInteger threshold = votes.threshold(DELTA, 1);
      double most = 0;
      for (int k = 1; k <= 128; k++) {
        most = Math.max(most, shown(votes, threshold, k, 1 / Math.sqrt(k)));
      }
      assertTrue(most <= 1e-8, rho + ": " + most);
      assertTrue(most >= 0.99e-8, rho + ": more noise than needed, " + most);
    }
  }

  /** Wrong twins: one label's threshold for all, and no largest number of labels. */
  @Test
  void thresholdsForFewerLabelsShowThoseOfOnePerson() {
    LabelVotes one = votes("0.0065", 1, 0);
    double few = shown(one, one.threshold(DELTA, 1), 128, 1 / Math.sqrt(128));
    assertTrue(few > 3e-8, "" + few);
    LabelVotes votes = votes("0.0065", 128, 0);
    double endless = shown(votes, votes.threshold(DELTA, 1), 10_000, 1 / Math.sqrt(10_000));
    assertTrue(endless > 5e-8, "" + endless);
  }

  @Test
  void besideOthersSoManyPeopleChangeTheirVotes() {
    LabelVotes votes = votes("0.0065", 128, 3);
    assertEquals(
        BigInteger.valueOf(18).shiftLeft(2 * LabelVotes.DIGITS), votes.movedSquared(), "(√2·3)²");
    BigInteger threshold = votes.threshold(DELTA, 1);
    assertTrue(shown(votes, threshold, 3 * 128, 3) <= 1e-8);
    // Wrong twins: votes of one person, and labels of one person.
    assertTrue(shown(votes, threshold.subtract(BigInteger.ONE.shiftLeft(21)), 3 * 128, 3) > 1e-8);
    assertTrue(shown(votes, votes("0.0065", 128, 1).threshold(DELTA, 1), 3 * 128, 3) > 1e-8);
  }

  @Test
  void asManyPeopleAsTheOwnerWants() {
    LabelVotes votes = votes("5", 4, 0);
    BigInteger plain = votes.threshold(DELTA, 1);
    assertEquals(plain, votes.threshold(DELTA, 1));
    BigInteger ten = votes.threshold(DELTA, 10);
    assertTrue(shown(votes, ten, 4, 9) <= 1e-8, "nine people are fewer");
    assertTrue(ten.compareTo(BigInteger.valueOf(9).shiftLeft(LabelVotes.DIGITS)) > 0);
  }

  @Test
  void deviationsAreNoFewerThanTheTailNeedsAndHardlyMore() {
    for (String delta : new String[] {"0.3", "0.01", "1e-6", "1e-12", "1e-100"}) {
      for (int draws : new int[] {1, 2, 128, 100_000}) {
        double z =
            LabelVotes.deviations(BigInteger.valueOf(draws), new BigDecimal(delta)).doubleValue();
        double each = Double.parseDouble(delta) / draws;
        assertTrue(tail(z) <= each, delta + " of " + draws);
        assertTrue(z <= 1 || tail(z - 0.02) > each || each > 0.001, delta + " of " + draws);
      }
    }
  }
}
