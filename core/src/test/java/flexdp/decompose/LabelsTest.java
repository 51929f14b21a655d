package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.query.Bins;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where the bins of a histogram come from. */
class LabelsTest {
  private static List<LabelSource> sources(String sql) {
    Labels labels = DecompositionFixture.question(sql).releases().getFirst().labels();
    return assertInstanceOf(Labels.Enumerated.class, labels).sources();
  }

  private static List<Object> constants(String key) {
    return constantsOf("SELECT " + key + ", COUNT(*) FROM trips GROUP BY 1");
  }

  private static List<Object> constantsOf(String sql) {
    LabelSource source = sources(sql).getFirst();
    List<Object> values = new ArrayList<>();
    assertInstanceOf(LabelSource.Constants.class, source)
        .rows()
        .forEach(row -> values.add(row.getFirst()));
    return values;
  }

  @Test
  void declaredDomainsAreTheLabelsAndDecideAboutNull() {
    assertEquals(List.of("requested", "completed"), constants("status"));
    assertEquals(Arrays.asList(BigDecimal.ONE, BigDecimal.TWO, null), constants("rating"));
  }

  @Test
  void booleansAndCasesEnumerateThemselves() {
    assertEquals(Arrays.asList(true, false, null), constants("paid"));
    assertEquals(List.of(true, false), constants("distance > 3"));
    assertEquals(
        List.of("far", "near"), constants("CASE WHEN distance > 3 THEN 'far' ELSE 'near' END"));
    assertEquals(Arrays.asList("far", null), constants("CASE WHEN distance > 3 THEN 'far' END"));
    assertEquals(List.of("requested", "completed", "none"), constants("COALESCE(status, 'none')"));
    // A listed NULL gives way, too.
    assertEquals(
        List.of(BigDecimal.ONE, BigDecimal.TWO, BigDecimal.valueOf(9)),
        constants("COALESCE(rating, 9)"));
  }

  @Test
  void expressionsOverListedOrBoundedColumnsAreComputedForEachValue() {
    assertEquals(List.of("compl", "reque"), constants("LEFT(status, 5)"));
    assertEquals(
        List.of("completed", "completed1", "completed2", "requested", "requested1", "requested2"),
        constants("CONCAT(status, CAST(rating AS varchar))").stream()
            .filter(v -> v != null)
            .toList());
    assertEquals(
        List.of("2024-01", "2024-02"),
        where("TO_CHAR(at, 'YYYY-MM')", "at >= '2024-01-01' AND at < '2024-03-01'").stream()
            .filter(v -> v != null)
            .toList());
    assertEquals(
        List.of(LocalDate.of(2024, 1, 1), LocalDate.of(2024, 2, 1)),
        where("CAST(DATE_TRUNC('month', at) AS date)", "at >= '2024-01-01' AND at < '2024-03-01'")
            .stream()
            .filter(v -> v != null)
            .toList());
  }

  private static List<Object> first(String status) {
    return constantsOf(
        "SELECT s, COUNT(*) FROM (SELECT driver_id, "
            + status
            + " AS s FROM trips GROUP BY driver_id) x GROUP BY s");
  }

  @Test
  void theLeastOfAGroupIsOneOfItsValues() {
    assertEquals(List.of("requested", "completed"), first("MIN(status)"));
    assertEquals(
        Arrays.asList("requested", "completed", null), first("MAX(status) FILTER (WHERE paid)"));
    assertEquals(Arrays.asList(BigDecimal.ONE, BigDecimal.TWO, null), first("MAX(rating)"));
    assertEquals(Arrays.asList(true, false, null), first("MIN(paid)"));
    assertEquals(91, first("MIN(day)").size());
    assertEquals(3, first("MIN(DATE_TRUNC('month', day))").size());
    // What one column may be is nothing that a sum may be.
    assertThrows(Rejection.class, () -> first("SUM(rating)"));
  }

