package flexdp.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Policy.Composition;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrivacyFilterTest {
  private static BigDecimal d(String text) {
    return new BigDecimal(text);
  }

  private static PrivacyFilter filter(Composition composition, String epsilon, String delta) {
    return new Allowance(d(epsilon), d(delta), composition, Optional.empty()).filter();
  }

  /** A random cost; approximate ones only where the composition takes them. */
  private static Cost cost(Random random, Composition composition) {
    BigDecimal epsilon = BigDecimal.valueOf(1 + random.nextInt(3000), 4);
    BigDecimal delta = BigDecimal.valueOf(1 + random.nextInt(90), 12);
    return switch (random.nextInt(composition == Composition.ZCDP ? 3 : 4)) {
      case 0 -> Cost.pure(epsilon);
      case 1 -> Cost.pure(Collections.nCopies(1 + random.nextInt(5), epsilon), delta);
      case 2 -> Cost.gaussian(epsilon, delta, epsilon.multiply(epsilon).multiply(d("0.011")));
      default -> Cost.approximate(epsilon, delta);
    };
  }

  @ParameterizedTest
  @EnumSource
  void admitsNothingMoreOnceSomethingWasRefused(Composition composition) {
    Random random = new Random(20260101);
    PrivacyFilter filter = filter(composition, "3", "1e-8");
    for (int run = 0; run < 300; run++) {
      TotalCost spent = TotalCost.NOTHING;
      while (filter.admits(spent)) {
        spent = spent.plus(cost(random, composition));
      }
      for (int i = 0; i < 5; i++) {
        spent = spent.plus(cost(random, composition));
        assertFalse(filter.admits(spent), spent::toString);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void admitsExactlyWhatItsOwnUpperBoundsAllow(Composition composition) {
    Random random = new Random(7);
    PrivacyFilter filter = filter(composition, "2", "1e-7");
    int admitted = 0;
    for (int run = 0; run < 2000; run++) {
      TotalCost spent = TotalCost.NOTHING;
      for (int n = random.nextInt(40); n >= 0; n--) {
        spent = spent.plus(cost(random, composition));
      }
      boolean within =
          filter.epsilon(spent).compareTo(d("2")) <= 0
              && filter.delta(spent).compareTo(d("1e-7")) <= 0;
      assertEquals(within, filter.admits(spent), spent::toString);
      admitted += within ? 1 : 0;
    }
    assertTrue(admitted > 100 && admitted < 1900, "both sides are tried: " + admitted);
  }

  @ParameterizedTest
  @EnumSource
  void doesNotDependOnOrder(Composition composition) {
    Random random = new Random(11);
    for (int run = 0; run < 100; run++) {
      List<Cost> costs = new java.util.ArrayList<>();
      for (int i = 0; i < 20; i++) {
        costs.add(cost(random, composition));
      }
      TotalCost one = costs.stream().reduce(TotalCost.NOTHING, TotalCost::plus, (a, b) -> a);
      Collections.shuffle(costs, random);
      TotalCost other = costs.stream().reduce(TotalCost.NOTHING, TotalCost::plus, (a, b) -> a);
      PrivacyFilter filter = filter(composition, "1.7", "1e-6");
      assertEquals(filter.epsilon(one), filter.epsilon(other));
      assertEquals(0, filter.delta(one).compareTo(filter.delta(other)));
      TotalCost less = one.minus(TotalCost.NOTHING.plus(costs.get(0))).plus(costs.get(0));
      assertEquals(filter.epsilon(one), filter.epsilon(less));
    }
  }

  @ParameterizedTest
  @EnumSource
  void saysHowManyAnswersAreLeft(Composition composition) {
    Random random = new Random(3);
    PrivacyFilter filter = filter(composition, "4", "1e-6");
    for (int run = 0; run < 50; run++) {
      TotalCost spent = TotalCost.NOTHING.plus(cost(random, composition));
      Cost next = Cost.pure(BigDecimal.valueOf(1 + random.nextInt(2000), 4));
      long left = filter.answersLeft(spent, next, 1_000_000);
      assertTrue(left == 0 || filter.admits(spent.plus(next, left)));
      assertFalse(filter.admits(spent.plus(next, left + 1)));
      BigDecimal epsilon = filter.epsilonLeft(spent);
      assertTrue(epsilon.signum() == 0 || filter.admits(spent.plus(Cost.pure(epsilon))));
      assertFalse(filter.admits(spent.plus(Cost.pure(epsilon.add(d("1e-9"))))));
    }
  }

  /** Against the formula in doubles: the exact decision differs only within rounding. */
  @Test
  void matchesTheFormulaOfAdaptiveComposition() {
    double log = Math.log(1 / 0.5e-6);
    Random random = new Random(5);
    PrivacyFilter filter = filter(Composition.ADAPTIVE, "1", "1e-6");
    for (int i = 0; i < 5000; i++) {
      BigDecimal epsilon = BigDecimal.valueOf(1 + random.nextInt(2000), 5);
      int n = 1 + random.nextInt(3000);
      double squares = n * Math.pow(epsilon.doubleValue(), 2);
      double loss = Math.sqrt(2 * log * squares) + squares / 2;
      TotalCost spent = TotalCost.NOTHING.plus(Cost.pure(epsilon), n);
      assertEquals(loss, filter.epsilon(spent).doubleValue(), 1e-9);
      if (Math.abs(loss - 1) > 1e-9) {
        assertEquals(loss <= 1, filter.admits(spent));
      }
    }
  }

  @Test
  void matchesTheFormulaOfConcentratedComposition() {
    double log = Math.log(1 / 0.5e-9);
    Random random = new Random(6);
    PrivacyFilter filter = filter(Composition.ZCDP, "2", "1e-9");
    for (int i = 0; i < 5000; i++) {
      BigDecimal rho = BigDecimal.valueOf(1 + random.nextInt(20_000), 6);
      int n = 1 + random.nextInt(200);
      double sum = n * rho.doubleValue();
      double loss = sum + 2 * Math.sqrt(sum * log);
      TotalCost spent = TotalCost.NOTHING.plus(Cost.gaussian(d("1"), d("1e-5"), rho), n);
      assertEquals(loss, filter.epsilon(spent).doubleValue(), 1e-9 * loss);
      if (Math.abs(loss - 2) > 1e-9) {
        assertEquals(loss <= 2, filter.admits(spent));
      }
    }
  }

  @Test
  void countsAPureAnswerAsHalfItsSquare() {
    assertEquals(0, d("0.02").compareTo(TotalCost.NOTHING.plus(Cost.pure(d("0.2"))).rho()));
    Cost split = Cost.pure(List.of(d("0.1"), d("0.1")), BigDecimal.ZERO);
    assertEquals(0, d("0.2").compareTo(split.epsilon()));
    assertEquals(0, d("0.01").compareTo(TotalCost.NOTHING.plus(split).rho()));
  }

  @Test
  void concentratedCompositionNeverTakesApproximateAnswers() {
    PrivacyFilter filter = filter(Composition.ZCDP, "100", "0.1");
    Cost flex = Cost.approximate(d("0.001"), d("1e-12"));
    assertFalse(filter.takes(flex));
    assertFalse(filter.admits(TotalCost.NOTHING.plus(flex)));
    assertTrue(filter(Composition.ADAPTIVE, "100", "0.1").takes(flex));
  }

  @Test
  void basicCompositionIsExactToTheLastDigit() {
    PrivacyFilter filter = filter(Composition.BASIC, "0.3", "0");
    TotalCost spent = TotalCost.NOTHING.plus(Cost.pure(d("0.1")), 3);
    assertTrue(filter.admits(spent));
    assertFalse(filter.admits(spent.plus(Cost.pure(d("1e-60")))));
  }

  @Test
  void withoutDeltaOnlyBasicCompositionAnswers() {
    TotalCost spent = TotalCost.NOTHING.plus(Cost.pure(d("0.1")));
    assertTrue(filter(Composition.BASIC, "1", "0").admits(spent));
    assertFalse(filter(Composition.ADAPTIVE, "1", "0").admits(spent));
    assertFalse(filter(Composition.ZCDP, "1", "0").admits(spent));
  }

  @Test
  void refusesCostsThatAreNone() {
    assertThrows(IllegalArgumentException.class, () -> Cost.pure(BigDecimal.ZERO));
    assertThrows(IllegalArgumentException.class, () -> Cost.pure(d("-1")));
    assertThrows(IllegalArgumentException.class, () -> Cost.pure(d("1e-1000000")));
    assertThrows(IllegalArgumentException.class, () -> Cost.approximate(d("1"), d("1")));
    assertThrows(IllegalArgumentException.class, () -> Cost.gaussian(d("1"), d("0"), d("1")));
    assertThrows(IllegalArgumentException.class, () -> new Cost.Pure(d("1"), d("1.1"), d("0")));
  }
}
