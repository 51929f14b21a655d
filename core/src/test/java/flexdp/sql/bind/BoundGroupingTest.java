package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;
import static flexdp.sql.bind.BindingFixture.bind;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.RejectionCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GROUP BY, HAVING, aggregate functions and what may stand above them. */
class BoundGroupingTest {
  @Test
  void keysThatAreComputedAreProjectedFirst() {
    assertBinds(
        "project(aggregate(project(trips, driver_id#1, m#9=date_trunc('MONTH', #5),"
            + " extract#10=extract('YEAR', #6)), [m#9, extract#10], [count#8=count(distinct #1)]),"
            + " m#9, extract#10, count#8)",
        "SELECT date_trunc('month', at) m, extract(year from day), count(distinct driver_id)"
            + " FROM trips GROUP BY date_trunc('month', at), 2");
    assertBinds(
        "project(limit(aggregate(project(trips, status#4, u#9=upper(#4)), [s#4, u#9],"
            + " [count#8=count(*)]), [#8 desc, #9]), s#4, u#9, count#8)",
        "SELECT status s, upper(status) u, count(*) FROM trips GROUP BY s, u ORDER BY 3"
            + " DESC, u");
    assertBinds(
        "project(aggregate(project(trips, ?column?#9=plus(#2, 1)), [?column?#9],"
            + " [count#8=count(*)]), ?column?#10=times(#9, 2), count#8)",
        "SELECT (city_id + 1) * 2, count(*) FROM trips GROUP BY city_id + 1");
    assertBinds(
        "project(aggregate(trips, [status#4], [count#8=count(*)]), count#8, count#9=#8)",
        "SELECT count(*) AS count, count(*) FROM trips GROUP BY status, status");
    assertBinds(
        "project(aggregate(trips, [status#4], [count#8=count(*)]), status#4, count#8)",
        "SELECT status, count(*) FROM trips GROUP BY ALL");
  }

  @Test
  void groupingSets() {
    assertBinds(
        "project(aggregate(trips, [status#4, city_id#2][[0, 1], [0], []],"
            + " [count#8=count(*)], grouping#9=grouping[0]), status#4, city_id#2, count#8,"
            + " grouping#9)",
        "SELECT status, city_id, count(*), grouping(status) FROM trips GROUP BY"
            + " ROLLUP(status, city_id)");
    assertBinds(
        "project(aggregate(trips, [status#4, city_id#2][[0], [1], []], [count#8=count(*)]),"
            + " status#4, city_id#2, count#8)",
        "SELECT status, city_id, count(*) FROM trips GROUP BY GROUPING SETS ((status),"
            + " (city_id), ())");
    assertBinds(
        "project(aggregate(trips, [status#4, city_id#2][[0, 1], [0], [1], []],"
            + " [count#8=count(*)]), status#4, city_id#2, count#8)",
        "SELECT status, city_id, count(*) FROM trips GROUP BY CUBE(status, city_id)");
    assertRejects(
        RejectionCode.INVALID_GROUPING,
        "SELECT status, grouping(paid) FROM trips GROUP BY ROLLUP(status)");
  }

  @Test
  void whatIsNeitherGroupedNorAggregatedIsRefused() {
    assertRejects(RejectionCode.INVALID_GROUPING, "SELECT status FROM trips GROUP BY city_id");
    assertRejects(
        RejectionCode.INVALID_GROUPING,
        "SELECT t.status, count(*) FROM drivers d JOIN trips t ON t.driver_id = d.id GROUP"
            + " BY d.id");
    assertRejects(RejectionCode.INVALID_GROUPING, "SELECT count(*) FROM trips GROUP BY 3");
    assertRejects(RejectionCode.INVALID_GROUPING, "SELECT count(*) FROM trips ORDER BY 2");
    assertRejects(
        RejectionCode.INVALID_GROUPING, "SELECT DISTINCT status FROM trips ORDER BY fare");
  }

