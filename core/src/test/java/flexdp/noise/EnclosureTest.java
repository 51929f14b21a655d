package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EnclosureTest {
  private static final int P = 160;

  private static Enclosure of(String decimal, int p) {
    return Enclosure.of(Rational.of(new BigDecimal(decimal)), p);
  }

  @Test
  void knowsTheDigitsOfFamousNumbers() {
    assertEquals(
        "2.7182818284590452353602874713526624977572470936999595749669676277240766303",
        Enclosure.of(1, 320).exp().floor(74).toString());
    assertEquals(
        "0.69314718055994530941723212145817656807550013436025525412068000949339362196",
        Enclosure.of(2, 320).ln().floor(74).toString());
    assertEquals(
        "2.3025850929940456840179914546843642076011014886287729760333279009675726096",
        Enclosure.of(10, 320).ln().floor(74).toString());
    assertTrue(Enclosure.of(2, 160).ln().to(3000).contains(Enclosure.of(2, 3000).ln()));
  }

  @Test
  void enclosesTheSameFunctionAtAnyPrecision() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      int p = 40 + random.nextInt(200);
      BigDecimal x = BigDecimal.valueOf(random.nextDouble(1e-6, 80));
      Rational exact = Rational.of(x);
      Enclosure coarse = Enclosure.of(exact, p);
      Enclosure fine = Enclosure.of(exact, 2 * p + 100);
      assertTrue(coarse.exp().to(2 * p + 100).contains(fine.exp()), () -> "exp " + x);
      assertTrue(
          coarse.negate().exp().to(2 * p + 100).contains(fine.negate().exp()), () -> "exp -" + x);
      assertTrue(coarse.ln().to(2 * p + 100).contains(fine.ln()), () -> "ln " + x);
    }
  }

  @Test
  void agreesWithTheLibraryFunctions() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 5000; i++) {
      double x = random.nextDouble(-40, 40);
      Enclosure e = Enclosure.of(Rational.of(new BigDecimal(x)), P).exp();
      assertEquals(1, e.lower().doubleValue() / StrictMath.exp(x), 1e-14);
      double y = Math.exp(random.nextDouble(-90, 90));
      Enclosure l = Enclosure.of(Rational.of(new BigDecimal(y)), 320).ln();
      assertEquals(StrictMath.log(y), l.lower().doubleValue(), 1e-12);
    }
  }

  @Test
  void arithmeticEnclosesTheExactResult() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 5000; i++) {
      Rational a = Rational.of(random.nextLong(-999, 1000), random.nextLong(1, 1000));
      Rational b = Rational.of(random.nextLong(-999, 1000), random.nextLong(1, 1000));
      Enclosure x = Enclosure.of(a, 48);
      Enclosure y = Enclosure.of(b, 48);
      assertHolds(x.plus(y), a.plus(b));
      assertHolds(x.minus(y), a.minus(b));
      assertHolds(x.times(y), a.times(b));
      assertHolds(x.times(b), a.times(b));
      if (b.signum() > 0) {
        assertHolds(y.inverse(), Rational.ONE.over(b));
      }
      assertHolds(x.to(20), a);
    }
  }

  @Test
  void expOfVeryNegativeNumbersIsSmallButNotNegative() {
    Enclosure tiny = of("-1e6", 64).exp();
    assertEquals(BigInteger.ZERO, tiny.low());
    assertTrue(tiny.high().compareTo(BigInteger.TWO) <= 0);
    assertEquals(BigInteger.ZERO, of("-1e30", 64).exp().low());
  }

  @Test
  void refusesWhatHasNoValue() {
    assertThrows(ArithmeticException.class, () -> of("0", 64).ln());
    assertThrows(ArithmeticException.class, () -> of("0", 64).inverse());
    assertThrows(ArithmeticException.class, () -> of("1e30", 64).exp());
  }

  private static void assertHolds(Enclosure enclosure, Rational exact) {
    assertTrue(enclosure.lower().compareTo(exact) <= 0);
    assertTrue(enclosure.upper().compareTo(exact) >= 0);
    assertTrue(enclosure.high().subtract(enclosure.low()).bitLength() <= 24);
  }
}
