package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;

import flexdp.failure.RejectionCode;
import org.junit.jupiter.api.Test;

/** How names of tables and columns are found. */
class BoundNamesTest {
  @Test
  void unquotedNamesMatchInAnyCase() {
    assertBinds(
        "project(aggregate(filter(trips, and(gt(#3, 1.00), eq(#4, 'x'))), [], [count#8=count(*)]),"
            + " count#8)",
        "SELECT count(*) FROM TRIPS T WHERE t.Fare > 1 AND \"status\" = 'x'");
    assertBinds(
        "project(aggregate(trips, [], [count#8=count(*)]), count#8)",
        "SELECT count(*) FROM \"TRIPS\"");
  }

  @Test
  void aDefaultSchemaMayBeWritten() {
    assertBinds(
        "project(aggregate(trips, [], [count#8=count(*)]), count#8)",
        "SELECT count(*) FROM public.trips");
    assertRejects(RejectionCode.UNKNOWN_TABLE, "SELECT count(*) FROM foo.trips");
  }

  @Test
  void aNameThatStandsForSeveralColumnsIsAmbiguous() {
    assertRejects(
        RejectionCode.AMBIGUOUS_COLUMN,
        "SELECT count(*) FROM trips t JOIN drivers d ON t.driver_id = d.id WHERE id > 3");
    assertRejects(
        RejectionCode.AMBIGUOUS_COLUMN, "SELECT count(*) FROM trips a JOIN trips a ON a.id = a.id");
  }

  @Test
  void aliasesOfTheSelectListAreKnownAboveWhereOnly() {
    assertBinds(
        "project(limit(aggregate(trips, [driver_id#1], [avg#8=avg(#3)], having gt(#8, 3.0)),"
            + " [plus(#8, 1)]), driver_id#1, a#8)",
        "SELECT driver_id, avg(fare) a FROM trips GROUP BY driver_id HAVING a > 3 ORDER BY a"
            + " + 1");
    assertRejects(
        RejectionCode.UNKNOWN_COLUMN,
        "SELECT status, count(*) AS cnt FROM trips WHERE cnt > 3 GROUP BY status");
  }

  @Test
  void starsGiveTheColumnsInOrder() {
    assertBinds("project(cities, id#0, name#1, country#2)", "SELECT * FROM cities");
    assertBinds(
        "project(inner(cities, cities, eq(#0, #3)), id#3, name#4, country#5, name#1)",
        "SELECT b.*, a.name FROM cities a, cities b WHERE a.id = b.id");
    assertBinds(
        "project(inner(trips, drivers, eq(#2, #10)), city_id#2, id#0, driver_id#1, fare#3,"
            + " status#4, at#5, day#6, paid#7, id#8, name#9)",
        "SELECT * FROM trips t JOIN drivers d USING (city_id)");
  }

  @Test
  void commonTableExpressionsShadowTables() {
    assertBinds(
        "project(aggregate(filter(drivers, eq(#1, 'x')), [], [count#3=count(*)]), count#3)",
        "WITH trips AS (SELECT * FROM drivers) SELECT count(*) FROM trips WHERE name = 'x'");
    assertBinds(
        "project(aggregate(inner(drivers, trips, eq(#3, #0)), [], [count#11=count(*)]),"
            + " count#11)",
        "WITH a(x) AS (SELECT id FROM trips) SELECT count(*) FROM (WITH a AS (SELECT id FROM"
            + " drivers) SELECT * FROM a) b JOIN a ON a.x = b.id");
  }

  @Test
  void recursionIsRefused() {
    assertRejects(
        RejectionCode.RECURSIVE,
        "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x+1 FROM r) SELECT count(*)"
            + " FROM r");
  }

  @Test
  void derivedTablesMayNameTheirColumns() {
    assertBinds(
        "project(aggregate(filter(trips, gt(times(#3, 2), 3.00)), [], [count#9=count(*)]),"
            + " count#9)",
        "SELECT count(*) FROM (SELECT id, fare*2 FROM trips) AS s(a,b) WHERE b > 3");
    assertBinds(
        "project(aggregate(filter(values[[1, 'a'], [2, null]], gt(#0, 1)), [],"
            + " [count#2=count(*)]), count#2)",
        "SELECT count(*) FROM (VALUES (1,'a'),(2,NULL)) v(x,y) WHERE x > 1");
    assertRejects(
        RejectionCode.UNKNOWN_COLUMN, "SELECT count(*) FROM (SELECT id FROM trips) AS s(a,b)");
  }
}
