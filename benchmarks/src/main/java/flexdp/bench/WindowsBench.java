package flexdp.bench;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.release.Interpreter;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Window functions over 100,000 released rows, from noisy rows to the rows of the result. Writes a
 * dated file into the folder given.
 */
public final class WindowsBench {
  private static final int ROWS = 100_000;
  private static final double MOST_MILLIS = 100;
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {epsilon: 1, delta: 1e-10, maxLabels: 200000}
      tables:
        t:
          columns:
            k: {type: integer, nullable: false, range: [1, 100000]}
            x: {type: "decimal(9,2)", range: [0, 500]}
      """;
  private static final Map<String, String> WINDOWS = new LinkedHashMap<>();

  static {
    WINDOWS.put("running total", "SUM(n) OVER (ORDER BY k)");
    WINDOWS.put("rank by a noisy number", "RANK() OVER (ORDER BY n DESC)");
    WINDOWS.put("row numbers in parts", "ROW_NUMBER() OVER (PARTITION BY k % 100 ORDER BY n)");
    WINDOWS.put("share of a total", "s / SUM(s) OVER ()");
    WINDOWS.put("change", "n - LAG(n) OVER (ORDER BY k)");
    WINDOWS.put("mean of seven", "AVG(s) OVER (ORDER BY k ROWS 6 PRECEDING)");
    WINDOWS.put("largest of a thousand", "MAX(s) OVER (ORDER BY k ROWS 999 PRECEDING)");
    WINDOWS.put("total within a range", "SUM(n) OVER (ORDER BY k RANGE 50 PRECEDING)");
  }

  private WindowsBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, Code.BAD_POLICY));
    Results results = new Results("windows", "Windows over " + ROWS + " released rows");
    results.say("Milliseconds of processor time.");
    results.say("");
    results.table("window", "time");
    Map<String, Timing.Work> works = new LinkedHashMap<>();
    WINDOWS.forEach((name, window) -> works.put(name, work(policy, window)));
    for (Map.Entry<String, Double> figure : Timing.medians(works).entrySet()) {
      double millis = figure.getValue() / 1000;
      results.row(figure.getKey(), Aim.atMost(MOST_MILLIS, millis), millis);
      results.figure(figure.getKey(), millis, millis, 1.1);
    }
    results.write(folder);
  }

  private static Timing.Work work(Policy policy, String window) {
    String released = "(SELECT k, COUNT(*) AS n, SUM(x) AS s FROM t GROUP BY k) q";
    DpQuery query =
        new Analyzer(policy, Metrics.NONE, LocalDateTime.of(2026, 1, 1, 0, 0))
            .plan("SELECT k, n, s, " + window + " FROM " + released, AnalysisOptions.DEFAULT)
            .query();
    NoisyAggregate point = query.releases().getFirst();
    RowTable noisy = noisy(point);
    return () ->
        new Interpreter(
                Map.of(point.id(), noisy),
                r -> {
                  throw new IllegalStateException("nothing public here");
                })
            .run(query.top());
  }

  private static RowTable noisy(NoisyAggregate point) {
    Random random = new Random(1);
    var columns = ExactHistogram.columns(point);
    List<List<Object>> rows = new ArrayList<>();
    for (int k = 1; k <= ROWS; k++) {
      List<Object> row = new ArrayList<>();
      row.add(BigDecimal.valueOf(k));
      for (var column : columns.subList(1, columns.size())) {
        row.add(BigDecimal.valueOf(random.nextInt(1_000_000), column.type().scale()));
      }
      rows.add(row);
    }
    return new RowTable(columns, rows);
  }
}
