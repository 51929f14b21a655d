package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedMeasurementsTest {
  private static final String YEARLY =
      "WITH y AS (SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) AS n, SUM(fare) AS s FROM trips"
          + " GROUP BY EXTRACT(MONTH FROM day)) ";

  private static int draws(String sql) {
    return draws(DecompositionFixture.question(sql));
  }

  private static int draws(DpQuery query) {
    return query.releases().stream().mapToInt(r -> r.measurements().size()).sum();
  }

  @Test
  void aTableExpressionReadTwiceIsDrawnOnce() {
    DpQuery query =
        DecompositionFixture.question(
            YEARLY + "SELECT a.m, a.n, b.n FROM y a LEFT JOIN y b ON b.m = a.m - 1 ORDER BY 1");
    assertEquals(1, query.releases().size());
    assertEquals(1, draws(query));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.n, b.n | 1",
        "a.n, a.s, b.n | 2",
        "a.n, b.n, b.s | 2",
        "a.n, b.s | 2",
        "a.n, a.s, b.n, b.s | 2"
      })
  void everyMeasurementIsDrawnOnceWhateverEachPlaceReads(String columns, int draws) {
    assertEquals(draws, draws(YEARLY + "SELECT " + columns + " FROM y a JOIN y b ON a.m = b.m"));
  }

  @Test
  void placesThatShareSomeMeasurementsAreJoinedByTheirLabels() {
    DpQuery query =
        DecompositionFixture.question(
            "SELECT a.n, a.x, b.n, b.x FROM"
                + " (SELECT status, COUNT(*) AS n, SUM(fare) AS x FROM trips GROUP BY status) a"
                + " JOIN (SELECT status, COUNT(*) AS n, SUM(distance) AS x FROM trips"
                + " GROUP BY status) b ON a.status = b.status");
    assertEquals(2, query.releases().size());
    assertEquals(3, draws(query));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT (SELECT COUNT(*) FROM trips), COUNT(*) FROM trips",
        "SELECT COUNT(*) FROM trips UNION ALL SELECT COUNT(*) FROM trips t",
        "SELECT COUNT(*) FROM trips WHERE paid AND fare > 3 UNION ALL"
            + " SELECT COUNT(*) FROM trips x WHERE 3 < x.fare AND x.paid",
        "SELECT SUM(fare * 2), SUM(2 * fare) FROM trips"
      })
  void meaningDecidesAndNotTheText(String sql) {
    assertEquals(1, draws(sql), sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM trips UNION ALL SELECT COUNT(*) FROM trips WHERE paid",
        "SELECT COUNT(*) FROM trips UNION ALL SELECT COUNT(fare) FROM trips",
        "SELECT COUNT(DISTINCT fare) FROM trips UNION ALL SELECT COUNT(fare) FROM trips",
        "SELECT SUM(fare) FROM trips UNION ALL SELECT SUM(LEAST(fare, 100)) FROM trips",
        "SELECT a.n, b.n FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) a JOIN"
            + " (SELECT status, COUNT(*) AS n FROM trips WHERE status IN ('requested')"
            + " GROUP BY status) b ON a.status = b.status",
        "SELECT a.n, b.n FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) a JOIN"
            + " (SELECT status, rating, COUNT(*) AS n FROM trips GROUP BY status, rating) b"
            + " ON a.status = b.status"
      })
  void whatDiffersIsDrawnApart(String sql) {
    assertEquals(2, draws(sql), sql);
  }

  @Test
  void placesHaveColumnsOfTheirOwn() {
    DpQuery query =
        DecompositionFixture.question(
            YEARLY + "SELECT a.n - b.n AS more FROM y a JOIN y b ON a.m = b.m + 1");
    List<Relation.Released> places = new ArrayList<>();
    AlgebraWalker.visit(
        query.top(),
        r -> {
          if (r instanceof Relation.Released released) {
            places.add(released);
          }
        });
    assertEquals(2, places.size());
    Set<Integer> ids = new HashSet<>();
    places.forEach(p -> p.columns().forEach(c -> ids.add(c.id())));
    assertEquals(4, ids.size());
    // Two cells of one measurement: both have to hold, so each counts for the error bar.
    assertEquals(
        2,
        AlgebraWalker.references(
                QueryWithIntervals.definition(query, query.columns().getFirst().column())
                    .orElseThrow())
            .size());
  }

  @Test
  void shiftedReadingsAreOtherQuestionsThanPlainOnes() {
    String plain =
        QueryFingerprint.of(DecompositionFixture.question(YEARLY + "SELECT a.n - a.n FROM y a"));
    String paired =
        QueryFingerprint.of(
            DecompositionFixture.question(
                YEARLY + "SELECT a.n - b.n FROM y a JOIN y b ON a.m = b.m"));
    String shifted =
        QueryFingerprint.of(
            DecompositionFixture.question(
                YEARLY + "SELECT a.n - b.n FROM y a JOIN y b ON a.m = b.m + 1"));
    String turned =
        QueryFingerprint.of(
            DecompositionFixture.question(
                YEARLY + "SELECT b.n - a.n FROM y a JOIN y b ON a.m = b.m + 1"));
    assertEquals(4, Set.of(plain, paired, shifted, turned).size());
  }

  @Test
  void thresholdedHistogramsShareAllOrNothing() {
    String both =
        "SELECT a.n, b.n, b.x FROM (SELECT note, COUNT(*) AS n, SUM(fare) AS y FROM trips GROUP BY"
            + " note HAVING SUM(fare) > 0) a JOIN (SELECT note, COUNT(*) AS n, SUM(distance) AS x"
            + " FROM trips GROUP BY note) b ON a.note = b.note";
    Optional<BigDecimal> delta = Optional.of(new BigDecimal("1e-9"));
    assertEquals(4, draws(DecompositionFixture.question(both, Optional.empty(), delta)));
    String twice =
        "WITH c AS (SELECT note, COUNT(*) AS n FROM trips GROUP BY note) SELECT a.n, b.n FROM c a"
            + " JOIN c b ON a.note = b.note";
    assertEquals(1, draws(DecompositionFixture.question(twice, Optional.empty(), delta)));
  }
}