  @Test
  void aGroupOfNoRowsHasNoLeastValue() {
    assertEquals(
        Arrays.asList("requested", "completed", null),
        constantsOf(
            "SELECT s, COUNT(*) FROM trips t CROSS JOIN (SELECT MIN(status) AS s FROM trips) x"
                + " GROUP BY s"));
  }

  /** MODE of a sign made constants of them, and no constant is of another type than it says. */
  @Test
  void signsHaveTheTypeOfWhatTheyAreSignsOf() {
    assertEquals(List.of(-1.0, 0.0, 1.0), constants("SIGN(distance)"));
    // A float and a number that are equal would be two labels of one group.
    assertEquals(List.of(-1.0, 0.0, 1.0), constants("COALESCE(SIGN(distance), 0)"));
    assertEquals(
        List.of(BigDecimal.ONE.negate(), BigDecimal.ZERO, BigDecimal.ONE),
        constants("SIGN(id)").stream().filter(v -> v != null).toList());
    for (String column : List.of("distance", "id", "rating")) {
      assertEquals(
          1,
          DecompositionFixture.question("SELECT MODE(SIGN(" + column + ")) FROM trips")
              .releases()
              .size());
    }
  }

  @Test
  void stepsOfNumbersWithoutLabelsAreComputedFromTheirBounds() {
    List<Object> steps = where("FLOOR(distance / 5) * 5", "distance >= 0 AND distance < 20");
    assertEquals(List.of(0.0, 5.0, 10.0, 15.0, 20.0), steps.subList(0, 5));
    assertThrows(Rejection.class, () -> constants("CONCAT(status, rider)"));
  }

  private static List<Object> where(String key, String condition) {
    return constantsOf(
        "SELECT " + key + ", COUNT(*) FROM trips WHERE " + condition + " GROUP BY 1");
  }

  private static List<Object> numbers(long... values) {
    return Arrays.stream(values).mapToObj(BigDecimal::valueOf).map(v -> (Object) v).toList();
  }

  @Test
  void conditionsOnTheExpressionOfAKeyListItsLabels() {
    assertEquals(
        numbers(2022, 2023),
        where("EXTRACT(YEAR FROM at)", "EXTRACT(YEAR FROM at) IN (2022, 2023)"));
    assertEquals(
        numbers(2022, 2023),
        where("EXTRACT(YEAR FROM at)", "EXTRACT(YEAR FROM at) BETWEEN 2022 AND 2023"));
    assertEquals(List.of("abc", "x"), where("LEFT(note, 3)", "LEFT(note, 3) IN ('abc', 'x')"));
    assertEquals(
        List.of("abc", "x"),
        where(
            "SUBSTRING(note, 1, 3)",
            "SUBSTRING(note, 1, 3) = 'abc' OR SUBSTRING(note, 1, 3) = 'x'"));
    assertEquals(
        List.of("A"),
        constantsOf(
            "SELECT k, COUNT(*) FROM (SELECT UPPER(note) AS k FROM trips) x WHERE k = 'A' GROUP BY"
                + " k"));
    assertEquals(
        List.of("A"),
        constantsOf(
            "SELECT UPPER(n), COUNT(*) FROM (SELECT note AS n FROM trips WHERE UPPER(note) = 'A') x"
                + " GROUP BY UPPER(n)"));
    assertEquals(
        List.of("A"),
        constantsOf(
            "SELECT UPPER(note), COUNT(*) FROM trips GROUP BY UPPER(note)"
                + " HAVING UPPER(note) IN ('A') AND COUNT(*) > 3"));
  }

  @Test
  void conditionsThatAnOuterJoinLooksPastListNothing() {
    String joined =
        "SELECT UPPER(b.note), COUNT(*) FROM trips a LEFT JOIN (SELECT id, note FROM trips WHERE"
            + " UPPER(note) = 'A') b ON a.id = b.id GROUP BY UPPER(b.note)";
    assertEquals(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        assertThrows(Rejection.class, () -> DecompositionFixture.question(joined)).code());
    assertEquals(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        assertThrows(Rejection.class, () -> where("UPPER(note)", "LOWER(note) = 'a'")).code());
  }

