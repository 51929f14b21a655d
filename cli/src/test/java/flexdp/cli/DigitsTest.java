package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Answers are printed as exactly as their error bars say, and no more exactly. */
class DigitsTest {
  private static String shown(String value, String low, String high) {
    return AnswerText.barred(new BigDecimal(value), new BigDecimal(low), new BigDecimal(high));
  }

  @Test
  void asManyDigitsAsTheBarSupports() {
    assertEquals("25.9 [24.8, 27.0]", shown("25.9114863", "24.8366444", "26.9814689"));
    assertEquals("0.0789 [0.0721, 0.0853]", shown("0.07886299", "0.0721003", "0.0852777"));
    assertEquals("505025 [-1540063, 2550112]", shown("505025.37", "-1540062.11", "2550111.5"));
  }

  @Test
  void wholeNumbersStayWhole() {
    assertEquals("298430 ± 511", shown("298430", "297919", "298941"));
    assertEquals("3 ± 30", shown("3", "-27", "33"));
    assertEquals("12.50 ± 0.5", shown("12.50", "12.0", "13.0"));
  }

  @Test
  void anExactNumberIsShownAsItIs() {
    assertEquals("1.23456 ± 0", shown("1.23456", "1.23456", "1.23456"));
  }

  @Test
  void whatIsPrintedHoldsWhatTheBarHolds() {
    Random random = new Random(3);
    for (int i = 0; i < 2_000; i++) {
      BigDecimal low = BigDecimal.valueOf(random.nextGaussian() * Math.pow(10, random.nextInt(9)));
      BigDecimal width = BigDecimal.valueOf(Math.pow(10, random.nextDouble() * 12 - 6));
      BigDecimal high = low.add(width);
      Digits digits = Digits.of(low, high);
      assertTrue(digits.low(low).compareTo(low) <= 0);
      assertTrue(digits.high(high).compareTo(high) >= 0);
      BigDecimal printed = digits.high(high).subtract(digits.low(low));
      assertTrue(
          printed.compareTo(width.multiply(new BigDecimal("1.2001"))) <= 0 || digits.places() == 0);
    }
  }
}
