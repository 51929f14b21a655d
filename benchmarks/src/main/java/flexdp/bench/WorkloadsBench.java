package flexdp.bench;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.plan.MechanismChoice;
import flexdp.workload.BudgetAllocation;
import flexdp.workload.BudgetNorm;
import flexdp.workload.CuboidLattice;
import flexdp.workload.LeastSquares;
import flexdp.workload.WorkloadGoal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What many questions at one price take: the split of ε over 144 cuboids, the plan of 1,000
 * statements, least squares of two million cells, and a CUBE beside the plain one. Writes a dated
 * file into the folder given.
 */
public final class WorkloadsBench {
  private static final int ROWS = 3_000_000;
  private static final int STATEMENTS = 1_000;
  private static final String CUBE =
      "SELECT city, month, status, COUNT(*) FROM trips GROUP BY CUBE(city, month, status)";
  private static final String POLICY =
      """
      flexdp: 1
      privacy:
        epsilon: 1
        delta: 1e-9
        budget: {epsilon: 1000000, delta: 0.1, composition: basic}
      tables:
        trips:
          columns:
            id: {type: bigint, unique: true, trusted: true, nullable: false}
            city: {type: integer, nullable: false, range: [1, 20]}
            month: {type: integer, nullable: false, range: [1, 12]}
            hour: {type: integer, nullable: false, range: [0, 23]}
            status: {type: varchar, domain: [requested, completed, cancelled]}
            fare: {type: "decimal(9,2)", range: [0, 500]}
      """;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Results results = new Results("workloads", "Many questions at one price");