  @Test
  void rangesOfTimestampsGiveLabelsAsThoseOfDates() {
    List<Object> months =
        List.of(LocalDate.of(2022, 1, 1).atStartOfDay(), LocalDate.of(2022, 2, 1).atStartOfDay());
    String month = "DATE_TRUNC('month', at)";
    for (String range :
        List.of(
            "at >= '2022-01-01' AND at < '2022-03-01'",
            "at >= DATE '2022-01-01' AND DATE '2022-03-01' > at",
            "at BETWEEN '2022-01-01 00:00:00' AND '2022-02-28 23:59:59'")) {
      assertEquals(months, where(month, range), range);
    }
    assertEquals(12, where(month, "EXTRACT(YEAR FROM at) = 2022").size());
    assertEquals(24, where(month, "EXTRACT(YEAR FROM at) IN (2022, 2023)").size());
    assertEquals(
        numbers(2022, 2023),
        where("EXTRACT(YEAR FROM at)", "at >= DATE '2022-01-01' AND at < DATE '2024-01-01'"));
    assertEquals(
        List.of(LocalDate.of(2022, 1, 1), LocalDate.of(2022, 1, 2)),
        where("CAST(at AS DATE)", "at >= '2022-01-01' AND at < '2022-01-03'"));
    assertEquals(
        List.of(LocalDate.of(2022, 1, 1), LocalDate.of(2022, 1, 2)),
        where(
            "CAST(at AS DATE)",
            "CAST(at AS DATE) >= DATE '2022-01-01' AND CAST(at AS DATE) < DATE '2022-01-03'"));
    assertEquals(
        List.of(LocalDate.of(2016, 3, 31)), where("day", "day > TIMESTAMP '2016-03-30 05:00:00'"));
  }

  /** It is noon of 1 September 2016. */
  @Test
  void theLastDaysEndNow() {
    for (String since :
        List.of(
            "at >= now() - INTERVAL '7' DAY",
            "at > CURRENT_TIMESTAMP - INTERVAL '7' DAY",
            "at >= CURRENT_DATE - 7",
            "CAST(at AS DATE) >= CURRENT_DATE - 7")) {
      List<Object> days = where("CAST(at AS DATE)", since);
      assertEquals(LocalDate.of(2016, 8, 25), days.getFirst(), since);
      assertEquals(LocalDate.of(2016, 9, 1), days.getLast(), since);
      assertEquals(8, days.size(), since);
    }
    assertEquals(
        25, where("DATE_TRUNC('hour', at)", "at >= now() - INTERVAL '1' DAY").size(), "hours");
    assertEquals(3, where("DATE_TRUNC('month', at)", "at >= now() - INTERVAL '2' MONTH").size());
    // An end that is given stays, and what does not speak of now has no end.
    assertEquals(
        2, where("CAST(at AS DATE)", "at >= CURRENT_DATE - 7 AND at < CURRENT_DATE - 5").size());
    assertEquals(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        assertThrows(Rejection.class, () -> where("CAST(at AS DATE)", "at >= DATE '2016-08-25'"))
            .code());
    assertEquals(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        assertThrows(Rejection.class, () -> where("CAST(at AS DATE)", "at <= now()")).code());
  }

  @Test
  void wholeNumbersWithinBoundsAreLabels() {
    assertEquals(numbers(3, 4), where("driver_id", "driver_id > 2 AND driver_id < 5"));
    assertEquals(
        numbers(3, 4), where("driver_id", "driver_id >= 2.5 AND driver_id <= 4.5"), "fractions");
    assertEquals(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        assertThrows(Rejection.class, () -> where("driver_id", "driver_id BETWEEN 1 AND 1001"))
            .code());
    assertInstanceOf(
        LabelSource.FromPublic.class,
        sources(
                "SELECT city_id, COUNT(*) FROM trips WHERE city_id BETWEEN 1 AND 9 GROUP BY"
                    + " city_id")
            .getFirst(),
        "a public table knows better");
    assertEquals(Arrays.asList(BigDecimal.ONE, BigDecimal.TWO, null), constants("rating"));
    assertEquals(
        Arrays.asList(BigDecimal.ZERO, BigDecimal.ONE, BigDecimal.TWO, null), constants("seats"));
  }

