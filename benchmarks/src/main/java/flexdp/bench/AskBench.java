package flexdp.bench;

import flexdp.ConfigurationError.Code;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.gateway.Ask;
import flexdp.gateway.Gateway;
import flexdp.gateway.catalog.Databases;
import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.live.LiveMetrics;
import flexdp.gateway.text.TextFiles;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What privacy costs in time: `ask`, from text to noisy answer with its charge on disk, against the
 * same text sent to the same database, in turns, in one run. Every answer is paid for anew. Takes
 * the folder for results and the scale of TPC-H; from scale 1 on PostgreSQL takes part.
 */
public final class AskBench {
  private static final Path POLICY = Path.of("core/src/test/resources/tpch/tpch.policy.yaml");
  private static final int WARM_UP = 5;
  private static final long WARM_NANOS = 40_000_000_000L;
  private static final int ROUNDS = 51;
  private static final int FEW_ROUNDS = 9;

  /** A question; those with a sum or a mean may take 1.6 times as long, a count 1.05 or 3 ms. */
  private record Timed(String name, boolean counts, String sql) {
    String aim(double plain, double asked) {
      boolean met = counts ? asked <= Math.max(1.05 * plain, plain + 3) : asked <= 1.6 * plain;
      return (counts ? "1.05 × or + 3 ms" : "1.6 ×") + (met ? "" : " **missed**");
    }
  }

  private static final List<String> KEYS =
      List.of(
          "nation.n_regionkey",
          "supplier.s_suppkey",
          "supplier.s_nationkey",
          "customer.c_custkey",
          "customer.c_nationkey",
          "part.p_partkey",
          "partsupp.ps_partkey",
          "partsupp.ps_suppkey",
          "orders.o_orderkey",
          "orders.o_custkey",
          "lineitem.l_orderkey",
          "lineitem.l_partkey",
          "lineitem.l_suppkey");
  private static final String Q1 =
      "SELECT l_returnflag, l_linestatus, SUM(l_quantity), SUM(l_extendedprice),"
          + " SUM(l_extendedprice * (1 - l_discount)),"
          + " SUM(l_extendedprice * (1 - l_discount) * (1 + l_tax)), AVG(l_quantity),"
          + " AVG(l_extendedprice), AVG(l_discount), COUNT(*) FROM lineitem"
          + " WHERE l_shipdate <= DATE '1998-09-02' GROUP BY l_returnflag, l_linestatus";
  private static final String Q6 =
      "SELECT SUM(l_extendedprice * l_discount) FROM lineitem WHERE l_shipdate >= DATE '1994-01-01'"
          + " AND l_shipdate < DATE '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07"
          + " AND l_quantity < 24";
  private static final List<Timed> QUESTIONS =
      List.of(
          new Timed(
              "count, filtered",
              true,
              "SELECT COUNT(*) FROM lineitem WHERE l_shipdate <= DATE '1995-06-17'"),
          new Timed(
              "count of a join",
              true,
              "SELECT COUNT(*) FROM customer JOIN orders ON c_custkey = o_custkey"
                  + " WHERE o_orderdate >= DATE '1995-01-01'"),
          new Timed(
              "histogram",
              true,
              "SELECT l_shipmode, COUNT(*) FROM lineitem GROUP BY l_shipmode ORDER BY 2 DESC"),
          new Timed("sum of a column", false, "SELECT SUM(l_extendedprice) FROM lineitem"),
          new Timed(
              "sum, filtered",
              false,
              "SELECT SUM(l_quantity) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02'"),
          new Timed("mean", false, "SELECT AVG(l_extendedprice) FROM lineitem"),
          new Timed(
              "sums by key",
              false,
              "SELECT l_returnflag, l_linestatus, SUM(l_quantity), AVG(l_discount) FROM lineitem"
                  + " GROUP BY l_returnflag, l_linestatus"),
          new Timed("TPC-H Q1", false, Q1),
          new Timed("TPC-H Q6", false, Q6));

  private final List<String> lines = new ArrayList<>();
  private final Path folder;

