package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Why caps are enforced as they are: ranks on the whole table keep within 1 + c rows for c caps,
 * and the ways that suggest themselves do not. Rows are numbers by id with one key per cap; the
 * order is that of ids.
 */
class CapProjectionTest {
  private record Row(int id, int a, int b) {}

  private static List<Row> ranked(List<Row> rows, int most, boolean second) {
    Map<Integer, Integer> seen = new HashMap<>();
    List<Row> kept = new ArrayList<>();
    for (Row row : rows) {
      if (seen.merge(second ? row.b() : row.a(), 1, Integer::sum) <= most) {
        kept.add(row);
      }
    }
    return kept;
  }

  /** The rule: among the first of its group for every cap, ranks on the whole table. */
  private static List<Row> whole(List<Row> rows, int most, boolean both) {
    List<Row> kept = new ArrayList<>(ranked(rows, most, false));
    if (both) {
      kept.retainAll(ranked(rows, most, true));
    }
    return kept;
  }

  private static int moved(List<Row> rows, int without, UnaryOperator<List<Row>> projection) {
    List<Row> fewer = new ArrayList<>(rows);
    fewer.remove(without);
    Set<Row> one = new HashSet<>(projection.apply(rows));
    Set<Row> two = new HashSet<>(projection.apply(fewer));
    Set<Row> all = new HashSet<>(one);
    all.addAll(two);
    one.retainAll(two);
    return all.size() - one.size();
  }

  private static int worst(UnaryOperator<List<Row>> projection, long seed) {
    Random random = new Random(seed);
    int worst = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      List<Row> rows = new ArrayList<>();
      int size = 2 + random.nextInt(7);
      for (int id = 0; id < size; id++) {
        rows.add(new Row(id, random.nextInt(3), random.nextInt(3)));
      }
      worst = Math.max(worst, moved(rows, random.nextInt(size), projection));
    }
    return worst;
  }

  @Test
  void oneCapMovesTwoRowsAtMostAndTwoCapsThree() {
    assertEquals(2, worst(rows -> whole(rows, 2, false), 1));
    assertEquals(3, worst(rows -> whole(rows, 2, true), 2));
  }

  @Test
  void oneCapAfterTheOtherMovesMore() {
    assertTrue(worst(rows -> ranked(ranked(rows, 1, false), 1, true), 3) > 3);
  }

  /** A path: each row shares one key with the row before and the other with the row after. */
  @Test
  void takingRowsWhileThereIsRoomMovesAllOfAPath() {
    List<Row> path = new ArrayList<>();
    for (int id = 0; id < 61; id++) {
      path.add(new Row(id, (id + 1) / 2, 1000 + id / 2));
    }
    int moved =
        moved(
            path,
            0,
            rows -> {
              Set<Integer> taken = new HashSet<>();
              List<Row> kept = new ArrayList<>();
              for (Row row : rows) {
                if (!taken.contains(row.a()) && !taken.contains(row.b())) {
                  taken.add(row.a());
                  taken.add(row.b());
                  kept.add(row);
                }
              }
              return kept;
            });
    assertEquals(61, moved);
  }

  @Test
  void leavingOutWholeGroupsMovesAsManyAsTheCap() {
    List<Row> rows = new ArrayList<>();
    for (int id = 0; id < 51; id++) {
      rows.add(new Row(id, 7, id));
    }
    assertEquals(
        50, moved(rows, 3, all -> all.size() > 50 ? List.of() : all), "fifty stay, or none");
  }
}
