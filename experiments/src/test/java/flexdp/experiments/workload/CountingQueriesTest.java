package flexdp.experiments.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.Rejection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The queries of the utility experiment are what they say they are. */
class CountingQueriesTest {
  private static final int MANY = 4_000;

  @Test
  void theSharesAreThePapers() throws Exception {
    List<CountingQuery> queries = queries(MANY);
    assertEquals(0.621, share(queries, Trait.JOIN), 0.02);
    assertEquals(0.234, share(queries, Trait.PUBLIC_TABLE), 0.02);
    assertEquals(0.03, share(queries, Trait.INDIVIDUAL), 0.01);
    assertTrue(share(queries, Trait.MANY_TO_MANY) > 0.05);
    assertTrue(share(queries, Trait.HISTOGRAM) > 0.3);
    assertEquals(queries(50), queries(50), "the same seed gives the same queries");
  }

  @Test
  void nearlyAllAreAcceptedAndTheReasonsOfTheRestAreKnown() throws Exception {
    Analyzer analyzer = SmallRides.open().analyzer();
    Map<String, Integer> reasons = new TreeMap<>();
    int accepted = 0;
    for (CountingQuery query : queries(1_000)) {
      try {
        analyzer.analyze(query.sql(), AnalysisOptions.DEFAULT);
        accepted++;
      } catch (Rejection e) {
        reasons.merge(e.codeName() + ": " + query.sql(), 1, Integer::sum);
      }
    }
    assertTrue(accepted >= 970, () -> reasons.toString());
    assertTrue(
        reasons.keySet().stream().allMatch(r -> r.startsWith("LABELS_NOT_ENUMERABLE")),
        () -> reasons.toString());
  }

  @Test
  void theDatabaseAnswersThemAndTheirPopulations() throws Exception {
    SmallRides rides = SmallRides.open();
    int small = 0;
    int large = 0;
    try (Statement statement = rides.connection().createStatement()) {
      for (CountingQuery query : new CountingQueries(rides.data(), 7).take(150)) {
        statement.executeQuery(query.sql()).close();
        try (ResultSet rows = statement.executeQuery(query.population())) {
          assertTrue(rows.next());
          small += rows.getLong(1) < 100 ? 1 : 0;
          large += rows.getLong(1) >= 100 ? 1 : 0;
        }
      }
    }
    assertTrue(small > 30 && large > 30, small + " and " + large);
  }

  private static List<CountingQuery> queries(int count) {
    return new CountingQueries(flexdp.gateway.demo.RideSharing.usual(), 2018).take(count);
  }

  private static double share(List<CountingQuery> queries, Trait trait) {
    return queries.stream().filter(q -> q.is(trait)).count() / (double) queries.size();
  }
}
