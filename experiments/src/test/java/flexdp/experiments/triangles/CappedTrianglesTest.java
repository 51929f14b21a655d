package flexdp.experiments.triangles;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/**
 * Caps on both ends of the paper's graph lose triangles, which the declared key of edges does not:
 * a cap is the owner's choice and never made by itself.
 */
class CappedTrianglesTest {
  /** One order for both directions of an edge. */
  private static long order(Graph.Edge edge) {
    long low = Math.min(edge.source(), edge.dest());
    long high = Math.max(edge.source(), edge.dest());
    return Math.floorMod(low * 2_654_435_761L + high * 40_503, 4_294_967_291L);
  }

  private static Map<Graph.Edge, Integer> ranks(
      List<Graph.Edge> edges, ToIntFunction<Graph.Edge> end) {
    Map<Integer, Integer> seen = new HashMap<>();
    Map<Graph.Edge, Integer> ranks = new HashMap<>();
    edges.forEach(e -> ranks.put(e, seen.merge(end.applyAsInt(e), 1, Integer::sum)));
    return ranks;
  }

  /** What is left with both ranks taken on the whole table. */
  private static Graph capped(Graph graph, int most) {
    List<Graph.Edge> edges = new ArrayList<>(graph.edges());
    edges.sort(Comparator.comparingLong(CappedTrianglesTest::order));
    Map<Graph.Edge, Integer> bySource = ranks(edges, Graph.Edge::source);
    Map<Graph.Edge, Integer> byDest = ranks(edges, Graph.Edge::dest);
    return new Graph(
        edges.stream().filter(e -> bySource.get(e) <= most && byDest.get(e) <= most).toList());
  }

  @Test
  void fortyOnEachEndLoseAThirtiethOfAllTriangles() throws Exception {
    Graph graph = Graph.caHepTh();
    double all = graph.triangles();
    assertEquals(0, capped(graph, 65).triangles() / all - 1, 1e-9, "nobody has more");
    assertEquals(-0.007, capped(graph, 50).triangles() / all - 1, 5e-4);
    assertEquals(-0.033, capped(graph, 40).triangles() / all - 1, 5e-4);
    assertEquals(-0.402, capped(graph, 20).triangles() / all - 1, 5e-4);
    assertEquals(0.9912, capped(graph, 40).edges().size() / 51_971.0, 5e-5, "rows that stay");
  }
}
