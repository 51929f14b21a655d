package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;

import flexdp.failure.RejectionCode;
import org.junit.jupiter.api.Test;

/** FROM and WHERE become a join tree. */
class BoundJoinsTest {
  @Test
  void commaListsInAnyOrderAreJoinedByTheirEqualities() {
    assertBinds(
        "project(aggregate(inner(inner(cities, trips, eq(#0, #8)), drivers, eq(#7, #3)), [],"
            + " [count#14=count(*)]), count#14)",
        "SELECT count(*) FROM cities c, drivers d, trips t WHERE t.driver_id = d.id AND c.id"
            + " = t.city_id");
    assertBinds(
        "project(aggregate(inner(inner(inner(edges, edges, eq(#1, #2)), edges, eq(#3, #4)),"
            + " edges, eq(#5, #6)), [], [count#8=count(*)]), count#8)",
        "SELECT count(*) FROM edges a, edges b, edges c, edges d WHERE a.dest = b.source AND"
            + " c.dest = d.source AND b.dest = c.source");
    assertBinds(
        "project(aggregate(inner(inner(trips, filter(drivers, like(#9, 'A%')), eq(#1, #8)),"
            + " cities, eq(#11, #2)), [name#12], [count#14=count(*)]), name#12, count#14)",
        "SELECT c.name, count(*) FROM trips t, drivers d, cities c WHERE t.driver_id = d.id"
            + " AND c.id = t.city_id AND d.name LIKE 'A%' GROUP BY c.name");
  }

  @Test
  void equalitiesOfWhereReachCrossJoinsBelowOuterJoins() {
    assertBinds(
        "project(aggregate(left(inner(drivers, cities, eq(#2, #3)), trips, eq(#7, #0)), [],"
            + " [count#14=count(*)]), count#14)",
        "SELECT count(*) FROM drivers d CROSS JOIN cities c LEFT JOIN trips t ON t.driver_id"
            + " = d.id WHERE d.city_id = c.id");
  }

  @Test
  void whatDerivedTablesOnlyPickTakesPartInTheJoinsAround() {
    assertBinds(
        "project(aggregate(inner(trips, drivers, eq(#1, #8)), [], [count#11=count(*)]),"
            + " count#11)",
        "SELECT count(*) FROM (SELECT t.driver_id x, d.id y FROM trips t, drivers d) s WHERE"
            + " s.x = s.y");
  }

  @Test
  void whatAllAlternativesShareIsTakenOut() {
    assertBinds(
        "project(aggregate(inner(trips, drivers, and(eq(#1, #8), or(eq(#9, 'a'), gt(#3, 3.00)))),"
            + " [], [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t, drivers d WHERE (t.driver_id = d.id AND d.name = 'a')"
            + " OR (t.driver_id = d.id AND t.fare > 3)");
  }

  @Test
  void conditionsStayAboveTheNullSuppliedSide() {
    assertBinds(
        "project(aggregate(left(filter(drivers, eq(#2, 3)), filter(trips, gt(#6, 5.00)), eq(#4,"
            + " #0)), [], [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id AND t.fare >"
            + " 5 WHERE d.city_id = 3");
    assertBinds(
        "project(aggregate(filter(left(trips, drivers, eq(#1, #8)), is_null(#9)), [],"
            + " [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id WHERE d.name"
            + " IS NULL");
    assertBinds(
        "project(aggregate(filter(left(trips, drivers, eq(#1, #8)), eq(coalesce(#10, 0),"
            + " 0)), [], [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id WHERE"
            + " coalesce(d.city_id, 0) = 0");
    assertBinds(
        "project(aggregate(left(trips, drivers, and(eq(#1, #8), gt(#3, 3.00))), [],"
            + " [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id AND t.fare >"
            + " 3");
  }

  @Test
  void outerJoinsWhosePaddedRowsAreRefusedBecomeInner() {
    assertBinds(
        "project(aggregate(inner(drivers, filter(trips, gt(#6, 3.00)), eq(#4, #0)), [],"
            + " [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id WHERE t.fare"
            + " > 3");
    assertBinds(
        "project(aggregate(inner(inner(trips, drivers, eq(#1, #8)), filter(cities, eq(#13,"
            + " 'x')), eq(#11, #10)), [], [count#14=count(*)]), count#14)",
        "SELECT count(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id LEFT JOIN"
            + " cities c ON c.id = d.city_id WHERE c.country = 'x'");
    assertBinds(
        "project(aggregate(left(filter(drivers, eq(#1, 'x')), trips, eq(#4, #0)), [],"
            + " [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM drivers d FULL JOIN trips t ON t.driver_id = d.id WHERE d.name"
            + " = 'x'");
    assertBinds(
        "project(aggregate(inner(left(drivers, trips, eq(#1, #8)), cities, eq(#11, #10)),"
            + " [], [count#14=count(*)]), count#14)",
        "SELECT count(*) FROM trips t FULL JOIN drivers d ON t.driver_id = d.id JOIN cities"
            + " c ON c.id = d.city_id");
  }

