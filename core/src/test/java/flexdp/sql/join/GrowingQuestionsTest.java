package flexdp.sql.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that are named twice on every level double with each: refused, and not written out. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GrowingQuestionsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          Map.of(
              "flexdp",
              1,
              "tables",
              Map.of(
                  "t",
                  Map.of(
                      "columns",
                      Map.of(
                          "id",
                          Map.of("type", "bigint", "nullable", false, "unique", true),
                          "x",
                          Map.of("type", "integer"),
                          "s",
                          Map.of("type", "varchar"))))));

  private static void plan(String column, String expression, int levels) {
    String sql =
        "SELECT COUNT(*) FROM "
            + ("(SELECT " + expression + " AS " + column + " FROM ").repeat(levels)
            + "t"
            + ") q".repeat(levels)
            + " WHERE "
            + column
            + " IS NULL";
    new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2020, 1, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x + x",
        "CASE WHEN x > 1 THEN x ELSE x - 1 END",
        "CASE WHEN x BETWEEN x AND x THEN 1 ELSE 2 END",
        "x * x",
        "COALESCE(x, x)",
        "GREATEST(x, x, x)"
      })
  void numbersThatDoubleOnEveryLevel(String expression) {
    plan("x", expression, 6);
    for (int levels : new int[] {20, 26, 50}) {
      Rejection refused =
          assertThrows(Rejection.class, () -> plan("x", expression, levels), expression);
      assertEquals(RejectionCode.TOO_COMPLEX, refused.code());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"s || s", "LEFT(s || s, 10)", "COALESCE(s, s || 'a')", "REPLACE(s, s, s)"})
  void textsThatDoubleOnEveryLevel(String expression) {
    for (int levels : new int[] {20, 26, 50}) {
      Rejection refused =
          assertThrows(Rejection.class, () -> plan("s", expression, levels), expression);
      assertEquals(RejectionCode.TOO_COMPLEX, refused.code());
    }
  }

  @Test
  void columnsNamedOnceMayBeHandedOnForLong() {
    plan("x", "x + 1", 50);
  }
}
