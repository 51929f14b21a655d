package flexdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.time.LocalDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnalyzerTest {
  private static final Policy POLICY =
      PolicyReader.read(
          Map.of(
              "tables", Map.of("trips", Map.of("columns", Map.of("day", Map.of("type", "date"))))));

  private LocalDateTime now = LocalDateTime.of(2026, 1, 1, 0, 0);
  private final Analyzer analyzer = new Analyzer(POLICY, Metrics.NONE, () -> now);

  private Plan plan(String sql) {
    return analyzer.plan(sql, AnalysisOptions.DEFAULT);
  }

  private String releases(String sql) {
    return plan(sql).query().releases().toString();
  }

  @Test
  void aQuestionThatMeansTheSameAtAnyTimeIsPlannedOnce() {
    String sql = "SELECT COUNT(*) FROM trips WHERE day > DATE '2025-01-01'";
    Plan first = plan(sql);
    now = now.plusYears(1);
    assertSame(first, plan(sql));
  }

  @Test
  void aQuestionAboutTodayIsPlannedAnewEachDay() {
    for (String today : new String[] {"CURRENT_DATE", "now()", "today()"}) {
      String sql = "SELECT COUNT(*) FROM trips WHERE day > " + today;
      String first = releases(sql);
      assertEquals(first, releases(sql));
      now = now.plusDays(1);
      assertNotEquals(first, releases(sql), today);
    }
  }
}
