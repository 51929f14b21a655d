package flexdp.bench;

import flexdp.Analyzer;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * How the first analysis grows with the number of joins, in six shapes, beside Calcite's parse,
 * validate and toRel of the same text in the same run.
 */
public final class GrowthBench {
  private static final List<Integer> JOINS = List.of(5, 35, 65, 95);

  private static final Map<String, IntFunction<String>> SHAPES = new LinkedHashMap<>();

  static {
    SHAPES.put(
        "chain",
        n -> joined(n, i -> " JOIN edges e" + i + " ON e" + (i - 1) + ".dest = e" + i + ".source"));
    SHAPES.put(
        "star", n -> joined(n, i -> " JOIN edges e" + i + " ON e0.dest = e" + i + ".source"));
    SHAPES.put(
        "chain of left joins",
        n ->
            joined(
                n,
                i -> " LEFT JOIN edges e" + i + " ON e" + (i - 1) + ".dest = e" + i + ".source"));
    SHAPES.put(
        "chain with conditions",
        n ->
            joined(n, i -> " JOIN edges e" + i + " ON e" + (i - 1) + ".dest = e" + i + ".source")
                + " WHERE e0.source > 5 AND e"
                + n
                + ".dest < 100");
    SHAPES.put(
        "cycle",
        n ->
            joined(n, i -> " JOIN edges e" + i + " ON e" + (i - 1) + ".dest = e" + i + ".source")
                + " WHERE e"
                + n
                + ".dest = e0.source");
    SHAPES.put("EXISTS", GrowthBench::exists);
  }

  private GrowthBench() {}

  private static String joined(int joins, IntFunction<String> join) {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*) FROM edges e0");
    for (int i = 1; i <= joins; i++) {
      sql.append(join.apply(i));
    }
    return sql.toString();
  }

  private static String exists(int count) {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*) FROM edges e0 WHERE TRUE");
    for (int i = 1; i <= count; i++) {
      sql.append(" AND EXISTS (SELECT 1 FROM edges e" + i + " WHERE e" + i + ".source = e0.dest)");
    }
    return sql.toString();
  }

  public static void main(String[] args) throws Exception {
    Results results = new Results("growth", "Growth of the analysis with the joins");
    results.say(
        "Java "
            + System.getProperty("java.version")
            + ". Microseconds of processor time, medians of alternating runs; Calcite is parse,"
            + " validate and toRel.");
    results.say("");
    results.table("shape, joins", "Calcite", "FlexDP", "ratio");
    Subject graph =
        Subjects.all().stream()
            .filter(s -> s.name().equals(Subjects.CHAIN))
            .findFirst()
            .orElseThrow();
    CalciteReference calcite = new CalciteReference(graph.policy());
    LocalDateTime now = LocalDateTime.now();
    for (Map.Entry<String, IntFunction<String>> shape : SHAPES.entrySet()) {
      for (int joins : JOINS) {
        String sql = shape.getValue().apply(joins);
        Map<String, Timing.Work> works = new LinkedHashMap<>();
        works.put("calcite", () -> calcite.toRel(sql));
        works.put(
            "flexdp",
            () -> new Analyzer(graph.policy(), graph.metrics(), now).analyze(sql, graph.options()));
        Map<String, Double> medians = Timing.medians(works);
        double ratio = medians.get("flexdp") / medians.get("calcite");
        String name = shape.getKey() + ", " + joins;
        results.row(
            name,
            Aim.atMost(1.5, ratio),
            Math.round(medians.get("calcite")),
            Math.round(medians.get("flexdp")),
            ratio);
        results.figure(name, medians.get("flexdp"), medians.get("flexdp"), 1.1);
      }
    }
    results.end();
    results.write(Path.of(args.length > 0 ? args[0] : "benchmarks/results"));
  }
}
