package flexdp.experiments.alerts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What alerts are worth. */
class AlertsTest {
  @Test
  void over520QuestionsOneHitIsSeenAHundredTimesNearerThanOneByOne() {
    AlertDistance safe = new AlertDistance(520, 1);
    double each = safe.each(1);
    assertTrue(each / safe.sparse(1, false) >= 100, each + " / " + safe.sparse(1, false));
    assertTrue(each / safe.sparse(1, true) >= 150, each + " / " + safe.sparse(1, true));
  }

  @Test
  void distancesAreThoseThatWereDrawn() {
    assertEquals(4491, new AlertDistance(520, 1).each(1), 400);
    assertEquals(31, new AlertDistance(520, 1).sparse(1, false), 3);
    assertEquals(20, new AlertDistance(520, 1).sparse(1, true), 2);
    assertEquals(108, new AlertDistance(520, 5).sparse(1, false), 8);
    assertEquals(59, new AlertDistance(520, 5).sparse(1, true), 5);
    assertEquals(9, new AlertDistance(520, 1).apart(1), 1);
    assertEquals(10, new AlertDistance(520, 5).apart(1), 1);
  }

  /** What is said of numbers that read different parts of a table. */
  @Test
  void numbersOfDifferentPartsAreTwoToTwelveTimesSharperWhenAskedPlainly() {
    for (int hits : new int[] {1, 5}) {
      for (boolean monotone : new boolean[] {false, true}) {
        AlertDistance safe = new AlertDistance(520, hits);
        double times = safe.sparse(1, monotone) / (double) safe.apart(1);
        assertTrue(times >= 2 && times <= 12, hits + " hits: " + times);
      }
    }
  }
}
