package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.FoundRange.RangeChoice;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.ledger.BudgetExhausted;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions whose ranges nobody declared, from the text to the ledger, on DuckDB. */
class FoundRangesTest {
  @TempDir Path folder;

  private static QueryRequest ask(String sql, String epsilon) {
    return ask(sql, epsilon, RangeChoice.AUTO);
  }

  private static QueryRequest ask(String sql, String epsilon, RangeChoice ranges) {
    QueryOptions options =
        new QueryOptions(
                MechanismChoice.AUTO,
                Optional.of(new BigDecimal(epsilon)),
                Optional.empty(),
                Optional.empty())
            .with(ranges);
    return new QueryRequest(sql, options, "ann", Set.of(), false, true, Optional.empty());
  }

  private UnrangedTips tips() throws Exception {
    return tips("");
  }

  private UnrangedTips tips(String privacy) throws Exception {
    UnrangedTips tips = UnrangedTips.onDuckDb(folder, privacy, 7);
    tips.execute(
        "INSERT INTO tips SELECT range, (range % 1000) / 20.0, 'a', range % 7 - 3,"
            + " (range % 400) / 100.0 FROM range(20000)");
    return tips;
  }

  private static double number(AnalystView view, int row, int column) {
    return Double.parseDouble(view.rows().get(row).get(column).toString());
  }

  @Test
  void aSumWithoutARangeFindsOneAndSaysWhatItCost() throws Exception {
    try (UnrangedTips tips = tips()) {
      AnalystView view = tips.gateway.ask(ask("SELECT SUM(tip) AS total FROM tips", "1"));
      assertEquals(499_500, number(view, 0, 0), 5_000);
      assertEquals(1, view.ranges().size());
      FoundRange found = view.ranges().getFirst();
      assertEquals("tip", found.of());
      assertEquals(0, new BigDecimal("0.25").compareTo(found.epsilon()));
      assertEquals(0, new BigDecimal("50").compareTo(found.range().high()), found.toString());
      assertEquals(0, new BigDecimal("-50").compareTo(found.range().low()), found.toString());
      assertEquals(20_000, found.values().doubleValue(), 300);
      assertTrue(found.outsideAtMost().doubleValue() >= 0 && found.outside().doubleValue() < 400);
      assertEquals(0, BigDecimal.ONE.compareTo(view.epsilon()), view.epsilon().toString());
      assertEquals(0, BigDecimal.ONE.compareTo(tips.spent()), tips.spent().toString());
      assertEquals(1, view.notes().stream().filter(n -> n.code() == Note.Code.RANGE_FOUND).count());
      assertTrue(view.interval(0, 0).isPresent(), "the noise of the clamped sum is public");
    }
  }

  @Test
  void theSameQuestionIsFreeTheNextTime() throws Exception {
    try (UnrangedTips tips = tips()) {
      AnalystView first = tips.gateway.ask(ask("SELECT AVG(tip) AS m FROM tips", "1"));
      AnalystView again = tips.gateway.ask(ask("SELECT AVG(tip) AS m FROM tips", "1"));
      assertEquals(24.975, number(first, 0, 0), 0.5);
      assertEquals(first.rows(), again.rows());
      assertEquals(first.ranges(), again.ranges());
      assertTrue(again.repeat());
      assertFalse(first.repeat());
      assertEquals(0, again.epsilon().signum());
      assertEquals(0, BigDecimal.ONE.compareTo(tips.spent()));
    }
  }

  @Test
  void everyAggregateThatNeedsARangeFindsOne() throws Exception {
    try (UnrangedTips tips = tips()) {
      AnalystView view =
          tips.gateway.ask(
              ask(
                  "SELECT COUNT(*), SUM(n), AVG(tip), STDDEV(tip), MIN(fee), MAX(fee), MEDIAN(fee)"
                      + " FROM tips",
                  "20"));
      assertEquals(20_000, number(view, 0, 0), 50);
      assertEquals(0, number(view, 0, 1), 100);
      assertEquals(24.975, number(view, 0, 2), 0.5);
      assertEquals(14.43, number(view, 0, 3), 1);
      assertEquals(0, number(view, 0, 4), 0.2);
      assertEquals(3.99, number(view, 0, 5), 0.2);
      assertEquals(2, number(view, 0, 6), 0.2);
      assertEquals(
          0,
          new BigDecimal("20")
              .compareTo(view.epsilon().setScale(20, java.math.RoundingMode.HALF_UP)));
      assertTrue(new BigDecimal("20").compareTo(tips.spent()) >= 0, "rounded down");
      assertEquals(
          List.of("n", "tip", "fee", "fee"), view.ranges().stream().map(FoundRange::of).toList());
    }
  }

