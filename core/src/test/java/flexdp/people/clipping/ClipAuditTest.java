package flexdp.people.clipping;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.BitSource;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The clipped count of two neighbours, thousands of draws each: no event is more than e^ε times as
 * probable on one as on the other; with noise scaled by 0.8 one is. An estimate five of its
 * standard errors too high fails, at fixed seeds.
 */
class ClipAuditTest {
  private record Draw(int level, BigInteger noisy) {}

  private static Contributions<Integer> people(boolean hers) {
    Contributions<Integer> table = new Contributions<>(ClipLevels.ofRows(Optional.of(big(4))), 0);
    for (int p = 0; p < 6; p++) {
      table.person(BigInteger.ONE, Map.of(0, BigInteger.ONE));
    }
    if (hers) {
      table.person(big(4), Map.of(0, big(4)));
    }
    return table;
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static Draw draw(Contributions<Integer> table, double scaled, BitSource bits) {
    BigDecimal quarter = new BigDecimal("0.25");
    int level = NoisySizeHistogram.publish(table, quarter, BigInteger.ONE, bits).level();
    Rational scale =
        Rational.of(table.levels().at(level))
            .times(Rational.of(new BigDecimal(String.valueOf(scaled))))
            .over(Rational.of(new BigDecimal("0.75")));
    return new Draw(level, table.clipped(0, level).add(new DiscreteLaplace(scale).sample(bits)));
  }

  /** How far the estimated log ratio is above ε = 1, in standard errors, either way. */
  private static double excess(double scaled, int draws, Predicate<Draw> event, double epsilon) {
    SeededBits bits = new SeededBits(9);
    double one = 1;
    double two = 1;
    Contributions<Integer> with = people(true);
    Contributions<Integer> without = people(false);
    for (int i = 0; i < draws; i++) {
      one += event.test(draw(with, scaled, bits)) ? 1 : 0;
      two += event.test(draw(without, scaled, bits)) ? 1 : 0;
    }
    double n = draws + 2;
    double deviation = Math.sqrt((1 - one / n) / one + (1 - two / n) / two);
    return (Math.abs(Math.log(one / two)) - epsilon) / deviation;
  }

  @Test
  void aClippedCountKeepsItsPromise() {
    assertTrue(excess(1, 2_000, d -> d.noisy().intValue() <= 5, 1) < 5);
    assertTrue(excess(1, 2_000, d -> d.level() == 2 && d.noisy().intValue() >= 10, 1) < 5);
    assertTrue(excess(1, 2_000, d -> d.level() == 0 && d.noisy().intValue() <= 6, 1) < 5);
  }

  /** At one level alone the noise loses ε₂ = 0.75; four fifths of it lose 0.9375. */
  @Test
  void noiseScaledByFourFifthsIsNoticed() {
    SeededBits bits = new SeededBits(3);
    double one = 1;
    double two = 1;
    int draws = 40_000;
    DiscreteLaplace noise = new DiscreteLaplace(Rational.of(32, 10).over(Rational.of(3, 4)));
    for (int i = 0; i < draws; i++) {
      one += 10 + noise.sample(bits).intValue() <= 6 ? 1 : 0;
      two += 6 + noise.sample(bits).intValue() <= 6 ? 1 : 0;
    }
    double deviation = Math.sqrt(1 / one + 1 / two);
    assertTrue((Math.abs(Math.log(one / two)) - 0.75) / deviation > 5);
  }
}
