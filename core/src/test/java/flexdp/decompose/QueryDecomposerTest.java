package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Range;
import flexdp.query.DpQuery;
import flexdp.query.DpQuery.ResultColumn.Kind;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a query is cut, and what has to be measured there. */
class QueryDecomposerTest {
  @Test
  void aCountIsOneMeasurement() {
    DpQuery query = DecompositionFixture.question("SELECT COUNT(*) FROM trips");
    assertEquals(1, query.releases().size());
    List<Measurement> measurements = query.releases().getFirst().measurements();
    assertEquals(1, measurements.size());
    assertInstanceOf(Measurement.Count.class, measurements.getFirst());
    assertEquals(Optional.of("count"), measurements.getFirst().origin().column());
    assertEquals(Kind.AGGREGATE, query.columns().getFirst().kind());
    assertEquals("COUNT", query.columns().getFirst().aggregate());
  }

  @Test
  void equalMeasurementsAreMadeOnce() {
    // AVG needs a sum and a count of non-NULL fares; COUNT(fare) is that count, COUNT(*) is not.
    assertEquals(
        List.of("sum", "count", "count"),
        parts("SELECT AVG(fare), COUNT(fare), COUNT(*), COUNT(id) FROM trips"));
    assertEquals(
        List.of("count"), parts("SELECT COUNT(*), 2 * COUNT(*) FROM trips HAVING COUNT(*) > 9"));
    assertEquals(
        List.of("count", "sum", "squares"),
        parts("SELECT VARIANCE(fare), STDDEV(fare) FROM trips").stream()
            .sorted(java.util.Comparator.comparing(List.of("count", "sum", "squares")::indexOf))
            .toList());
  }

  /** A count has no range to be summed within; over groups that are shown anyway none is needed. */
  @Test
  void numbersOfGroupsWithoutARangeAreThoseOfTheNoisyGroups() {
    String groups = "SELECT status, COUNT(*) AS n FROM trips GROUP BY status";
    DpQuery stickiness =
        DecompositionFixture.question(
            "WITH g AS ("
                + groups
                + "), w AS (SELECT COUNT(*) AS a FROM trips) SELECT AVG(g.n) / MAX(w.a) AS s FROM g"
                + " CROSS JOIN w");
    assertEquals(2, stickiness.releases().size());
    assertEquals(Kind.DERIVED, stickiness.columns().getFirst().kind());
  }

  private static List<String> parts(String sql) {
    return DecompositionFixture.question(sql).releases().getFirst().measurements().stream()
        .map(m -> m.origin().part())
        .toList();
  }

  @Test
  void countOfACaseCountsRows() {
    Measurement measurement =
        only("SELECT COUNT(CASE WHEN status = 'completed' THEN 1 END) FROM trips");
    assertTrue(measurement.argument().isEmpty());
    assertTrue(measurement.filter().isPresent());
  }

  private static Measurement only(String sql) {
    DpQuery query = DecompositionFixture.question(sql);
    assertEquals(1, query.releases().size());
    assertEquals(1, query.releases().getFirst().measurements().size());
    return query.releases().getFirst().measurements().getFirst();
  }

  @Test
  void rangesFollowFromDeclaredOnes() {
    assertRange("0", "500.00", "SUM(fare)");
    assertRange("0", "1", "SUM(CASE WHEN fare > 10 THEN 1 ELSE 0 END)");
    assertRange("-1000.00", "0", "SUM(-2 * fare)");
    assertRange("-500.00", "500.00", "SUM(fare - COALESCE(fare, 0))");
    assertRange("0", "100", "SUM(LEAST(GREATEST(driver_id, 0), 100))");
    assertRange("1", "12", "SUM(EXTRACT(MONTH FROM at))");
    assertRange("0", "1000.00", "SUM(CASE WHEN paid THEN fare ELSE 2 * fare END)");
    assertRange("0", "100", "SUM(ABS(distance))");
    assertRange("0", "32767", "SUM(CAST(LEAST(GREATEST(driver_id, 0), 99999) AS SMALLINT))");
    assertRange("32767", "32767", "SUM(CAST(99999 AS SMALLINT))");
  }