  @Test
  void whatIsNotFoundPaysForTheSearchAlone() throws Exception {
    try (UnrangedTips tips = tips()) {
      tips.execute("DELETE FROM tips");
      Rejection e =
          assertThrows(
              Rejection.class, () -> tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "0.8")));
      assertEquals(RejectionCode.RANGE_NOT_FOUND, e.code());
      assertTrue(e.hint().contains("epsilon 0.2."), e.hint());
      assertEquals(0, new BigDecimal("0.2").compareTo(tips.spent()));
    }
  }

  @Test
  void nobodyPaysForASearchWhoseAnswerTheBudgetRefuses() throws Exception {
    try (UnrangedTips tips = tips("epsilon: 1, budget: {epsilon: 0.9, delta: 0}")) {
      assertThrows(
          BudgetExhausted.class, () -> tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "1")));
      assertEquals(0, tips.spent().signum());
      AnalystView view = tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "0.9"));
      assertEquals(0, new BigDecimal("0.9").compareTo(tips.spent()));
      assertFalse(view.repeat());
      assertTrue(tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "0.9")).repeat());
    }
  }

  @Test
  void ownersAndAnalystsCanForbidIt() throws Exception {
    try (UnrangedTips tips = tips()) {
      Rejection e =
          assertThrows(
              Rejection.class,
              () -> tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "1", RangeChoice.DECLARED)));
      assertEquals(RejectionCode.MISSING_RANGE, e.code());
      assertEquals(0, tips.spent().signum());
    }
    try (UnrangedTips tips =
        UnrangedTips.onDuckDb(
            folder.resolve("closed"), "findRanges: false, budget: {epsilon: 9, delta: 0}", 3)) {
      for (RangeChoice choice : RangeChoice.values()) {
        assertEquals(
            RejectionCode.MISSING_RANGE,
            assertThrows(
                    Rejection.class,
                    () -> tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "1", choice)))
                .code());
      }
    }
  }

  @Test
  void explainSaysWhatWillBeFoundAndPromisesNoError() throws Exception {
    try (UnrangedTips tips = tips()) {
      Explanation e =
          tips.gateway.explain(ask("SELECT COUNT(*) AS n, SUM(tip) AS total FROM tips", "1"));
      assertEquals(0, BigDecimal.ONE.compareTo(e.epsilon()));
      assertEquals(1, e.ranges().size());
      String words = e.ranges().getFirst().words();
      assertTrue(words.contains("tip has no declared range: epsilon 0.25 finds one"), words);
      assertTrue(words.contains("0.03125 counts the values outside"), words);
      assertTrue(e.errors().getFirst().error().isPresent(), "counts need no range");
      assertTrue(e.errors().getLast().error().isEmpty());
      assertEquals(0, tips.spent().signum());
      assertEquals(2, tips.gateway.columns(ask("SELECT COUNT(*), SUM(tip) FROM tips", "1")).size());
      Rejection within =
          assertThrows(
              Rejection.class,
              () ->
                  tips.gateway.ask(
                      QueryRequest.of("SELECT SUM(tip) FROM tips", "ann")
                          .within(ErrorTarget.parse("5"))));
      assertEquals(RejectionCode.ACCURACY_UNKNOWN, within.code());
    }
  }

  /** A row more or less would move the counts by as many as it has partners. */
  @Test
  void joinsWithAPrivateMultiplicityFindNone() throws Exception {
    try (UnrangedTips tips = tips()) {
      Rejection e =
          assertThrows(
              Rejection.class,
              () ->
                  tips.gateway.ask(
                      ask("SELECT SUM(a.tip) FROM tips a JOIN tips b ON a.n = b.n", "1")));
      assertEquals(RejectionCode.MISSING_RANGE, e.code());
      assertTrue(e.hint().contains("--advise-ranges"), e.hint());
      assertEquals(0, tips.spent().signum());
    }
  }

  @Test
  void groupsShareOneRangeAndConditionsCount() throws Exception {
    try (UnrangedTips tips = tips()) {
      AnalystView view =
          tips.gateway.ask(
              ask(
                  "SELECT kind, SUM(fee) AS s FROM tips WHERE kind IN ('a', 'b') AND n > 0 GROUP BY"
                      + " kind ORDER BY kind",
                  "2"));
      assertEquals(2, view.rows().size());
      assertEquals(1, view.ranges().size());
      assertEquals(17_100, number(view, 0, 1), 400);
      assertEquals(0, number(view, 1, 1), 400);
    }
  }

  @Test
  void whereSquaresAddUpTheyAreShared() throws Exception {
    try (UnrangedTips tips =
        tips("epsilon: 1, budget: {epsilon: 8, delta: 1e-6, composition: zcdp}")) {
      AnalystView view = tips.gateway.ask(ask("SELECT SUM(tip) FROM tips", "0.5"));
      assertEquals(499_500, number(view, 0, 0), 5_000);
      double rho = view.rho().orElseThrow().doubleValue();
      assertTrue(rho <= 0.125 && rho > 0.1249, "half of the square of epsilon: " + rho);
      assertEquals(
          rho, tips.ledger.standing(new Account.Table("tips")).spent().rho().doubleValue(), 1e-12);
    }
  }
}
