package flexdp.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.NeighborConversion.ExponentialBound;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NeighborConversionTest {
  private static final Optional<Neighbors> ADDED = Optional.of(Neighbors.ADD_REMOVE_ONE);
  private static final Optional<Neighbors> REPLACED = Optional.of(Neighbors.REPLACE_ONE);

  private static BigDecimal number(String text) {
    return new BigDecimal(text);
  }

  private static void assertSame(String expected, BigDecimal actual) {
    assertEquals(0, number(expected).compareTo(actual), () -> expected + " is not " + actual);
  }

  @Test
  void theExponentialIsBoundedFromAboveAndClosely() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      double x = i == 0 ? 0 : random.nextDouble() * Math.pow(10, random.nextInt(4) - 1);
      BigDecimal bound = ExponentialBound.up(BigDecimal.valueOf(x));
      // Half of the exponent is within the range of doubles.
      BigDecimal half = BigDecimal.valueOf(Math.exp(x / 2));
      BigDecimal about = half.multiply(half, MathContext.DECIMAL128);
      BigDecimal off = bound.divide(about, MathContext.DECIMAL128).subtract(BigDecimal.ONE);
      assertTrue(off.abs().compareTo(number("1e-11")) < 0, x + " is off by " + off);
    }
    assertTrue(
        ExponentialBound.up(BigDecimal.ONE).compareTo(number("2.71828182845904523536028747135"))
            > 0);
    assertTrue(
        ExponentialBound.up(BigDecimal.ONE).compareTo(number("2.71828182845904523536028747136"))
            < 0);
    assertThrows(IllegalArgumentException.class, () -> ExponentialBound.up(number("1001")));
  }

  @Test
  void aReplacedRowIsOneRemovedAndOneAdded() {
    TotalCost two = NeighborConversion.of(Cost.pure(number("2")), ADDED, Neighbors.REPLACE_ONE);
    assertSame("4", two.epsilon());
    assertSame("16", two.squares());
    assertSame("8", two.rho());
    assertSame("0", two.delta());
    assertEquals(1, two.answers());
    TotalCost parts =
        NeighborConversion.of(
            Cost.pure(List.of(number("1"), number("1")), number("1e-9")),
            ADDED,
            Neighbors.REPLACE_ONE);
    assertSame("8", parts.squares());
    // (1 + e²)·1e-9
    assertTrue(parts.delta().compareTo(number("8.389056098930e-9")) > 0);
    assertTrue(parts.delta().compareTo(number("8.389056098931e-9")) < 0);
    assertEquals(parts.delta(), parts.failure());
  }

  @Test
  void unknownNeighboursAreTheDearerOnes() {
    Cost cost = Cost.pure(number("0.5"));
    for (Neighbors now : Neighbors.values()) {
      TotalCost unknown = NeighborConversion.of(cost, Optional.empty(), now);
      for (Neighbors made : Neighbors.values()) {
        TotalCost known = NeighborConversion.of(cost, Optional.of(made), now);
        assertTrue(unknown.epsilon().compareTo(known.epsilon()) >= 0);
      }
    }
  }

  @Test
  void ofItsOwnKindNothingChanges() {
    for (Cost cost :
        List.of(
            Cost.pure(number("0.5")),
            Cost.gaussian(number("1"), number("1e-6"), number("0.05")),
            Cost.approximate(number("1"), number("1e-6")))) {
      TotalCost once = TotalCost.NOTHING.plus(cost);
      assertEquals(once, NeighborConversion.of(cost, ADDED, Neighbors.ADD_REMOVE_ONE));
      assertEquals(once, NeighborConversion.of(cost, REPLACED, Neighbors.REPLACE_ONE));
      assertEquals(once, NeighborConversion.of(cost, REPLACED, Neighbors.ADD_REMOVE_ONE));
    }
  }

  @Test
  void concentratedAnswersStaySoOnlyWithoutAnEvent() {
    TotalCost plain =
        NeighborConversion.of(
            Cost.gaussian(number("1"), number("1e-6"), number("0.05")),
            ADDED,
            Neighbors.REPLACE_ONE);
    assertSame("0.2", plain.rho());
    assertEquals(0, plain.approximate());
    TotalCost outside =
        NeighborConversion.of(
            new Cost.Gaussian(number("1"), number("1e-6"), number("0.05"), number("1e-7")),
            ADDED,
            Neighbors.REPLACE_ONE);
    assertEquals(1, outside.approximate());
    Allowance zcdp =
        new Allowance(number("100"), number("0.1"), Policy.Composition.ZCDP, Optional.empty());
    assertTrue(zcdp.filter().admits(plain));
    assertFalse(zcdp.filter().admits(outside));
  }

  @Test
  void aHugeEpsilonLeavesNoDelta() {
    for (String epsilon : List.of("899", "901", "8000", "1e30")) {
      TotalCost spent =
          NeighborConversion.of(
              Cost.approximate(number(epsilon), number("1e-200")), ADDED, Neighbors.REPLACE_ONE);
      assertSame("1", spent.delta());
      assertFalse(Allowance.basic("1e40", "0.9").filter().admits(spent));
    }
  }

  @Test
  void sumsComeApartAgain() {
    TotalCost one =
        NeighborConversion.of(
            Cost.approximate(number("3"), number("1e-9")), ADDED, Neighbors.REPLACE_ONE);
    TotalCost other = NeighborConversion.of(Cost.pure(number("0.1")), ADDED, Neighbors.REPLACE_ONE);
    TotalCost rest = one.plus(other).minus(one);
    assertSame("0.2", rest.epsilon());
    assertEquals(0, rest.delta().signum());
    assertEquals(1, rest.answers());
    assertEquals(0, rest.approximate());
  }
}