  private static final String INTERVALS =
      "SELECT CASE WHEN paid THEN INTERVAL '1' DAY ELSE INTERVAL '2' DAY END AS g, COUNT(*)"
          + " FROM trips GROUP BY 1";

  @Test
  void labelsThatCannotBeShownAreRefusedHoweverTheyAreFound() {
    Optional<BigDecimal> thresholding = Optional.of(new BigDecimal("1e-6"));
    Bins bins = new Bins(List.of("g"), List.of(List.of("1 day")));
    String computed = "SELECT at - TIMESTAMP '2016-01-01 00:00:00' AS g, COUNT(*) FROM trips";
    for (String sql :
        List.of(
            INTERVALS,
            computed + " GROUP BY 1",
            computed + " GROUP BY GROUPING SETS ((1), ())",
            INTERVALS.replace("DAY", "MONTH"),
            "SELECT paid, COUNT(*) FROM trips GROUP BY ROLLUP (paid, at - at)",
            "SELECT photo AS g, COUNT(*) FROM trips GROUP BY photo",
            "SELECT g, n FROM (SELECT at - at AS g, SUM(fare) AS n FROM trips GROUP BY 1) x")) {
      for (Optional<BigDecimal> delta : List.of(thresholding, Optional.<BigDecimal>empty())) {
        for (Optional<Bins> supplied : List.of(Optional.of(bins), Optional.<Bins>empty())) {
          Rejection e =
              assertThrows(
                  Rejection.class, () -> DecompositionFixture.question(sql, supplied, delta), sql);
          assertEquals(RejectionCode.LABEL_TYPE, e.code(), sql);
        }
      }
    }
  }

  @Test
  void whatIsNotShownMayBeGroupedByAnything() {
    for (String sql :
        List.of(
            "SELECT COUNT(*) FROM (SELECT at - at AS g FROM trips GROUP BY 1) x",
            "SELECT COUNT(DISTINCT at - at), COUNT(DISTINCT photo) FROM trips",
            "SELECT COUNT(*) FROM (SELECT DISTINCT photo FROM trips) x")) {
      assertEquals(1, DecompositionFixture.question(sql).releases().size(), sql);
    }
  }

  @Test
  void constantsInTheQueryListTheLabels() {
    assertEquals(
        List.of("a", "b"),
        constantsOf(
            "SELECT note, COUNT(*) FROM trips WHERE note IN ('a', 'b', 'a') GROUP BY note"));
    assertEquals(
        List.of("a", "b"),
        constantsOf(
            "SELECT note, COUNT(*) FROM trips WHERE note = 'a' OR note = 'b' GROUP BY note"));
  }

  @Test
  void theCalendarEnumeratesDates() {
    assertEquals(12, constants("EXTRACT(MONTH FROM at)").size());
    assertEquals(91, constants("day").size());
    assertEquals(
        List.of(LocalDate.of(2016, 1, 1), LocalDate.of(2016, 2, 1), LocalDate.of(2016, 3, 1)),
        constants("date_trunc('month', day)"));
    assertEquals(
        2,
        constantsOf(
                "SELECT date_trunc('month', at), COUNT(*) FROM trips"
                    + " WHERE at >= TIMESTAMP '2016-02-10 00:00:00'"
                    + " AND at < TIMESTAMP '2016-03-05 00:00:00' GROUP BY 1")
            .size());
  }

