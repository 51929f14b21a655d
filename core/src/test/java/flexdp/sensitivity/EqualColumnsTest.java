package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import flexdp.algebra.Equality;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EqualColumnsTest {
  /** Every pair is followed until nothing is added. */
  private static Set<Integer> slowly(List<Equality> pairs, Set<Integer> columns) {
    Set<Integer> all = new TreeSet<>(columns);
    boolean grows = true;
    while (grows) {
      grows = false;
      for (Equality pair : pairs) {
        if (all.contains(pair.left()) || all.contains(pair.right())) {
          grows |= all.add(pair.left()) | all.add(pair.right());
        }
      }
    }
    return all;
  }

  @Test
  void allThatAreEqualToOneOfThemAreFound() {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      List<Equality> pairs = new ArrayList<>();
      for (int j = random.nextInt(8); j > 0; j--) {
        pairs.add(new Equality(random.nextInt(10), random.nextInt(10), random.nextBoolean()));
      }
      Set<Integer> columns = new TreeSet<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        columns.add(random.nextInt(12));
      }
      assertEquals(slowly(pairs, columns), new EqualColumns(pairs).withEqual(columns));
    }
  }

  /** A star of joins asks this of ever more columns of one class; it must not cost their square. */
  @Test
  void aLargeClassIsGatheredOnce() {
    int count = 100_000;
    List<Equality> pairs = new ArrayList<>();
    Set<Integer> columns = new TreeSet<>(Set.of(0));
    for (int i = 1; i < count; i++) {
      pairs.add(new Equality(0, i, false));
      columns.add(i);
    }
    EqualColumns equal = new EqualColumns(pairs);
    assertTimeoutPreemptively(
        Duration.ofMinutes(5), () -> assertEquals(count, equal.withEqual(columns).size()));
  }
}