  private WorkloadsBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "workloads");
    WorkloadsBench bench = new WorkloadsBench();
    bench.plans();
    String url = "jdbc:duckdb:" + work.resolve("trips.duckdb");
    fill(url);
    Path policy = Files.writeString(work.resolve("trips.yaml"), POLICY);
    bench.statements(url, policy);
    bench.cube(url, policy);
    bench.results.write(folder);
    try (var files = Files.walk(work)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void plans() throws Exception {
    results.say("Milliseconds of processor time; of the CUBE by the clock.");
    results.say("");
    results.table("in memory", "time");
    CuboidLattice lattice =
        new CuboidLattice(
            List.of(
                new int[] {1, 5, 20},
                new int[] {1, 12, 360},
                new int[] {1, 24},
                new int[] {1, 3},
                new int[] {1, 4},
                new int[] {1, 6}));
    List<WorkloadGoal> goals = goals(lattice);
    double[] full = new double[lattice.size()];
    double[] plain = new double[lattice.size()];
    for (int s = 0; s < full.length; s++) {
      full[s] = lattice.cells(s) <= 200_000 ? 0.5 : 0;
      plain[s] = full[s] > 0 ? 1.0 / lattice.size() : 0;
    }
    // About two million cells measured in all, and all others follow from them.
    CuboidLattice large = CuboidLattice.flat(400, 400, 12);
    Map<Integer, double[]> noisy = new LinkedHashMap<>();
    double[] precision = new double[large.size()];
    for (int s = 0; s < large.size(); s++) {
      precision[s] = 1;
      noisy.put(s, cells(large.cells(s)));
    }
    List<Integer> wanted = new ArrayList<>();
    for (int s = 0; s < large.size(); s++) {
      wanted.add(s);
    }
    Map<String, Timing.Work> works = new LinkedHashMap<>();
    works.put(
        "split of 144 cuboids, basic",
        () -> BudgetAllocation.of(lattice, goals, full, plain, BudgetNorm.SUM));
    works.put(
        "split of 144 cuboids, zcdp",
        () -> BudgetAllocation.of(lattice, goals, full, plain, BudgetNorm.SQUARES));
    works.put(
        "least squares of 2 million cells",
        () -> new LeastSquares(large, precision).cuboids(noisy, wanted));
    Map<String, Double> aims =
        Map.of(
            "split of 144 cuboids, basic", 50.0,
            "split of 144 cuboids, zcdp", 50.0,
            "least squares of 2 million cells", 1000.0);
    for (Map.Entry<String, Double> figure : Timing.medians(works).entrySet()) {
      double millis = figure.getValue() / 1000;
      results.row(figure.getKey(), Aim.atMost(aims.get(figure.getKey()), millis), millis);
      results.figure(figure.getKey(), millis, millis, 1.2);
    }
    results.end();
  }

  private static double[] cells(long count) {
    Random random = new Random(count);
    return random.doubles(count).toArray();
  }

  /** Every cuboid by at most two keys, one question each, alone with an even share. */
  private static List<WorkloadGoal> goals(CuboidLattice lattice) {
    List<Integer> asked = new ArrayList<>();
    for (int s = 0; s < lattice.size(); s++) {
      int point = s;
      long keys =
          java.util.stream.IntStream.range(0, lattice.keys())
              .filter(k -> lattice.level(point, k) > 0)
              .count();
      if (keys <= 2) {
        asked.add(s);
      }
    }
    double alone = 2.0 * asked.size() * asked.size();
    return asked.stream().map(s -> new WorkloadGoal(lattice.cell(s), 1, alone)).toList();
  }

  private static void fill(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE trips AS SELECT i AS id, CAST(1 + hash(i) % 20 AS INTEGER) AS city,"
              + " CAST(1 + hash(i + 1) % 12 AS INTEGER) AS month,"
              + " CAST(hash(i + 2) % 24 AS INTEGER) AS hour,"
              + " CASE hash(i + 3) % 3 WHEN 0 THEN 'requested' WHEN 1 THEN 'completed'"
              + " ELSE 'cancelled' END AS status,"
              + " CAST((hash(i + 4) % 50000) / 100.0 AS DECIMAL(9,2)) AS fare"
              + " FROM range("
              + ROWS
              + ") r(i)");
    }
  }

  /** Statements as a dashboard has them: by some keys, under some conditions. */
  private static String dashboard() {
    Random random = new Random(1);
    String[] keys = {"city", "month", "hour", "status"};
    String[] conditions = {
      "city = %d", "month = %d", "month BETWEEN 2 AND %d", "hour = %d", "status = 'completed'"
    };
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < STATEMENTS; i++) {
      Set<String> by = new java.util.LinkedHashSet<>();
      for (int k = random.nextInt(3); k > 0; k--) {
        by.add(keys[random.nextInt(keys.length)]);
      }
      String list = String.join(", ", by);
      String condition = conditions[random.nextInt(conditions.length)];
      boolean taken = by.stream().anyMatch(condition::startsWith);
      all.append("SELECT ").append(by.isEmpty() ? "" : list + ", ").append("COUNT(*) FROM trips");
      if (!taken && random.nextInt(3) > 0) {
        all.append(" WHERE ").append(condition.replace("%d", "" + (3 + random.nextInt(9))));
      }
      all.append(by.isEmpty() ? "" : " GROUP BY " + list).append(";\n");
    }
    return all.toString();
  }

  private void statements(String url, Path policy) throws Exception {
    results.table("1,000 statements", "time");
    Workload workload = Workload.parse(dashboard());
    QueryRequest request =
        new QueryRequest(
            "",
            new QueryOptions(
                MechanismChoice.AUTO,
                Optional.of(BigDecimal.ONE),
                Optional.empty(),
                Optional.empty()),
            "bench",
            Set.of());
    double[] times = new double[7];
    int framed = 0;
    for (int i = 0; i < times.length; i++) {
      // Opened anew, so that nothing is remembered but what the compiler has learned.
      try (FlexDp flexdp = Setup.of(policy).database(url).open()) {
        long start = THREADS.getCurrentThreadCpuTime();
        WorkloadExplanation plan = flexdp.explain(workload, request);
        times[i] = (THREADS.getCurrentThreadCpuTime() - start) / 1e6;
        framed = (int) plan.questions().stream().filter(q -> q.frame() > 0).count();
      }
    }
    double[] later = Arrays.copyOfRange(times, 2, times.length);
    Arrays.sort(later);
    double median = later[later.length / 2];
    results.row("analysed and planned, " + framed + " in frames", Aim.atMost(1000, median), median);
    results.figure("1,000 statements", median, median, 1.3);
    results.end();
  }

  private void cube(String url, Path policy) throws Exception {
    results.table("CUBE over " + ROWS + " rows", "plain", "private");
    List<Double> plain = new ArrayList<>();
    List<Double> asked = new ArrayList<>();
    try (Asking asking = new Asking(url, policy)) {
      for (int i = 0; i < 9; i++) {
        long start = System.nanoTime();
        asking.plainly(CUBE);
        long middle = System.nanoTime();
        asking.ask(CUBE);
        if (i > 1) {
          plain.add((middle - start) / 1e6);
          asked.add((System.nanoTime() - middle) / 1e6);
        }
      }
    }
    plain.sort(null);
    asked.sort(null);
    double one = plain.get(plain.size() / 2);
    double two = asked.get(asked.size() / 2);
    results.row("city, month, status", Aim.times(1.3, one, two), one, two);
    results.figure("CUBE", two / one, two / one, 1.2);
    results.end();
  }
}
