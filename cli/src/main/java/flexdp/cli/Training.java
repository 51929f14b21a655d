package flexdp.cli;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * What the build runs once so that the JVM can keep the classes of a usual start in its cache:
 * analyses, then a question asked of a small database in a folder that is removed again. It says
 * nothing.
 */
final class Training {
  private static final String POLICY =
      """
      privacy: {neighbors: add-remove-one, epsilon: 0.1, delta: 1e-10, budget: {epsilon: 10, delta: 1e-6}}
      tables:
        trips:
          columns:
            id: {type: bigint, unique: true}
            driver_id: {type: bigint, nullable: false}
            city: {type: varchar, domain: [Oslo, Rome]}
            fare: {type: "decimal(9,2)", range: [0, 500]}
            at: {type: timestamp, range: ["2020-01-01", "2021-01-01"]}
        cities:
          public: true
          columns: {id: {type: integer, unique: true}, name: {type: varchar}}
      """;
  private static final String METRICS =
      """
      {"trips": {"rows": 1000, "columns": {"driver_id": {"maxFrequency": 65}}}}
      """;
  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM trips",
          "SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id WHERE a.fare > 3",
          "SELECT city, COUNT(*), AVG(fare) FROM trips GROUP BY city HAVING COUNT(*) > 10"
              + " ORDER BY 2 DESC LIMIT 5",
          "WITH d AS (SELECT driver_id, COUNT(*) n FROM trips GROUP BY 1)"
              + " SELECT COUNT(*) FROM d WHERE n > 3",
          "SELECT COUNT(DISTINCT driver_id) FROM trips t LEFT JOIN cities c ON t.city = c.name"
              + " WHERE EXISTS (SELECT 1 FROM trips u WHERE u.driver_id = t.driver_id)",
          "SELECT fare FROM trips");

  private Training() {}

  public static void main(String[] args) throws IOException, SQLException {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    analyze(nowhere);
    try (TemporaryFolder folder = TemporaryFolder.of("flexdp-training")) {
      ask(folder.path(), nowhere);
    }
  }

  private static void ask(Path folder, PrintWriter nowhere) throws IOException, SQLException {
    String url = "jdbc:duckdb:" + folder.resolve("trips.duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE trips AS SELECT i AS id, i % 9 AS driver_id, 'Oslo' AS city,"
              + " CAST(i % 50 AS DECIMAL(9, 2)) AS fare, TIMESTAMP '2020-06-01' AS at"
              + " FROM range(1000) AS r(i)");
      statement.execute("CREATE TABLE cities AS SELECT 1 AS id, 'Oslo' AS name");
    }
    Path policy = folder.resolve("trips.yaml");
    Files.writeString(policy, "database: " + url + "\n" + POLICY);
    run(nowhere, "collect", "--policy", policy.toString(), "--columns", "trips.driver_id");
    run(nowhere, "ask", "--policy", policy.toString(), QUESTIONS.get(0));
    run(nowhere, "ask", "--policy", policy.toString(), QUESTIONS.get(2));
    run(nowhere, "explain", "--policy", policy.toString(), QUESTIONS.get(1));
    run(nowhere, "budget", "show", "--policy", policy.toString());
  }

  private static void run(PrintWriter nowhere, String... words) {
    StringWriter said = new StringWriter();
    if (Main.run(nowhere, new PrintWriter(said), words) != 0) {
      throw new IllegalStateException(words[0] + " failed: " + said);
    }
  }

  private static void analyze(PrintWriter nowhere) {
    Main.run(nowhere, nowhere, "--help");
    Main.run(nowhere, nowhere, "analyze", "--policy", "/", "SELECT 1");
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, Code.BAD_POLICY));
    Analyzer analyzer =
        new Analyzer(
            policy,
            MetricsReader.read(JsonText.tree(METRICS, Code.BAD_METRICS), policy),
            LocalDateTime.now(ZoneOffset.UTC));
    for (String question : QUESTIONS) {
      try {
        nowhere.print(ReportText.of(analyzer.analyze(question, AnalysisOptions.DEFAULT)));
      } catch (Rejection e) {
        nowhere.print(FailureText.of(e));
      }
    }
  }
}