  @Test
  void nothingThatIsWrittenInAnAggregateIsLeftOut() {
    for (String one : List.of("sum", "avg", "stddev", "var_pop", "min", "median", "total")) {
      assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT " + one + "(fare, 3, 4) FROM trips");
    }
    assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT avg(fare, 3) FROM trips");
    assertRejects(
        RejectionCode.TYPE_MISMATCH,
        "SELECT status, sum(count(*), 3) OVER () FROM trips GROUP BY status");
    for (String one :
        List.of(
            "median(DISTINCT fare)",
            "quantile_cont(DISTINCT fare, 0.5)",
            "percentile_cont(DISTINCT 0.5) WITHIN GROUP (ORDER BY fare)",
            "corr(DISTINCT fare, city_id)",
            "skewness(DISTINCT fare)",
            "count_if(DISTINCT fare > 3)",
            "sum(fare) WITHIN GROUP (ORDER BY fare)",
            "count(*) WITHIN GROUP (ORDER BY fare)",
            "percentile_cont(0.5) WITHIN GROUP (ORDER BY fare, city_id)",
            "mode() WITHIN GROUP (ORDER BY status, city_id)")) {
      assertRejects(RejectionCode.UNSUPPORTED, "SELECT " + one + " FROM trips");
    }
    assertRejects(
        RejectionCode.UNSUPPORTED,
        "SELECT count(*) FROM (SELECT median(DISTINCT fare) m FROM trips GROUP BY city_id) x");
  }

  @Test
  void aDeclaredKeyDeterminesTheRow() {
    assertBinds(
        "project(limit(aggregate(inner(drivers, trips, eq(#4, #0)), [id#0, name#1],"
            + " [count#11=count(*)]), [#1]), id#0, name#1, count#11)",
        "SELECT d.id, d.name, count(*) FROM drivers d JOIN trips t ON t.driver_id = d.id"
            + " GROUP BY d.id ORDER BY d.name");
  }

  @Test
  void aggregatesStandNeitherInWhereNorInEachOther() {
    assertRejects(RejectionCode.INVALID_GROUPING, "SELECT count(*) FROM trips WHERE count(*) > 1");
    assertRejects(RejectionCode.INVALID_GROUPING, "SELECT sum(count(*)) FROM trips");
    assertRejects(
        RejectionCode.WINDOW_UNSUPPORTED,
        "SELECT count(*) FROM trips GROUP BY status HAVING row_number() over () = 1");
  }

  @Test
  void spellingsOfAggregates() {
    assertBinds(
        "project(aggregate(trips, [], [median#8=quantile(#3, 0.5), percentile_cont#9=quantile(#3,"
            + " 0.9), quantile#10=quantile(#3, 0.25), min#11=min(#3), max#12=max(#6),"
            + " stddev#13=stddev_samp(#3), var_pop#14=var_pop(#3), count#15=count(distinct #1)]),"
            + " median#8, percentile_cont#9, quantile#10, approx_percentile#16=#8, min#11, max#12,"
            + " stddev#13, var_pop#14, approx_distinct#15)",
        "SELECT median(fare), percentile_cont(0.9) within group (order by fare),"
            + " quantile(fare, 0.25), approx_percentile(fare, 0.5), min(fare), max(day),"
            + " stddev(fare), var_pop(fare), approx_distinct(driver_id) FROM trips");
    assertBinds(
        "project(aggregate(trips, [], [sum#8=sum(case(#7 -> 1 else 0)), count#9=count(case(#7 ->"
            + " 1)), sum#10=sum(case(#7 -> #3::decimal(12,2) else 0.00)), count_if#11=count(*) if"
            + " #7, count#12=count(*)]), sum#8, count#9, sum#10, count_if#11, count#13=#11,"
            + " count#12)",
        "SELECT sum(case when paid then 1 else 0 end), count(case when paid then 1 end),"
            + " sum(if(paid, fare, 0)), count_if(paid), count(*) filter (where paid), count(1)"
            + " FROM trips");
    assertBinds(
        "project(aggregate(trips, [], [percentile_cont#8=quantile(#3, 0.1),"
            + " sum#9=sum(distinct #3)]), percentile_cont#8, sum#9)",
        "SELECT percentile_cont(0.9) within group (order by fare desc), sum(distinct fare)"
            + " FROM trips");
    assertBinds(
        "project(aggregate(trips, [], [sum#8=sum(case(gt(#3, 10.00) -> 1, le(#3, 10.00) -> 0)),"
            + " avg#9=avg(case(#7 -> 1, not(#7) -> 0))]), sum#8, avg#9)",
        "SELECT sum(fare > 10), avg(paid) FROM trips");
    assertBinds(
        "project(aggregate(trips, [], [count#8=count(*) if #7, count#9=count(*) if"
            + " not(#7)]), bool_or#10=case(gt(#8, 0) -> true, gt(#9, 0) -> false))",
        "SELECT bool_or(paid) FROM trips");
    assertRejects(RejectionCode.UNSUPPORTED, "SELECT count(DISTINCT status, fare) FROM trips");
    assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT sum(status) FROM trips");
    assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT quantile(fare, 2) FROM trips");
  }