  private static void assertRange(String low, String high, String aggregate) {
    Range range = range("SELECT " + aggregate + " FROM trips");
    assertEquals(0, new BigDecimal(low).compareTo(range.low()), aggregate + " low " + range);
    assertEquals(0, new BigDecimal(high).compareTo(range.high()), aggregate + " high " + range);
  }

  private static Range range(String sql) {
    return assertInstanceOf(Measurement.Sum.class, only(sql)).clamp().range();
  }

  @Test
  void filtersNarrowRanges() {
    Range range = range("SELECT SUM(driver_id) FROM trips WHERE driver_id BETWEEN 5 AND 10");
    assertEquals(new BigDecimal("5"), range.low());
    assertEquals(new BigDecimal("10"), range.high());
  }

  @Test
  void nestedAggregatesHaveRangesThroughLeastAndGreatest() {
    Range range =
        range(
            "SELECT SUM(LEAST(n, 20)) FROM"
                + " (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) x");
    assertEquals(BigDecimal.ZERO, range.low());
    assertEquals(0, BigDecimal.valueOf(20).compareTo(range.high()));
  }

  @Test
  void noRangeIsARejectionThatSuggestsOne() {
    Rejection rejection = rejected("SELECT SUM(driver_id) FROM trips");
    assertEquals(RejectionCode.MISSING_RANGE, rejection.code());
    assertTrue(rejection.hint().contains("LEAST"));
    assertEquals(RejectionCode.TYPE_MISMATCH, rejected("SELECT MAX(note) FROM trips").code());
  }

  private static Rejection rejected(String sql) {
    return assertThrows(Rejection.class, () -> DecompositionFixture.question(sql));
  }

  @Test
  void rawRowsAreRejected() {
    assertEquals(RejectionCode.RAW_ROWS, rejected("SELECT * FROM trips").code());
    assertEquals(RejectionCode.RAW_ROWS, rejected("SELECT DISTINCT note FROM trips").code());
    assertEquals(RejectionCode.RAW_ROWS, rejected("SELECT note FROM trips GROUP BY note").code());
    assertEquals(
        RejectionCode.PROTECTED_ABOVE_RELEASE,
        rejected("SELECT t.id, x.n FROM trips t CROSS JOIN (SELECT COUNT(*) AS n FROM trips) x")
            .code());
  }

  /** The list itself, whatever rows there are; nothing that could be taken for more. */
  @Test
  void labelsThatAreListedAreShown() {
    for (String sql :
        List.of(
            "SELECT DISTINCT status FROM trips",
            "SELECT status FROM trips WHERE fare > 3 GROUP BY status ORDER BY status LIMIT 10")) {
      DpQuery query = DecompositionFixture.question(sql);
      assertTrue(query.listed() && query.releases().isEmpty(), sql);
      assertTrue(OmittedRows.of(query).contains("declared, not present"));
    }
    for (String sql :
        List.of(
            "SELECT status, COUNT(*) OVER () FROM trips GROUP BY status",
            "SELECT DISTINCT a.status FROM trips a JOIN trips b ON a.id = b.id",
            "SELECT DISTINCT status FROM trips UNION SELECT DISTINCT status FROM trips",
            "SELECT DISTINCT status FROM trips WHERE id IN (SELECT id FROM trips)")) {
      rejected(sql);
    }
    assertTrue(
        !DecompositionFixture.question("SELECT status, COUNT(*) FROM trips GROUP BY status")
            .listed());
  }

  @Test
  void noRowsAreShownWithoutLookingAtAny() {
    for (String sql :
        List.of(
            "SELECT * FROM trips LIMIT 0",
            "SELECT * FROM (SELECT * FROM trips) t WHERE 1 = 0",
            "SELECT COUNT(*) FROM trips LIMIT 0")) {
      DpQuery query = DecompositionFixture.question(sql);
      assertTrue(query.releases().isEmpty() && !query.listed(), sql);
    }
    assertEquals(
        1,
        DecompositionFixture.question("SELECT COUNT(*) FROM trips WHERE 1 = 0").releases().size());
  }

