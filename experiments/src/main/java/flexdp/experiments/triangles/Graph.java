package flexdp.experiments.triangles;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** A directed graph as a table of edges, and what is true of it. */
public record Graph(List<Edge> edges) {
  /** One row. */
  public record Edge(int source, int dest) {}

  public Graph {
    edges = List.copyOf(edges);
  }

  /** Reads CSV with the columns source and dest. */
  static Graph read(BufferedReader lines) throws IOException {
    List<Edge> edges = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int comma = line.indexOf(',');
      if (comma > 0 && Character.isDigit(line.charAt(0))) {
        edges.add(
            new Edge(
                Integer.parseInt(line.substring(0, comma).strip()),
                Integer.parseInt(line.substring(comma + 1).strip())));
      }
    }
    return new Graph(edges);
  }

  /** The paper's graph, which comes with the program. */
  public static Graph caHepTh() throws IOException {
    try (InputStream packed = Graph.class.getResourceAsStream("ca-HepTh.csv.gz");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.US_ASCII))) {
      return read(lines);
    }
  }

  /** How often the most frequent source occurs. */
  int sourceFrequency() {
    return highest(edges.stream().map(Edge::source).toList());
  }

  int destFrequency() {
    return highest(edges.stream().map(Edge::dest).toList());
  }

  private static int highest(List<Integer> values) {
    Map<Integer, Integer> counts = new HashMap<>();
    values.forEach(v -> counts.merge(v, 1, Integer::sum));
    return counts.values().stream().mapToInt(n -> n).max().orElse(0);
  }

  /** What the query counts: closed walks of three edges with growing first ends. */
  long triangles() {
    Map<Integer, List<Integer>> next = next();
    Map<Edge, Integer> copies = copies();
    long count = 0;
    for (Edge first : edges) {
      for (int third : next.getOrDefault(first.dest(), List.of())) {
        if (first.source() < first.dest() && first.dest() < third) {
          count += copies.getOrDefault(new Edge(third, first.source()), 0);
        }
      }
    }
    return count;
  }

  /** Walks without the two comparisons: what the joins alone let through. */
  long closedWalks() {
    Map<Integer, List<Integer>> next = next();
    Map<Edge, Integer> copies = copies();
    long count = 0;
    for (Edge first : edges) {
      for (int third : next.getOrDefault(first.dest(), List.of())) {
        count += copies.getOrDefault(new Edge(third, first.source()), 0);
      }
    }
    return count;
  }

  private Map<Integer, List<Integer>> next() {
    Map<Integer, List<Integer>> next = new HashMap<>();
    edges.forEach(e -> next.computeIfAbsent(e.source(), s -> new ArrayList<>()).add(e.dest()));
    return next;
  }

  private Map<Edge, Integer> copies() {
    Map<Edge, Integer> copies = new HashMap<>();
    edges.forEach(e -> copies.merge(e, 1, Integer::sum));
    return copies;
  }
}
