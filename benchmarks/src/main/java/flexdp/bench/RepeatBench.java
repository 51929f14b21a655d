package flexdp.bench;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What a free answer takes, from text to rows: the same text again, other words for it, and numbers
 * that follow from released cells; beside it what parsing and analysis alone take. Writes a dated
 * file into the folder given.
 */
public final class RepeatBench {
  /** Until then each thousand is still faster than the one before; it takes half a minute. */
  private static final int WARM_UP = 40_000;

  private static final int ROUNDS = 500;

  private final Results results = new Results("repeats", "Free answers");
  private final Policy policy;
  private final Metrics metrics;
  private final FlexDp flexdp;

  private RepeatBench(Policy policy, Metrics metrics, FlexDp flexdp) {
    this.policy = policy;
    this.metrics = metrics;
    this.flexdp = flexdp;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "repeats");
    String yaml;
    try (var in = RideSharing.class.getResourceAsStream("rides.yaml")) {
      yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String url = "jdbc:duckdb:" + work.resolve("rides.duckdb");
    try (Connection connection = DriverManager.getConnection(url)) {
      new RideSharing(20_000, 1).fill(connection);
    }
    AskedPolicy asked = AskedPolicy.write(yaml, work.resolve("rides.yaml"));
    asked.collect(url, "");
    Metrics metrics =
        MetricsFile.read(new PolicyFiles(asked.file()).metrics(), asked.policy()).metrics();
    try (FlexDp flexdp = Setup.of(asked.file()).database(url).open()) {
      new RepeatBench(asked.policy(), metrics, flexdp).run().write(folder);
    } finally {
      try (var files = Files.list(work)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(work);
    }
  }

  private Results run() {
    results.say("Milliseconds by the clock from text to rows, medians of " + ROUNDS + ".");
    results.say("");
    results.table("what", "in all", "parsing and analysis", "the rest");
    ask("SELECT status, COUNT(*) AS trips FROM trips GROUP BY status");
    for (int i = 0; i < 40; i++) {
      ask("SELECT COUNT(*) FROM trips WHERE fare > " + i);
    }
    row("the same text", i -> "SELECT status, COUNT(*) AS trips FROM trips GROUP BY status");
    row("other words", i -> "SELECT status, COUNT(*) AS n" + i + " FROM trips GROUP BY status");
    row("one bin", i -> "SELECT COUNT(*) AS n" + i + " FROM trips WHERE status = 'completed'");
    row(
        "a sum of bins",
        i -> "SELECT COUNT(*) AS n" + i + " FROM trips WHERE status IN ('completed', 'cancelled')");
    return results;
  }

  private AnalystView ask(String sql) {
    return flexdp.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), false));
  }

  private void row(String what, IntFunction<String> text) {
    double[] all = new double[ROUNDS];
    double[] parsing = new double[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      String sql = text.apply(i + WARM_UP);
      long start = System.nanoTime();
      new Analyzer(policy, metrics, LocalDateTime.of(2017, 1, 1, 0, 0))
          .plan(sql, AnalysisOptions.DEFAULT);
      long middle = System.nanoTime();
      if (!ask(sql).repeat()) {
        throw new IllegalStateException("paid for: " + sql);
      }
      if (i >= 0) {
        parsing[i] = (middle - start) / 1e6;
        all[i] = (System.nanoTime() - middle) / 1e6;
      }
    }
    double whole = median(all);
    double parsed = median(parsing);
    double rest = Math.max(0, whole - parsed);
    results.row(what, Aim.atMost(1, rest), whole, parsed, rest);
    results.figure(what, whole, whole, 1.1);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
