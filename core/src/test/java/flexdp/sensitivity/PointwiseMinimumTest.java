package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Two bounds of one count, elastic and residual, on joins of three tables: their minimum at every
 * distance is a bound and smooth; taking the one that is smaller on the data is not.
 */
class PointwiseMinimumTest {
  private static final int VALUES = 3;
  private static final int TABLES = 3;
  private static final List<List<String>> JOINS =
      List.of(List.of("ab", "bc", "cd"), List.of("ab", "bc", "ca"), List.of("ab", "ac", "ad"));
  private static final int[][] ORDERS = {{1, 2}, {2, 1}, {0, 2}, {2, 0}, {0, 1}, {1, 0}};

  /** Rows of each table, two values each; by 3·a + b how often. */
  private record Data(int[][] rows) {
    Data plus(int table, int row, int by) {
      int[][] other = new int[TABLES][];
      for (int t = 0; t < TABLES; t++) {
        other[t] = rows[t].clone();
      }
      other[table][row] += by;
      return new Data(other);
    }
  }

  private static long count(List<String> join, List<Integer> tables, int at, Data data, int[] set) {
    if (at == tables.size()) {
      return 1;
    }
    int table = tables.get(at);
    int one = join.get(table).charAt(0) - 'a';
    int two = join.get(table).charAt(1) - 'a';
    long sum = 0;
    for (int row = 0; row < VALUES * VALUES; row++) {
      int times = data.rows()[table][row];
      int a = row / VALUES;
      int b = row % VALUES;
      boolean fits = (set[one] < 0 || set[one] == a) && (set[two] < 0 || set[two] == b);
      if (times > 0 && fits) {
        int[] more = set.clone();
        more[one] = a;
        more[two] = b;
        sum += times * count(join, tables, at + 1, data, more);
      }
    }
    return sum;
  }

  private static int[] unset() {
    return new int[] {-1, -1, -1, -1};
  }

  private static List<Integer> members(int bits) {
    List<Integer> tables = new ArrayList<>();
    for (int t = 0; t < TABLES; t++) {
      if ((bits & 1 << t) != 0) {
        tables.add(t);
      }
    }
    return tables;
  }

  /** The most results of some tables that share one value of what they share with the others. */
  private static long most(List<String> join, int bits, Data data) {
    String inside = "";
    String outside = "";
    for (int t = 0; t < TABLES; t++) {
      if ((bits & 1 << t) != 0) {
        inside += join.get(t);
      } else {
        outside += join.get(t);
      }
    }
    List<Integer> border = new ArrayList<>();
    for (int c = 0; c < 4; c++) {
      char name = (char) ('a' + c);
      if (inside.indexOf(name) >= 0 && outside.indexOf(name) >= 0) {
        border.add(c);
      }
    }
    long most = bits == 0 ? 1 : 0;
    for (int code = 0; bits != 0 && code < Math.pow(VALUES, border.size()); code++) {
      int[] set = unset();
      int rest = code;
      for (int c : border) {
        set[c] = rest % VALUES;
        rest /= VALUES;
      }
      most = Math.max(most, count(join, members(bits), 0, data, set));
    }
    return most;
  }

  private static long frequency(List<String> join, int table, String columns, Data data) {
    Map<List<Integer>, Long> groups = new HashMap<>();
    for (int row = 0; row < VALUES * VALUES; row++) {
      List<Integer> key = new ArrayList<>();
      for (char c : columns.toCharArray()) {
        key.add(join.get(table).charAt(0) == c ? row / VALUES : row % VALUES);
      }
      groups.merge(key, (long) data.rows()[table][row], Long::sum);
    }
    return groups.values().stream().mapToLong(n -> n).max().orElse(0);
  }

  /** Residual: what the others have, each of them with so many more rows. */
  private static long[] residual(List<String> join, Data data, int[] further) {
    long[] bounds = new long[TABLES];
    for (int i = 0; i < TABLES; i++) {
      int others = 7 & ~(1 << i);
      for (int more = 0; more < 8; more++) {
        if ((more & ~others) == 0) {
          long product = most(join, others & ~more, data);
          for (int j : members(more)) {
            product *= further[j];
          }
          bounds[i] += product;
        }
      }
    }
    return bounds;
  }

  /** Elastic: the others joined on one after the other, by what they share. */
  private static long[] elastic(List<String> join, Data data, int[] further) {
    long[] bounds = new long[TABLES];
    for (int i = 0; i < TABLES; i++) {
      bounds[i] = Long.MAX_VALUE;
      for (int o = 0; o < 2; o++) {
        String have = join.get(i);
        long product = 1;
        for (int j : ORDERS[2 * i + o]) {
          String shared = "";
          for (char c : join.get(j).toCharArray()) {
            shared += have.indexOf(c) >= 0 ? c : "";
          }
          product *= frequency(join, j, shared, data) + further[j];
          have += join.get(j);
        }
        bounds[i] = Math.min(bounds[i], product);
      }
    }
    return bounds;
  }

  private static long[] least(List<String> join, Data data, int[] further) {
    long[] one = residual(join, data, further);
    long[] two = elastic(join, data, further);
    for (int i = 0; i < TABLES; i++) {
      one[i] = Math.min(one[i], two[i]);
    }
    return one;
  }

  private static long largest(long[] bounds) {
    return Math.max(bounds[0], Math.max(bounds[1], bounds[2]));
  }

  /** Wrong: the estimator that is smaller here, at every distance. */
  private static long picked(List<String> join, Data data, int[] further) {
    int[] here = new int[TABLES];
    boolean isResidual = largest(residual(join, data, here)) < largest(elastic(join, data, here));
    return largest(isResidual ? residual(join, data, further) : elastic(join, data, further));
  }

  private static Data draw(SplittableRandom random) {
    Data data = new Data(new int[TABLES][VALUES * VALUES]);
    for (int t = 0; t < TABLES; t++) {
      for (int n = random.nextInt(5); n > 0; n--) {
        data.rows()[t][random.nextInt(VALUES * VALUES)]++;
      }
    }
    return data;
  }

  @Test
  void theMinimumIsABoundAndSmoothAndTheSmallerEstimatorIsNot() {
    SplittableRandom random = new SplittableRandom(1);
    int caught = 0;
    for (int i = 0; i < 1_200; i++) {
      List<String> join = JOINS.get(i % 3);
      Data x = draw(random);
      int table = random.nextInt(TABLES);
      int row = random.nextInt(VALUES * VALUES);
      Data y = x.plus(table, row, x.rows()[table][row] > 0 && random.nextBoolean() ? -1 : 1);
      int[] step = new int[TABLES];
      step[table] = 1;
      long[] bounds = least(join, x, step);
      long base = count(join, List.of(0, 1, 2), 0, y, unset());
      for (int t = 0; t < TABLES; t++) {
        for (int r = 0; r < VALUES * VALUES; r++) {
          long more = count(join, List.of(0, 1, 2), 0, y.plus(t, r, 1), unset()) - base;
          assertTrue(more <= bounds[t], join + " moves by " + more);
        }
      }
      for (int[] at : new int[][] {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 1, 1}}) {
        int[] further = at.clone();
        further[table]++;
        long[] near = least(join, x, at);
        long[] far = least(join, y, further);
        for (int t = 0; t < TABLES; t++) {
          assertTrue(near[t] <= far[t], join + " is not smooth");
        }
        caught += picked(join, x, at) > picked(join, y, further) ? 1 : 0;
      }
    }
    assertTrue(caught > 0, "picking one by the data was not caught");
  }
}
