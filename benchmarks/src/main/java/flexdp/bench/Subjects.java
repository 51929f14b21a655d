package flexdp.bench;

import flexdp.AnalysisOptions;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The questions whose speed is followed. */
final class Subjects {
  static final String CHAIN = "95-join chain";

  private static final AnalysisOptions OPTIONS =
      new AnalysisOptions(
          AnalysisOptions.DEFAULT.rules(),
          AnalysisOptions.DEFAULT.mechanism(),
          Optional.of(new BigDecimal("0.1")),
          Optional.of(new BigDecimal("1e-8")),
          List.of(0L),
          Optional.empty());

  private Subjects() {}

  static List<Subject> all() {
    Policy tpch = PolicyReader.read(YamlText.tree(resource("tpch.yaml"), Code.BAD_POLICY));
    Metrics sizes =
        MetricsReader.read(JsonText.tree(resource("tpch.metrics.json"), Code.BAD_METRICS), tpch);
    Policy graph = PolicyReader.read(YamlText.tree(resource("graph.yaml"), Code.BAD_POLICY));
    Metrics degrees =
        MetricsReader.read(JsonText.tree(resource("graph.metrics.json"), Code.BAD_METRICS), graph);
    List<Subject> all = new ArrayList<>();
    all.add(new Subject("simple count", "SELECT COUNT(*) FROM orders", tpch, sizes, OPTIONS));
    all.add(
        new Subject(
            "3-way join",
            "SELECT COUNT(*) FROM customer c JOIN orders o ON c.c_custkey = o.o_custkey"
                + " JOIN lineitem l ON o.o_orderkey = l.l_orderkey WHERE l.l_quantity > 10",
            tpch,
            sizes,
            OPTIONS));
    all.add(
        new Subject(
            "triangle",
            "SELECT COUNT(*) FROM edges e1 JOIN edges e2 ON e1.dest = e2.source"
                + " JOIN edges e3 ON e2.dest = e3.source AND e3.dest = e1.source",
            graph,
            degrees,
            OPTIONS));
    for (String query : List.of("q1", "q4", "q13", "q16", "q21")) {
      AnalysisOptions options = query.equals("q13") ? withCounts() : OPTIONS;
      all.add(
          new Subject(
              "TPC-H " + query.toUpperCase(java.util.Locale.ROOT),
              resource(query + ".sql"),
              tpch,
              sizes,
              options));
    }
    all.add(new Subject(CHAIN, chain(95), graph, degrees, OPTIONS));
    return all;
  }

  /** Q13 groups by a count, whose labels the analyst supplies. */
  private static AnalysisOptions withCounts() {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i <= 50; i++) {
      rows.add(List.of(BigDecimal.valueOf(i)));
    }
    return new AnalysisOptions(
        OPTIONS.rules(),
        OPTIONS.mechanism(),
        OPTIONS.epsilon(),
        OPTIONS.delta(),
        OPTIONS.distances(),
        Optional.of(new Bins(List.of("c_count"), rows)));
  }

  private static String chain(int joins) {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*) FROM edges e0");
    for (int i = 1; i <= joins; i++) {
      sql.append(" JOIN edges e" + i + " ON e" + (i - 1) + ".dest = e" + i + ".source");
    }
    return sql.toString();
  }

  private static String resource(String name) {
    try (InputStream in = Subjects.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