  private AskBench(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    Path results = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 0.1;
    Files.createDirectories(results);
    // Beside the results and not in /tmp, which is often no disk.
    Path work = Files.createTempDirectory(results, "ask");
    AskBench bench = new AskBench(work);
    bench.say("# Asking against the plain query, TPC-H scale " + scale + ", " + LocalDate.now());
    try {
      try (TpchHome home = TpchHome.duckDb(work, scale)) {
        bench.run(home, ROUNDS);
      }
      if (scale >= 1) {
        try (TpchHome home = TpchHome.postgreSql(scale)) {
          bench.run(home, FEW_ROUNDS);
        }
      }
    } finally {
      try (var files = Files.list(work)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(work);
    }
    Path file = results.resolve(LocalDate.now() + "-ask-" + scale + ".md");
    Files.write(file, bench.lines);
    System.out.println("written to " + file);
  }

  private void run(TpchHome home, int rounds) throws Exception {
    Policy policy = PolicyReader.read(TextFiles.tree(POLICY, Code.BAD_POLICY));
    say("");
    say("## " + home.name());
    say("");
    say("Milliseconds by the clock, medians of " + rounds + " rounds in turns, after a warm-up.");
    say("");
    Collected collected = collect(home, policy);
    Allowances plenty = Allowances.eachTable(Allowance.basic("1000000000", "0.5"));
    Path beside = folder.resolve(home.name() + ".yaml");
    try (JdbcDatabase database =
            JdbcDatabase.open(home.url(), policy, Duration.ofMinutes(5), OwnerLog.NONE);
        Ledger ledger = LedgerPlace.of(beside, Optional.empty()).open(plenty, false);
        Connection plain = Databases.streaming(home.url())) {
      Gateway gateway =
          new Gateway(
              policy,
              LiveMetrics.vouched(policy, collected.metrics()),
              "bench",
              database,
              ledger,
              OwnerLog.NONE,
              Clock.systemUTC());
      say("| question | plain | ask | ratio | more | aim |");
      say("|---|---:|---:|---:|---:|---|");
      warm(gateway);
      for (Timed question : QUESTIONS) {
        compare(question, plain, gateway, rounds);
      }
    }
  }

  /** All keys and foreign keys, against one reading of the same columns of every table. */
  private Collected collect(TpchHome home, Policy policy) throws Exception {
    Wanted wanted = Wanted.of(policy).and(ColumnNames.parse(String.join(", ", KEYS), policy));
    try (Connection connection = DriverManager.getConnection(home.url())) {
      scan(connection);
      long start = System.nanoTime();
      scan(connection);
      long middle = System.nanoTime();
      Collected collected =
          new Collector(policy, wanted, Progress.NONE, Clock.systemUTC()).collect(connection);
      long end = System.nanoTime();
      say(
          String.format(
              Locale.ROOT,
              "Collecting %d keys took %.0f ms, one scan of their columns %.0f ms: %.1f times.",
              KEYS.size(),
              (end - middle) / 1e6,
              (middle - start) / 1e6,
              (double) (end - middle) / (middle - start)));
      say("");
      return collected;
    }
  }

  private static void scan(Connection connection) throws Exception {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    for (String key : KEYS) {
      String[] parts = key.split("\\.");
      tables.computeIfAbsent(parts[0], t -> new ArrayList<>()).add("SUM(" + parts[1] + ")");
    }
    for (Map.Entry<String, List<String>> table : tables.entrySet()) {
      read(connection, "SELECT " + String.join(", ", table.getValue()) + " FROM " + table.getKey());
    }
  }

  /** A gateway that has run for a while, as one that people use has. */
  private static void warm(Gateway gateway) {
    long end = System.nanoTime() + WARM_NANOS;
    while (System.nanoTime() < end) {
      for (Timed question : QUESTIONS) {
        gateway.ask(Ask.of(question.sql(), "bench"));
      }
    }
  }

  private void compare(Timed question, Connection plain, Gateway gateway, int rounds)
      throws Exception {
    double[] without = new double[rounds];
    double[] with = new double[rounds];
    Ask ask = Ask.of(question.sql(), "bench");
    for (int i = -WARM_UP; i < rounds; i++) {
      long start = System.nanoTime();
      read(plain, question.sql());
      long middle = System.nanoTime();
      gateway.ask(ask);
      long end = System.nanoTime();
      if (i >= 0) {
        without[i] = (middle - start) / 1e6;
        with[i] = (end - middle) / 1e6;
      }
    }
    double one = median(without);
    double two = median(with);
    say(
        String.format(
            Locale.ROOT,
            "| %s | %.2f | %.2f | %.2f | %+.2f | %s |",
            question.name(),
            one,
            two,
            two / one,
            two - one,
            question.aim(one, two)));
  }

  private static void read(Connection connection, String sql) throws Exception {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private void say(String line) {
    System.out.println(line);
    lines.add(line);
  }
}