  @Test
  void nestedAggregatesKeepOnlyWhatIsRead() {
    assertBinds(
        "project(aggregate(aggregate(trips, [driver_id#1], [count#8=count(*)], having gt(#8,"
            + " 3)), [], [avg#10=avg(#8)]), avg#10)",
        "SELECT avg(n) FROM (SELECT driver_id, count(*) n, sum(fare) f FROM trips GROUP BY"
            + " driver_id) x WHERE n > 3");
    assertBinds(
        "project(aggregate(aggregate(filter(trips, gt(#1, 5)), [driver_id#1],"
            + " [count#8=count(*)], having gt(#8, 2)), [], [max#9=max(#8)]), max#9)",
        "SELECT max(n) FROM (SELECT count(*) AS n FROM trips GROUP BY driver_id HAVING"
            + " driver_id > 5 AND count(*) > 2) x");
    assertBinds(
        "project(aggregate(trips, [driver_id#1], [count#8=count(*)], having gt(#1, 5)),"
            + " driver_id#1, n#8)",
        "SELECT driver_id, n FROM (SELECT driver_id, count(*) AS n FROM trips GROUP BY"
            + " driver_id) x WHERE driver_id > 5");
    assertBinds(
        "project(aggregate(aggregate(trips, [driver_id#1], [count#8=count(*)]), [n#8],"
            + " [count#9=count(*)]), n#8, count#9)",
        "SELECT x.n, count(*) FROM (SELECT driver_id, count(*) n FROM trips GROUP BY"
            + " driver_id) x GROUP BY x.n");
    assertBinds(
        "project(aggregate(inner(cities, values[[]], true), [], [count#12=count(*)]),"
            + " count#12)",
        "SELECT count(*) FROM cities, (SELECT count(*) FROM trips) x");
  }

  @Test
  void distinctAndLimits() {
    assertBinds(
        "limit(distinct(project(trips, status#4)), [#4])",
        "SELECT DISTINCT status FROM trips ORDER BY status");
    assertBinds(
        "limit(distinct(project(aggregate(trips, [status#4, city_id#2], [count#8=count(*)]),"
            + " status#4, c#8)), [#8], offset 1, 2)",
        "SELECT DISTINCT status, count(*) c FROM trips GROUP BY status, city_id ORDER BY c"
            + " LIMIT 2 OFFSET 1");
    assertBinds(
        "project(limit(aggregate(trips, [status#4], [count#8=count(*)]), [#8 desc], 5),"
            + " status#4, count#8)",
        "SELECT TOP 5 status, count(*) FROM trips GROUP BY status ORDER BY 2 DESC");
    assertBinds(
        "project(limit(aggregate(trips, [status#4], [count#8=count(*), max#9=max(#3)]),"
            + " [#9]), status#4, count#8)",
        "SELECT status, count(*) FROM trips GROUP BY status ORDER BY max(fare)");
    assertBinds(
        "project(aggregate(limit(trips, [#0], 10), [], [count#8=count(*)]), count#8)",
        "SELECT count(*) FROM (SELECT * FROM trips ORDER BY id LIMIT 10) x");
    assertBinds(
        "project(aggregate(trips, [], [count#8=count(*)]), count#8)",
        "SELECT count(*) FROM (SELECT * FROM trips ORDER BY id) x");
  }

  /** NULL is not counted, so a value that only some rows have is counted over these rows. */
  @Test
  void aStepOfAFunnelIsCountedOverItsRows() {
    String expected =
        RelationText.of(
            bind("SELECT count(DISTINCT city_id) FILTER (WHERE paid AND fare > 3) FROM trips"));
    for (String sql :
        List.of(
            "SELECT count(DISTINCT CASE WHEN paid AND fare > 3 THEN city_id END) FROM trips",
            "SELECT count(DISTINCT CASE WHEN paid AND fare > 3 THEN city_id ELSE NULL END) FROM"
                + " trips")) {
      assertEquals(expected, RelationText.of(bind(sql)), sql);
    }
    for (String other :
        List.of(
            "CASE WHEN paid THEN city_id ELSE 0 END",
            "CASE WHEN paid THEN city_id WHEN fare > 3 THEN 1 END")) {
      String shown = RelationText.of(bind("SELECT count(DISTINCT " + other + ") FROM trips"));
      assertTrue(shown.contains("distinct case("), shown);
    }
  }
}
