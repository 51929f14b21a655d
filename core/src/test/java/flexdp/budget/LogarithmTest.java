package flexdp.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.PrivacyFilter.Logarithm;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogarithmTest {
  /** e^x from below: a partial sum of positive terms, every step rounded down. */
  private static BigDecimal expFromBelow(BigDecimal x) {
    MathContext down = new MathContext(80, RoundingMode.FLOOR);
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int i = 1; i < 600; i++) {
      term = term.multiply(x, down).divide(BigDecimal.valueOf(i), down);
      sum = sum.add(term, down);
    }
    return sum;
  }

  @Test
  void liesAboveTheLogarithmByLessThanTheFortiethDigit() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      BigDecimal p = BigDecimal.valueOf(1 + random.nextInt(999_999), 6 + random.nextInt(30));
      BigDecimal log = Logarithm.ofInverse(p);
      BigDecimal inverse = BigDecimal.ONE.divide(p, new MathContext(80, RoundingMode.CEILING));
      BigDecimal tiny = new BigDecimal("1e-60");
      assertTrue(
          expFromBelow(log).multiply(BigDecimal.ONE.add(tiny)).compareTo(inverse) >= 0,
          "below ln(1/" + p + ")");
      BigDecimal less = log.subtract(new BigDecimal("1e-40"));
      assertTrue(expFromBelow(less).compareTo(inverse) < 0, "far above ln(1/" + p + ")");
      assertEquals(
          -Math.log(p.doubleValue()), log.doubleValue(), 1e-12 * log.doubleValue() + 1e-15);
    }
  }

  @Test
  void rootsAreRoundedUp() {
    Random random = new Random(2);
    for (int i = 0; i < 1000; i++) {
      BigDecimal x = new BigDecimal(random.nextDouble() * 100);
      BigDecimal root = Logarithm.sqrtUp(x);
      assertTrue(root.multiply(root).compareTo(x) >= 0);
      assertEquals(Math.sqrt(x.doubleValue()), root.doubleValue(), 1e-12);
    }
  }
}
