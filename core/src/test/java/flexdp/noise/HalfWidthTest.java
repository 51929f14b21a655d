package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HalfWidthTest {
  private static final int N = 20_000;

  private static BigDecimal dec(String text) {
    return new BigDecimal(text);
  }

  private static Mechanism.Additive mechanism(String name) {
    return switch (name) {
      case "laplace" -> Laplace.of(dec("0.5"));
      case "gaussian" -> Gaussian.of(dec("0.5"), dec("1e-9"));
      case "lomax" -> Lomax.of(dec("0.5"));
      case "lomax of three" -> Lomax.of(dec("0.5"), 3);
      case "flex" -> Flex.of(dec("0.5"), dec("1e-9"), 1);
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "laplace,20,1,0.95", "laplace,1,1,0.5", "laplace,7.5,0.25,0.99", "gaussian,20,1,0.95",
    "gaussian,3,0.1,0.5", "lomax,20,1,0.95", "lomax of three,20,1,0.9", "flex,20,0.5,0.95"
  })
  void coversAsOftenAsItSays(String name, String sensitivity, String grid, String confidence) {
    Mechanism.Additive m = mechanism(name);
    BigDecimal width = m.halfWidth(dec(sensitivity), dec(grid), dec(confidence));
    Noise noise = new Noise(new SeededBits(1));
    int batch = m instanceof Lomax l ? l.outputs() : m instanceof Flex ? 1 : N;
    List<BigDecimal> zeros = Collections.nCopies(batch, BigDecimal.ZERO);
    int inside = 0;
    int drawn = 0;
    while (drawn < N) {
      for (BigDecimal value : noise.add(m, dec(sensitivity), zeros, dec(grid))) {
        inside += value.abs().compareTo(width) <= 0 ? 1 : 0;
        drawn++;
      }
    }
    double seen = (double) inside / drawn;
    double expected = Double.parseDouble(confidence);
    assertTrue(seen >= expected - 0.02, () -> "covers " + seen);
    assertTrue(seen <= expected + 0.05, () -> "covers " + seen);
  }

  @Test
  void theWidthOfLaplaceIsTheLeastThatCovers() {
    // b = 10: P(|Z| > 29) = 2r³⁰/(1+r) = 0.0523, P(|Z| > 30) = 0.0473.
    Laplace m = Laplace.of(dec("0.1"));
    assertEquals(0, m.halfWidth(BigDecimal.ONE, BigDecimal.ONE, dec("0.95")).compareTo(dec("30")));
    assertEquals(
        0, m.halfWidth(BigDecimal.ZERO, BigDecimal.ONE, dec("0.95")).compareTo(BigDecimal.ZERO));
  }

  @Test
  void confidenceIsAProbability() {
    for (String wrong : List.of("0", "1", "-1", "95")) {
      for (String name : List.of("laplace", "gaussian", "lomax", "flex")) {
        assertThrows(
            IllegalArgumentException.class,
            () -> mechanism(name).halfWidth(BigDecimal.ONE, BigDecimal.ONE, dec(wrong)));
      }
    }
  }
}