  @Test
  void publicTablesGiveTheirDistinctTuples() {
    List<LabelSource> sources =
        sources(
            "SELECT c.name, c.country, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id"
                + " GROUP BY c.name, c.country");
    assertEquals(1, sources.size());
    LabelSource.FromPublic tuples =
        assertInstanceOf(LabelSource.FromPublic.class, sources.getFirst());
    assertEquals(List.of(0, 1), tuples.keys());
    assertEquals(false, tuples.orNull());
  }

  @Test
  void anOuterJoinAddsTheNullLabel() {
    LabelSource.FromPublic tuples =
        assertInstanceOf(
            LabelSource.FromPublic.class,
            sources(
                    "SELECT c.name, COUNT(*) FROM trips t LEFT JOIN cities c ON t.city_id = c.id"
                        + " GROUP BY c.name")
                .getFirst());
    assertTrue(tuples.orNull());
  }

  @Test
  void aReferenceToAPublicColumnSuppliesLabels() {
    assertInstanceOf(
        LabelSource.FromPublic.class,
        sources("SELECT city_id, COUNT(*) FROM trips GROUP BY city_id").getFirst());
  }

  @Test
  void computedKeysOfPublicTablesAreEnumerable() {
    assertInstanceOf(
        LabelSource.FromPublic.class,
        sources(
                "SELECT upper(c.name), COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id"
                    + " GROUP BY 1")
            .getFirst());
  }

  @Test
  void predicatesOnKeysFilterTheLabels() {
    Labels.Enumerated labels =
        assertInstanceOf(
            Labels.Enumerated.class,
            DecompositionFixture.question(
                    "SELECT status, COUNT(*) FROM trips WHERE status <> 'requested' GROUP BY"
                        + " status")
                .releases()
                .getFirst()
                .labels());
    assertEquals(1, labels.filters().size());
  }

  @Test
  void otherLabelsAreRejectedUnlessSuppliedOrThresholded() {
    String sql = "SELECT note, COUNT(*) FROM trips GROUP BY note";
    assertEquals(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        assertThrows(Rejection.class, () -> DecompositionFixture.question(sql)).code());
    Bins bins = new Bins(List.of("NOTE"), List.of(List.of("x"), List.of("y"), List.of("x")));
    assertEquals(
        List.of(List.of("x"), List.of("y")),
        assertInstanceOf(
                Labels.Supplied.class,
                DecompositionFixture.question(sql, Optional.of(bins), Optional.empty())
                    .releases()
                    .getFirst()
                    .labels())
            .rows());
    assertInstanceOf(
        Labels.Thresholded.class,
        DecompositionFixture.question(sql, Optional.empty(), Optional.of(new BigDecimal("1e-9")))
            .releases()
            .getFirst()
            .labels());
  }

  @Test
  void labelsAreConvertedWithTheKey() {
    assertEquals(
        List.of(1.0, 2.0, 0.5), constants("COALESCE(rating, 5e-1)"), "as doubles, like the key");
    assertEquals(
        Arrays.asList(new BigDecimal("1"), new BigDecimal("2"), null, new BigDecimal("7e9")),
        constantsOf(
            "SELECT z, COUNT(*) FROM (SELECT rating AS z FROM trips UNION ALL SELECT 7000000000"
                + " FROM trips) q GROUP BY z"));
  }

  @Test
  void theNumberOfLabelsIsLimited() {
    assertEquals(
        RejectionCode.TOO_MANY_LABELS,
        assertThrows(
                Rejection.class,
                () ->
                    DecompositionFixture.question(
                        "SELECT day, EXTRACT(DAY FROM at), COUNT(*) FROM trips GROUP BY 1, 2"))
            .code());
  }

  @Test
  void aConditionWithNullNarrowsNothing() {
    assertTrue(where("rating", "NULL IS DISTINCT FROM rating").containsAll(numbers(1, 2)));
    assertTrue(where("seats", "NULL IS DISTINCT FROM distance").containsAll(numbers(0, 1, 2)));
  }
}
