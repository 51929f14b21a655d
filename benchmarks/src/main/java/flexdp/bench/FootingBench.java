package flexdp.bench;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * What it takes to look at what an answer rests on, beside what a question takes anyway: a state of
 * its own that is begun and ended. With it the tables are looked at before the charge, held and
 * looked at before the reading, and again after it. In turns, by the clock. Writes a dated file
 * into the folder given.
 */
public final class FootingBench {
  private static final int WARM_UP = 2_000;
  private static final int ROUNDS = 2_000;
  private static final String SQL = "SELECT COUNT(*) FROM t JOIN u ON t.uid = u.id";
  private static final String POLICY =
      """
      privacy:
        epsilon: 1
      tables:
        t:
          columns: {id: {type: integer, nullable: false, unique: true}, uid: {type: integer, nullable: false}}
        u:
          columns: {id: {type: integer, nullable: false, unique: true}}
      """;

  private final Results results = new Results("footing", "Looking at what an answer rests on");

  private FootingBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory("footing");
    FootingBench bench = new FootingBench();
    bench.results.say(
        "Milliseconds by the clock, medians of "
            + ROUNDS
            + " in turns; a join of two tables of 1,000 rows. The question's own time has its"
            + " charge on disk.");
    bench.results.say("");
    bench.results.table(
        "database", "question", "a state alone", "with the footing", "more", "ratio");
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder().setDataDirectory(work.resolve("data")).start()) {
      bench.measure(
          "PostgreSQL", server.getJdbcUrl("postgres", "postgres"), work.resolve("postgresql"), 1);
    }
    Path duck = Files.createDirectories(work.resolve("duckdb"));
    bench.measure("DuckDB", "jdbc:duckdb:" + duck.resolve("d.db"), duck, 0.3);
    bench.results.write(folder);
    try (var files = Files.walk(work)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void measure(String name, String url, Path folder, double aim) throws Exception {
    Files.createDirectories(folder);
    fill(url, name.equals("DuckDB") ? "range(1, 1001)" : "generate_series(1, 1000)");
    AskedPolicy asked = AskedPolicy.write(POLICY, folder.resolve("p.yaml"));
    asked.collect(url, "t.uid");
    Policy policy = PolicyReader.read(TextFiles.tree(asked.file(), Code.BAD_POLICY));
    double question = question(url, asked);
    try (JdbcDatabase database =
        JdbcDatabase.open(url, policy, Duration.ofMinutes(1), (what, cause) -> {})) {
      LiveMetrics live =
          LiveMetrics.of(
              policy,
              MetricsFile.read(new PolicyFiles(asked.file()).metrics(), policy),
              database.vendor(),
              database.catalog(),
              database.version());
      live.follow(database.vendor(), database.identities(), moved -> {});
      Plan plan =
          new Analyzer(policy, live.metrics(), LocalDateTime.MIN)
              .plan(SQL, AnalysisOptions.DEFAULT);
      List<Double> alone = new ArrayList<>();
      List<Double> whole = new ArrayList<>();
      for (int i = -WARM_UP; i < ROUNDS; i++) {
        long start = System.nanoTime();
        try (Session session = database.session()) {
          session.heed(new CancellationToken());
        }
        long middle = System.nanoTime();
        try (SnapshotGuard guard = live.footing(database, new CancellationToken()).needs(plan)) {
          guard.require();
          guard.steady(
              () -> {
                guard.begin();
                return plan;
              });
        }
        if (i >= 0) {
          alone.add((middle - start) / 1e6);
          whole.add((System.nanoTime() - middle) / 1e6);
        }
      }
      double more = median(whole) - median(alone);
      results.row(
          name,
          Aim.atMost(aim, more),
          question,
          median(alone),
          median(whole),
          more,
          (question + 0.0) / Math.max(1e-9, question - more));
      results.figure(name, more, more, 1.2);
    }
  }

  private static double question(String url, AskedPolicy asked) {
    List<Double> times = new ArrayList<>();
    try (FlexDp flexdp = Setup.of(asked.file()).database(url).open()) {
      for (int i = -300; i < 300; i++) {
        long start = System.nanoTime();
        flexdp.ask(QueryRequest.of(SQL + " WHERE t.id < " + (2_000 + i), "bench"));
        if (i >= 0) {
          times.add((System.nanoTime() - start) / 1e6);
        }
      }
    }
    return median(times);
  }

  private static void fill(String url, String series) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, uid INTEGER NOT NULL)");
      statement.execute("CREATE TABLE u (id INTEGER PRIMARY KEY)");
      statement.execute("INSERT INTO t SELECT i, 1 + i % 1000 FROM " + series + " AS r(i)");
      statement.execute("INSERT INTO u SELECT i FROM " + series + " AS r(i)");
    }
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }
}
