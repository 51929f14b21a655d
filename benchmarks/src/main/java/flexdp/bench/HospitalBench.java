package flexdp.bench;

import flexdp.gateway.demo.Hospital;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Questions about the patients of an invented hospital, on PostgreSQL and DuckDB: `ask`, with its
 * charge on disk, against the same text sent to the same database, in turns, in one run. Takes the
 * folder for results and how many patients there are; the property {@code flexdp.bench.postgresql}
 * names a server to fill, which may compile expressions as the one that comes along does not.
 */
public final class HospitalBench {
  private static final int ROUNDS = Integer.getInteger("flexdp.bench.rounds", 3);
  private static final String ONLY = System.getProperty("flexdp.bench.only", "");
  private static final String SERVER = System.getProperty("flexdp.bench.postgresql", "");
  private static final double TIMES = 10;
  private static final double MEDIAN = 3;
  private static final String KEYS = "lab.visit_id,diagnosis.visit_id";

  /** What an hour of a hospital's reporting asks; every way that a statement about people takes. */
  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM visit",
          "SELECT COUNT(*) FROM visit WHERE kind = 'emergency' AND charge > 500",
          "SELECT SUM(charge) FROM visit",
          "SELECT AVG(charge) FROM visit",
          "SELECT COUNT(*), SUM(charge) FROM visit",
          "SELECT COUNT(DISTINCT patient_id) FROM visit",
          "SELECT sex, COUNT(*) FROM patient GROUP BY sex",
          "SELECT kind, COUNT(*) FROM visit GROUP BY kind",
          "SELECT department, COUNT(*) FROM visit GROUP BY department",
          "SELECT department, AVG(charge) FROM visit GROUP BY department",
          "SELECT department, kind, COUNT(*) FROM visit GROUP BY department, kind",
          "SELECT EXTRACT(YEAR FROM admitted_at) AS y, COUNT(*) FROM visit GROUP BY 1",
          "SELECT DATE_TRUNC('month', admitted_at) AS m, COUNT(*) FROM visit GROUP BY 1",
          "SELECT DATE_TRUNC('month', admitted_at) AS m, SUM(charge) FROM visit GROUP BY 1",
          "SELECT code, COUNT(*) FROM diagnosis GROUP BY code",
          "SELECT severity, COUNT(*) FROM diagnosis GROUP BY severity",
          "SELECT test, AVG(value), STDDEV_POP(value) FROM lab GROUP BY test",
          "SELECT MEDIAN(charge) FROM visit",
          "SELECT city, COUNT(DISTINCT p.id) FROM patient p JOIN visit v ON v.patient_id = p.id"
              + " GROUP BY city",
          "SELECT p.sex, v.kind, COUNT(*) FROM patient p JOIN visit v ON v.patient_id = p.id"
              + " GROUP BY p.sex, v.kind",
          "SELECT v.department, COUNT(*) FROM diagnosis d JOIN visit v ON d.visit_id = v.id"
              + " WHERE d.severity = 5 GROUP BY v.department",
          "SELECT COUNT(*) FROM (SELECT patient_id, COUNT(*) AS n FROM visit GROUP BY patient_id) x"
              + " WHERE n >= 10",
          "SELECT department, kind, COUNT(*) FROM visit GROUP BY CUBE(department, kind)",
          "SELECT COUNT(*) FROM lab a JOIN diagnosis d ON a.visit_id = d.visit_id");

  private final Results results;
  private final Path work;
  private final int patients;

  private HospitalBench(Results results, Path work, int patients) {
    this.results = results;
    this.work = work;
    this.patients = patients;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    int patients = args.length > 1 ? Integer.parseInt(args[1]) : Hospital.DEFAULT_PATIENTS;
    Results results =
        new Results("hospital", "A hospital of " + patients + " patients: asking against plain");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder.toAbsolutePath(), "hospital");
    try {
      HospitalBench bench = new HospitalBench(results, work, patients);
      if (!Boolean.getBoolean("flexdp.bench.withoutDuckDb")) {
        bench.duckDb();
      }
      bench.postgreSql();
    } finally {
      remove(work);
    }
    results.write(folder);
  }

  private static void remove(Path work) throws java.io.IOException {
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void duckDb() throws Exception {
    String url = "jdbc:duckdb:" + work.resolve("hospital.duckdb");
    try (Connection connection = DriverManager.getConnection(url)) {
      new Hospital(patients).create(connection);
    }
    run("DuckDB", url);
  }

  private void postgreSql() throws Exception {
    if (!SERVER.isEmpty()) {
      try (Connection connection = DriverManager.getConnection(SERVER)) {
        fill(connection);
      }
      run("PostgreSQL", SERVER);
      return;
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
      try (Connection connection = server.getPostgresDatabase().getConnection()) {
        fill(connection);
      }
      run("PostgreSQL", server.getJdbcUrl("postgres", "postgres"));
    }
  }

  private void fill(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + String.join(", ", Hospital.TABLES));
      new Hospital(patients).create(connection);
      statement.execute("VACUUM ANALYZE");
    }
  }

  private void run(String database, String url) throws Exception {
    Path policy = work.resolve(database + ".yaml");
    AskedPolicy.write(Hospital.policy(url), policy).collect(url, KEYS);
    results.section(database);
    results.table("question", "plain", "ask", "ratio");
    List<Double> ratios = new ArrayList<>();
    try (Asking asking = new Asking(url, policy)) {
      asking.ask("SELECT COUNT(*) FROM patient");
      for (String sql : QUESTIONS) {
        if (!sql.contains(ONLY)) {
          continue;
        }
        double[] medians = medians(asking, sql);
        ratios.add(medians[1] / medians[0]);
        results.row(
            "`" + sql.replace("|", "\\|") + "`",
            Aim.times(TIMES, medians[0], medians[1]).or(1000, 0, medians[1]),
            medians[0],
            medians[1],
            medians[1] / medians[0]);
      }
    }
    double median = median(ratios.stream().mapToDouble(d -> d).toArray());
    results.row("median", Aim.atMost(MEDIAN, median), "", "", median);
    results.end();
  }

  private static double[] medians(Asking asking, String sql) throws Exception {
    double[] plain = new double[ROUNDS];
    double[] asked = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      asking.plainly(sql.replace("MEDIAN(charge)", "MAX(charge)"));
      long middle = System.nanoTime();
      asking.ask(sql);
      plain[i] = (middle - start) / 1e6;
      asked[i] = (System.nanoTime() - middle) / 1e6;
    }
    return new double[] {median(plain), median(asked)};
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
