package flexdp.cli;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.text.JsonText;
import flexdp.gateway.text.YamlText;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.LocalDateTime;
import java.util.List;

/**
 * What the build runs once so that the JVM can keep the classes of a usual start in its cache. It
 * says nothing and touches no file.
 */
final class Training {
  private static final String POLICY =
      """
      privacy: {neighbors: add-remove-one, epsilon: 0.1, delta: 1e-10}
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

  public static void main(String[] args) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Main.run(nowhere, nowhere, "--help");
    Main.run(nowhere, nowhere, "analyze", "--policy", "/", "SELECT 1");
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, Code.BAD_POLICY));
    Analyzer analyzer =
        new Analyzer(
            policy,
            MetricsReader.read(JsonText.tree(METRICS, Code.BAD_METRICS), policy),
            LocalDateTime.now());
    for (String question : QUESTIONS) {
      try {
        nowhere.print(ReportText.of(analyzer.analyze(question, AnalysisOptions.DEFAULT)));
      } catch (Rejection e) {
        nowhere.print(FailureText.of(e));
      }
    }
  }
}
