package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;

/**
 * Says whether answers tell more of one row than their noise covers. In the usual state one row of
 * u changes every number by at most one; in the states that a mover makes, by a thousand.
 */
final class MoverJudge {
  /** Nearer to the exact number than noise that covers a thousand would leave it. */
  private static final long NEAR = 100;

  private static final String SECRET = "alice";

  private final List<String> told = new ArrayList<>();
  private int near;
  private int far;
  private int answered;

  /**
   * An answer of a state in which one row changes little.
   *
   * @param most far above every number of that state, and far below those of the others
   */
  synchronized void bounded(long number, long most, String where) {
    answered++;
    if (Math.abs(number) > most) {
      told.add(where + " told " + number + ", and one row changes as much");
    }
  }

  /** Something else that must not be. */
  synchronized void tell(String what) {
    told.add(what);
  }

  /**
   * An answer whose noise follows what was measured: where one row changes a thousand, few are near
   * the exact number.
   *
   * @param exact of the state in which one row changes a thousand
   */
  synchronized void measured(long number, long exact) {
    answered++;
    if (Math.abs(number - exact) <= NEAR) {
      near++;
    } else if (Math.abs(number) > 2 * NEAR) {
      far++;
    }
  }

  synchronized void shown(List<List<Object>> rows, String where) {
    answered++;
    if (rows.toString().contains(SECRET)) {
      told.add(where + " showed a protected name: " + rows);
    }
  }

  /** Whether somebody told too much already. */
  synchronized boolean isDone() {
    return !told.isEmpty();
  }

  synchronized int answered() {
    return answered;
  }

  /**
   * With noise of scale s ≥ 2000 a number falls within 100 of the exact one with chance 1 −
   * e^(−1/20), below 5 %, whatever the others do: that a quarter of n do, and 8 more, has a chance
   * below 10⁻⁹ for every n.
   */
  synchronized void judge(String story) {
    if (!told.isEmpty()) {
      throw new AssertionError(told.size() + " answers: " + told.getFirst() + "\n" + story);
    }
    if (near > 8 + (near + far) / 4) {
      throw new AssertionError(
          near + " of " + (near + far) + " answers are next to the exact number\n" + story);
    }
  }

  @Override
  public synchronized String toString() {
    return answered + " answered, " + near + " near, " + far + " far";
  }

  static void theJudgeIsAwake() {
    MoverJudge one = new MoverJudge();
    one.bounded(20, 500, "a");
    one.judge("");
    one.bounded(1019, 500, "a");
    assertThrows(AssertionError.class, () -> one.judge(""));
    MoverJudge two = new MoverJudge();
    for (int i = 0; i < 20; i++) {
      two.measured(1020 + i, 1020);
    }
    assertThrows(AssertionError.class, () -> two.judge(""));
    MoverJudge three = new MoverJudge();
    three.shown(List.of(List.of("Rome"), List.of("alice")), "a");
    assertThrows(AssertionError.class, () -> three.judge(""));
  }
}
