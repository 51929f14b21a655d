package flexdp.bench;

import flexdp.gateway.database.Databases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * What privacy costs in time: `ask`, from text to noisy answer with its charge on disk, against the
 * same text sent to the same database, in turns, in one run. Every answer is paid for anew. Takes
 * the folder for results, the scale of TPC-H, and the databases; PostgreSQL takes part from scale 1
 * on.
 */
public final class AskBench {
  private static final Path POLICY = Path.of("core/src/test/resources/tpch/tpch.policy.yaml");
  private static final long WARM_NANOS = 40_000_000_000L;
  private static final int ROUNDS = 51;
  private static final int FEW_ROUNDS = 9;
  private static final int WARM_COLLECTIONS = 3;
  private static final int COLLECTIONS = 9;
  private static final String ONLY = System.getProperty("flexdp.bench.only", "");

  /** Where a PostgreSQL that has the tables already is asked, instead of those made here. */
  private static final String SERVER = System.getProperty("flexdp.bench.postgresql", "");

  /** A question; those with a sum or a mean may take 1.6 times as long, a count 1.05 or 3 ms. */
  private record Timed(String name, boolean counts, String sql) {
    Aim aim(double plain, double asked) {
      return counts
          ? Aim.times(1.05, plain, asked).or(3, plain, asked)
          : Aim.times(1.6, plain, asked);
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

  private final Results results;
  private final Path folder;

  private AskBench(Results results, Path folder) {
    this.results = results;
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 0.1;
    List<String> databases = List.of((args.length > 2 ? args[2] : "duckdb,postgresql").split(","));
    Results results =
        new Results("ask-" + scale, "Asking against the plain query, TPC-H scale " + scale);
    Files.createDirectories(folder);
    // Beside the results and not in /tmp, which is often no disk.
    Path work = Files.createTempDirectory(folder, "ask");
    AskBench bench = new AskBench(results, work);
    try {
      if (SERVER.isEmpty() && databases.contains("duckdb")) {
        try (TpchHome home = TpchHome.duckDb(work, scale)) {
          bench.run(home, ROUNDS);
        }
      }
      if (!SERVER.isEmpty() || scale >= 1 && databases.contains("postgresql")) {
        try (TpchHome home =
            SERVER.isEmpty() ? TpchHome.postgreSql(scale) : TpchHome.postgreSql(SERVER)) {
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
    results.write(folder);
  }

  private void run(TpchHome home, int rounds) throws Exception {
    AskedPolicy policy =
        AskedPolicy.write(Files.readString(POLICY), folder.resolve(home.name() + ".yaml"));
    results.section(home.name());
    results.say(
        "Milliseconds by the clock, medians of " + rounds + " rounds in turns, after a warm-up.");
    results.say("");
    results.table("question", "plain", "ask", "ratio", "more");
    collect(home, policy);
    try (Asking asking = new Asking(home.url(), policy.file())) {
      List<Timed> chosen = QUESTIONS.stream().filter(q -> q.name().contains(ONLY)).toList();
      warm(asking, chosen);
      for (Timed question : chosen) {
        compare(question, asking, rounds);
      }
    }
    results.end();
  }

  /** What the policy needs and all foreign keys, against the same GROUP BYs written by hand. */
  private void collect(TpchHome home, AskedPolicy policy) throws Exception {
    String more = String.join(", ", KEYS);
    policy.collect(home.url(), more);
    if (!"collect".contains(ONLY)) {
      return;
    }
    List<String> groupings = policy.groupings(home, more);
    for (int i = 0; i < WARM_COLLECTIONS; i++) {
      byHand(home, groupings);
      policy.collect(home.url(), more);
    }
    double[] byHand = new double[COLLECTIONS];
    double[] ours = new double[COLLECTIONS];
    for (int i = 0; i < COLLECTIONS; i++) {
      long start = System.nanoTime();
      byHand(home, groupings);
      long middle = System.nanoTime();
      policy.collect(home.url(), more);
      byHand[i] = (middle - start) / 1e6;
      ours[i] = (System.nanoTime() - middle) / 1e6;
    }
    double one = median(byHand);
    double two = median(ours);
    results.row(
        "collect, against " + groupings.size() + " GROUP BYs",
        Aim.times(1.5, one, two),
        one,
        two,
        two / one,
        two - one);
    results.figure("collect", two, two, 1.1);
  }

  private static void byHand(TpchHome home, List<String> groupings) throws SQLException {
    try (Connection connection = Databases.readOnly(home.url())) {
      for (String grouping : groupings) {
        Asking.read(connection, grouping);
      }
    }
  }

  /** A gateway that has run for a while, as one that people use has. */
  private static void warm(Asking asking, List<Timed> questions) {
    long end = System.nanoTime() + WARM_NANOS;
    while (System.nanoTime() < end && !questions.isEmpty()) {
      for (Timed question : questions) {
        asking.ask(question.sql());
      }
    }
  }

  private void compare(Timed question, Asking asking, int rounds) throws Exception {
    double[] without = new double[rounds];
    double[] with = new double[rounds];
    for (int i = -rounds / 9; i < rounds; i++) {
      long start = System.nanoTime();
      asking.plainly(question.sql());
      long middle = System.nanoTime();
      asking.ask(question.sql());
      long end = System.nanoTime();
      if (i >= 0) {
        without[i] = (middle - start) / 1e6;
        with[i] = (end - middle) / 1e6;
      }
    }
    double one = median(without);
    double two = median(with);
    results.row(question.name(), question.aim(one, two), one, two, two / one, two - one);
    results.figure(question.name(), two, two, 1.1);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
