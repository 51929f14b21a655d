package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Many questions asked of one state of a database, before noise.
 *
 * @param refused for what a question may be refused: what the database has no numbers for
 */
record ExactAnswers(Policy policy, Set<RejectionCode> refused) {
  /**
   * By title, those that were answered.
   *
   * @param questions by title
   * @param failed is told which of them the database failed at
   */
  Map<String, ExactResults> of(
      Map<String, String> questions, JdbcDatabase database, List<String> failed) {
    Analyzer analyzer =
        new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0));
    RenderedStatements rendered = new RenderedStatements(database);
    Map<String, ExactResults> read = new LinkedHashMap<>();
    questions.forEach(
        (title, question) -> {
          try {
            Plan plan = analyzer.plan(question, AnalysisOptions.DEFAULT);
            read.put(
                title,
                ExactResults.read(
                    policy,
                    plan,
                    ExactResults.labels(policy, plan, database, rendered),
                    database,
                    rendered));
          } catch (Rejection e) {
            assertTrue(refused.contains(e.code()), title + e);
          } catch (DatabaseError e) {
            failed.add(title + " fails");
          }
        });
    return read;
  }
}