  @Test
  void theTopmostAggregateIsTheReleasePoint() {
    DpQuery query =
        DecompositionFixture.question(
            "SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id"
                + " HAVING COUNT(*) > 3) x");
    assertEquals(1, query.releases().size());
    assertEquals(1, query.releases().getFirst().measurements().size());
  }

  @Test
  void everyBranchHasItsOwnReleasePoint() {
    DpQuery query =
        DecompositionFixture.question(
            "SELECT a.n / b.n FROM (SELECT COUNT(*) AS n FROM trips) a,"
                + " (SELECT COUNT(*) AS n FROM trips WHERE paid) b");
    assertEquals(2, query.releases().size());
    assertEquals(Kind.DERIVED, query.columns().getFirst().kind());
  }

  @Test
  void publicTablesAloneNeedNoRelease() {
    assertTrue(
        DecompositionFixture.question("SELECT name FROM cities ORDER BY name")
            .releases()
            .isEmpty());
    assertTrue(DecompositionFixture.question("SELECT COUNT(*) FROM cities").releases().isEmpty());
  }

  @Test
  void labelsChosenByANoisyAggregateAreAccepted() {
    DpQuery query =
        DecompositionFixture.question(
            "SELECT status FROM trips GROUP BY status HAVING COUNT(*) > 100");
    assertEquals(Kind.KEY, query.columns().getFirst().kind());
    assertEquals(
        Optional.empty(), query.releases().getFirst().measurements().getFirst().origin().column());
    assertInstanceOf(
        Labels.Enumerated.class,
        DecompositionFixture.question(
                "SELECT status FROM trips GROUP BY status ORDER BY COUNT(*) DESC LIMIT 5")
            .releases()
            .getFirst()
            .labels());
  }

  @Test
  void kindsOfColumns() {
    DpQuery query =
        DecompositionFixture.question(
            "SELECT status, COUNT(*), AVG(fare), 1, COUNT(*) + 1 FROM trips GROUP BY 1");
    assertEquals(
        List.of(Kind.KEY, Kind.AGGREGATE, Kind.AGGREGATE, Kind.CONSTANT, Kind.DERIVED),
        query.columns().stream().map(DpQuery.ResultColumn::kind).toList());
  }

  @Test
  void theGreatestOfNoisyGroupsIsReadFromTheSameDraw() {
    String groups = "WITH t AS (SELECT status, COUNT(*) n, SUM(fare) s FROM trips GROUP BY status)";
    for (String sql :
        List.of(
            groups + " SELECT status, n FROM t WHERE n = (SELECT MAX(n) FROM t)",
            groups + " SELECT status, n FROM t WHERE n = (SELECT MIN(n) FROM t)",
            groups + " SELECT status, s FROM t WHERE s >= (SELECT MAX(s) FROM t) / 2",
            "SELECT status, COUNT(*) FROM trips GROUP BY status HAVING COUNT(*) = (SELECT MAX(n)"
                + " FROM (SELECT COUNT(*) n FROM trips GROUP BY status) q)")) {
      DpQuery query = DecompositionFixture.question(sql);
      assertEquals(1, query.releases().size(), sql);
      assertEquals(1, query.releases().getFirst().measurements().size(), sql);
    }
  }

  @Test
  void theGreatestOfGroupsThatAreNotShownHasADrawOfItsOwn() {
    Measurement alone =
        only("SELECT MAX(n) FROM (SELECT status, COUNT(*) n FROM trips GROUP BY status) t");
    assertInstanceOf(Measurement.Quantile.class, alone);
    DpQuery other =
        DecompositionFixture.question(
            "WITH t AS (SELECT status, COUNT(*) n FROM trips GROUP BY status) SELECT status, n"
                + " FROM t WHERE n > (SELECT MAX(c) FROM (SELECT rating, COUNT(*) c FROM trips"
                + " GROUP BY rating) u)");
    assertEquals(2, other.releases().size());
  }

  @Test
  void extremesNeedNoCount() {
    assertEquals(List.of("quantile"), parts("SELECT MIN(fare) FROM trips"));
    assertEquals(List.of("quantile", "count"), parts("SELECT MIN(fare), COUNT(*) FROM trips"));
    assertEquals(
        List.of("quantile", "sum", "count"), parts("SELECT MAX(fare), AVG(fare) FROM trips"));
  }
}
