package flexdp.people.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Why rows with two owners are never truncated: in all four ways of keeping g rows per person, one
 * newcomer takes rows of many others away (guarantee §10).
 */
class TwoOwnersTest {
  private record Edge(String from, String to, int order) {}

  private interface Truncation {
    Set<Edge> of(List<Edge> edges, int g);
  }

  private static List<Edge> ordered(List<Edge> edges) {
    return edges.stream().sorted(Comparator.comparingInt(Edge::order)).toList();
  }

  private static Set<Edge> rankOnBothSides(List<Edge> edges, int g) {
    Map<String, Integer> ranks = new HashMap<>();
    Set<Edge> kept = new HashSet<>();
    for (Edge e : ordered(edges)) {
      int from = ranks.merge(e.from(), 1, Integer::sum);
      int to = ranks.merge(e.to(), 1, Integer::sum);
      if (from <= g && to <= g) {
        kept.add(e);
      }
    }
    return kept;
  }

  private static Set<Edge> bySourceThenByTarget(List<Edge> edges, int g) {
    Map<String, Integer> sources = new HashMap<>();
    Map<String, Integer> targets = new HashMap<>();
    Set<Edge> kept = new HashSet<>();
    for (Edge e : ordered(edges)) {
      if (sources.merge(e.from(), 1, Integer::sum) <= g
          && targets.merge(e.to(), 1, Integer::sum) <= g) {
        kept.add(e);
      }
    }
    return kept;
  }

  private static Set<Edge> dropHeavy(List<Edge> edges, int g) {
    Map<String, Integer> degrees = new HashMap<>();
    edges.forEach(
        e -> {
          degrees.merge(e.from(), 1, Integer::sum);
          degrees.merge(e.to(), 1, Integer::sum);
        });
    Set<Edge> kept = new HashSet<>(edges);
    kept.removeIf(e -> degrees.get(e.from()) > g || degrees.get(e.to()) > g);
    return kept;
  }

  private static Set<Edge> greedy(List<Edge> edges, int g) {
    Map<String, Integer> used = new HashMap<>();
    Set<Edge> kept = new HashSet<>();
    for (Edge e : ordered(edges)) {
      if (used.getOrDefault(e.from(), 0) < g && used.getOrDefault(e.to(), 0) < g) {
        kept.add(e);
        used.merge(e.from(), 1, Integer::sum);
        used.merge(e.to(), 1, Integer::sum);
      }
    }
    return kept;
  }

  /** Rows of others that are lost and gained when the newcomer's rows come. */
  private static int[] moved(Truncation way, List<Edge> base, List<Edge> hers, int g) {
    List<Edge> all = new ArrayList<>(base);
    all.addAll(hers);
    Set<Edge> before = way.of(base, g);
    Set<Edge> after = way.of(all, g);
    Set<Edge> lost = new HashSet<>(before);
    lost.removeAll(after);
    Set<Edge> gained = new HashSet<>(after);
    gained.removeAll(before);
    hers.forEach(gained::remove);
    return new int[] {lost.size(), gained.size(), after.size() - before.size()};
  }

  private static List<Edge> others(int degree) {
    List<Edge> edges = new ArrayList<>();
    for (int i = 0; i < degree; i++) {
      edges.add(new Edge("v" + i, "w" + i + "a", 1 + i));
      edges.add(new Edge("v" + i, "w" + i + "b", 1 + i));
    }
    return edges;
  }

  private static List<Edge> star(int degree, boolean outward) {
    List<Edge> edges = new ArrayList<>();
    for (int i = 0; i < degree; i++) {
      edges.add(outward ? new Edge("hub", "v" + i, 0) : new Edge("v" + i, "hub", 0));
    }
    return edges;
  }

  @Test
  void aNewcomerWithFiveHundredRowsTakesManyAway() {
    assertEquals(500, moved(TwoOwnersTest::rankOnBothSides, others(500), star(500, true), 2)[0]);
    assertEquals(
        500, moved(TwoOwnersTest::bySourceThenByTarget, others(500), star(500, false), 2)[0]);
    assertEquals(1000, moved(TwoOwnersTest::dropHeavy, others(500), star(500, true), 2)[0]);
    assertEquals(2, moved(TwoOwnersTest::greedy, others(500), star(500, true), 2)[0]);
  }

  @Test
  void oneNewEdgeTurnsAWholePathOver() {
    List<Edge> path = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      path.add(new Edge("p" + i, "p" + (i + 1), i + 1));
    }
    int[] moved = moved(TwoOwnersTest::greedy, path, List.of(new Edge("new", "p0", 0)), 1);
    assertEquals(500, moved[0]);
    assertEquals(500, moved[1]);
    assertTrue(Math.abs(moved[2]) <= 1);
  }
}