  @Test
  void rightJoinsAreExchanged() {
    assertBinds(
        "project(aggregate(left(trips, drivers, eq(#4, #0)), [], [count#11=count(*)]),"
            + " count#11)",
        "SELECT count(*) FROM drivers d RIGHT JOIN trips t ON t.driver_id = d.id");
  }

  @Test
  void usingAndNaturalMergeColumns() {
    assertBinds(
        "project(aggregate(inner(trips, drivers, and(eq(#0, #8), eq(#2, #10))), [],"
            + " [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t NATURAL JOIN drivers d");
    assertBinds(
        "project(aggregate(project(full(trips, drivers, eq(#2, #10)),"
            + " city_id#12=coalesce(#2, #10)), [city_id#12], [count#11=count(*)]), city_id#12,"
            + " count#11)",
        "SELECT city_id, count(*) FROM trips t FULL JOIN drivers d USING (city_id) GROUP BY"
            + " city_id");
    assertBinds(
        "project(aggregate(inner(inner(filter(cities, gt(#0, 3)), cities, eq(#0, #3)),"
            + " cities, eq(#0, #6)), [], [count#9=count(*)]), count#9)",
        "SELECT count(*) FROM cities a JOIN cities b USING (id) JOIN cities c USING (id)"
            + " WHERE id > 3");
    assertRejects(
        RejectionCode.UNKNOWN_COLUMN, "SELECT count(*) FROM trips JOIN drivers USING (fare)");
  }

  @Test
  void lateralSubqueriesThatOnlyFilterAreJoins() {
    assertBinds(
        "project(aggregate(inner(drivers, trips, eq(#4, #0)), [], [count#11=count(*)]),"
            + " count#11)",
        "SELECT count(*) FROM drivers d, LATERAL (SELECT * FROM trips t WHERE t.driver_id ="
            + " d.id) x");
    assertBinds(
        "project(aggregate(left(drivers, trips, eq(#4, #0)), [], [count#11=count(*)]),"
            + " count#11)",
        "SELECT count(*) FROM drivers d LEFT JOIN LATERAL (SELECT fare FROM trips t WHERE"
            + " t.driver_id = d.id) x ON true");
    assertRejects(
        RejectionCode.SUBQUERY_CORRELATION,
        "SELECT count(*) FROM drivers d, LATERAL (SELECT count(*) FROM trips t WHERE"
            + " t.driver_id = d.id) x");
  }

  @Test
  void semiAndAntiJoinsAskWhetherAPartnerExists() {
    assertBinds(
        "project(aggregate(filter(where(trips, exists#11=exists(filter(drivers, eq(#9, 'x')),"
            + " eq(#1, #8)), #11), gt(#3, 3.00)), [], [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM trips t LEFT SEMI JOIN drivers d ON t.driver_id = d.id AND"
            + " d.name = 'x' WHERE t.fare > 3");
    assertBinds(
        "project(aggregate(inner(where(trips, exists#11=not exists(drivers, eq(#1, #8)),"
            + " #11), cities, eq(#12, #2)), [], [count#15=count(*)]), count#15)",
        "SELECT count(*) FROM trips t LEFT ANTI JOIN drivers d ON t.driver_id = d.id JOIN"
            + " cities c ON c.id = t.city_id");
    assertRejects(
        RejectionCode.UNKNOWN_TABLE,
        "SELECT count(*) FROM trips t LEFT SEMI JOIN drivers d ON t.driver_id = d.id WHERE"
            + " d.name = 'x'");
    assertRejects(
        RejectionCode.UNSUPPORTED,
        "SELECT count(*) FROM trips t LEFT SEMI JOIN drivers d USING (city_id)");
  }

  @Test
  void withoutAnEqualityTheJoinIsLeftToLaterStages() {
    assertBinds(
        "project(aggregate(inner(trips, drivers, true), [], [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t CROSS JOIN drivers d");
    assertBinds(
        "project(aggregate(inner(trips, drivers, gt(#3::decimal(21,2), #8::decimal(21,2))), [],"
            + " [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips t JOIN drivers d ON t.fare > d.id");
  }
}
