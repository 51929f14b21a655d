package flexdp.experiments.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.experiments.study.Counts;
import flexdp.experiments.study.KnownKeys;
import flexdp.experiments.study.LogCounts;
import flexdp.experiments.study.LogRecord;
import flexdp.experiments.study.Study;
import flexdp.failure.Rejection;
import flexdp.metrics.Metrics;
import flexdp.sql.parse.ParsedQuery;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The generated log is like the paper's, and what of it is accepted. */
class DrawnLogTest {
  private static final long SEED = 3;
  private static SmallRides rides;
  private static List<LogEntry> log;

  @BeforeAll
  static void draw() throws Exception {
    rides = SmallRides.open();
    log = new DrawnLog(SEED).stream().limit(4_000).toList();
  }

  @Test
  void theSharesAreThoseOfSectionTwo() throws Exception {
    Iterator<LogEntry> entries = log.iterator();
    KnownKeys keys = KnownKeys.of(rides.policy(), Metrics.NONE);
    LogCounts tally =
        new Study(keys, Optional.empty(), 2)
            .of(
                () ->
                    entries.hasNext()
                        ? Optional.of(LogRecord.Query.of(entries.next().sql()))
                        : Optional.empty());
    double queries = tally.readable();
    assertTrue(queries / tally.queries() > 0.98, "readable");
    assertEquals(1, tally.operators().of("SELECT") / queries, 0);
    assertEquals(0.621, tally.operators().of("JOIN") / queries, 0.02);
    assertEquals(0.0057, tally.operators().of("UNION") / queries, 0.003);
    assertEquals(0.0006, tally.operators().of("EXCEPT") / queries, 0.001);
    assertEquals(0.0003, tally.operators().of("INTERSECT") / queries, 0.001);
    assertTrue(tally.joins().count(2, 1_000) / queries > 0.5, "a majority uses multiple joins");
    assertEquals(95, tally.joins().most(), 30);
    assertShare(0.76, tally.conditions(), "EQUIJOIN");
    assertShare(0.19, tally.conditions(), "COMPOUND");
    assertShare(0.03, tally.conditions(), "COLUMN_COMPARISON");
    assertShare(0.02, tally.conditions(), "LITERAL_COMPARISON");
    assertEquals(0.659, tally.onlyEquijoins() / (double) tally.withJoins(), 0.02);
    assertShare(0.64, tally.relationships(), "ONE_TO_MANY");
    assertShare(0.26, tally.relationships(), "ONE_TO_ONE");
    assertShare(0.10, tally.relationships(), "MANY_TO_MANY");
    assertEquals(0.28, tally.selfJoins() / queries, 0.02);
    assertShare(0.69, tally.kinds(), "INNER");
    assertShare(0.29, tally.kinds(), "LEFT");
    assertShare(0.01, tally.kinds(), "CROSS");
    assertEquals(0.34, tally.statistical() / queries, 0.02);
    assertShare(0.51, tally.aggregates(), "COUNT");
    assertShare(0.29, tally.aggregates(), "SUM");
    assertShare(0.08, tally.aggregates(), "AVG");
    assertShare(0.06, tally.aggregates(), "MAX");
    assertShare(0.05, tally.aggregates(), "MIN");
    assertEquals(0.985, tally.baseKeyShare(), 0.005);
    assertTrue(tally.clauses().quantile(0.5) < 100 && tally.clauses().most() > 1_000, "sizes");
  }

  private static void assertShare(double wanted, Counts counts, String name) {
    assertEquals(wanted, counts.of(name) / (double) counts.total(), 0.02, name);
  }

  @Test
  void countingQueriesAreAcceptedUnlessNothingBoundsThem() {
    Analyzer analyzer = rides.analyzer();
    Map<String, Integer> reasons = new TreeMap<>();
    int all = 0;
    int accepted = 0;
    int bounded = 0;
    int boundedAccepted = 0;
    for (LogEntry entry : log) {
      if (!entry.traits().contains(Trait.COUNTING) || all == 250) {
        continue;
      }
      boolean unbounded = entry.traits().contains(Trait.PROTECTED_NON_EQUIJOIN);
      all++;
      bounded += unbounded ? 0 : 1;
      String outcome = planned(analyzer, entry.sql());
      assertEquals(outcome, checked(analyzer, entry.sql()), entry.sql());
      if (outcome.equals("accepted")) {
        accepted++;
        boundedAccepted += unbounded ? 0 : 1;
      } else {
        reasons.merge((unbounded ? "unbounded: " : "bounded: ") + outcome, 1, Integer::sum);
      }
    }
    assertTrue(boundedAccepted >= 0.95 * bounded, boundedAccepted + "/" + bounded + reasons);
    assertTrue(accepted >= 0.76 * all, accepted + "/" + all + " " + reasons);
    assertTrue(accepted < all, "shapes that are refused are there");
    assertTrue(reasons.containsKey("unbounded: JOIN_NOT_EQUI"), reasons.toString());
    assertTrue(reasons.containsKey("bounded: JOIN_KEY_COMPUTED"), reasons.toString());
  }

  private static String planned(Analyzer analyzer, String sql) {
    try {
      analyzer.plan(sql, AnalysisOptions.DEFAULT);
      return "accepted";
    } catch (Rejection e) {
      return e.codeName();
    }
  }

  /** The study asks this way, which is faster. */
  private static String checked(Analyzer analyzer, String sql) {
    try {
      analyzer.check(ParsedQuery.of(sql), AnalysisOptions.DEFAULT);
      return "accepted";
    } catch (Rejection e) {
      return e.codeName();
    }
  }

  @Test
  void theSameSeedGivesTheSameLog() {
    assertEquals(log.subList(0, 100), new DrawnLog(SEED).stream().limit(100).toList());
  }
}
