package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;
import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Column;
import flexdp.failure.RejectionCode;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlBinderTest {
  @Test
  void aCountBecomesAnAggregateOverTheTable() {
    assertBinds(
        "project(aggregate(trips, [], [count#8=count(*)]), count#8)", "SELECT COUNT(*) FROM trips");
  }

  @Test
  void groupsFilteredOrderedAndCut() {
    assertBinds(
        "project(limit(aggregate(filter(trips, gt(#3, 10.00)), [status#4], [count#8=count(*),"
            + " sum#9=sum(#3)], having gt(#8, 5)), [#8 desc], 3), status#4, count#8, s#9)",
        "SELECT status, COUNT(*), SUM(fare) s FROM trips WHERE fare > 10 GROUP BY 1"
            + " HAVING count(*) > 5 ORDER BY count(*) DESC LIMIT 3");
  }

  @Test
  void theTriangleKeepsItsEqualities() {
    assertBinds(
        "project(aggregate(inner(inner(edges, edges, eq(#1, #2)), edges, and(eq(#3, #4), eq(#5,"
            + " #0))), [], [count#6=count(*)]), count#6)",
        "SELECT COUNT(*) FROM edges e1 JOIN edges e2 ON e1.dest = e2.source"
            + " JOIN edges e3 ON e2.dest = e3.source AND e3.dest = e1.source");
  }

  @Test
  void resultColumnsAreNamedAsPostgresNamesThem() {
    assertEquals(
        List.of(
            "count",
            "sum",
            "avg",
            "?column?",
            "case",
            "n",
            "status",
            "coalesce",
            "date_trunc",
            "int8",
            "bool"),
        BindingFixture.bind(
                "SELECT count(*), sum(fare), avg(fare), count(*) + 1, CASE WHEN count(*) > 1 THEN 1"
                    + " END, count(*) AS n, status, coalesce(status, ''), date_trunc('month', at),"
                    + " CAST(1 AS bigint), true FROM trips GROUP BY status, at")
            .columns()
            .stream()
            .map(Column::name)
            .toList());
  }

  @Test
  void everyScanHasColumnsOfItsOwn() {
    assertBinds(
        "project(aggregate(inner(filter(trips, #7), filter(trips, #15), eq(#1, #9)), [],"
            + " [count#16=count(*)]), count#16)",
        "WITH a AS (SELECT * FROM trips WHERE paid), b AS (SELECT driver_id FROM a)"
            + " SELECT count(*) FROM a JOIN b USING (driver_id)");
  }

  @Test
  void unknownNamesComeWithTheNearestKnownOne() {
    assertEquals(
        "Did you mean 'trips'?",
        assertRejects(RejectionCode.UNKNOWN_TABLE, "SELECT count(*) FROM trps").hint());
    assertEquals(
        "Did you mean 'fare'?",
        assertRejects(RejectionCode.UNKNOWN_COLUMN, "SELECT sum(fair) FROM trips").hint());
  }
}
