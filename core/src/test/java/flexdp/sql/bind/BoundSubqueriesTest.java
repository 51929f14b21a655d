package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;

import flexdp.failure.RejectionCode;
import org.junit.jupiter.api.Test;

/** Subqueries in predicates and values. */
class BoundSubqueriesTest {
  @Test
  void existsTakesItsEqualitiesAsCondition() {
    assertBinds(
        "project(aggregate(where(drivers, exists#11=exists(filter(trips, gt(#6, 3.00)), eq(#4,"
            + " #0)), #11), [], [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE"
            + " t.driver_id = d.id AND t.fare > 3)");
    assertBinds(
        "project(aggregate(where(drivers, exists#14=exists(inner(trips, cities, eq(#11,"
            + " #5)), and(eq(#4, #0), ne(#13, #1))), #14), [], [count#15=count(*)]), count#15)",
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t, cities c WHERE"
            + " t.driver_id = d.id AND c.id = t.city_id AND c.country <> d.name)");
    assertBinds(
        "project(aggregate(where(drivers, exists#11=exists(trips, eq(#4, #0)), #11), [],"
            + " [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT * FROM trips t WHERE"
            + " t.driver_id = d.id LIMIT 1)");
  }

  @Test
  void inComparesRowsToo() {
    assertBinds(
        "project(aggregate(where(drivers, exists#11=exists(trips, and(eq(#0, #4), eq(#2,"
            + " #5))), #11), [], [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM drivers d WHERE (d.id, d.city_id) IN (SELECT driver_id,"
            + " city_id FROM trips)");
    assertBinds(
        "project(aggregate(where(drivers, exists#12=exists(aggregate(trips, [driver_id#4],"
            + " [sum#11=sum(#6)], having gt(#11, 300.00), visible []), eq(#0, #4)), #12), [],"
            + " [count#13=count(*)]), count#13)",
        "SELECT count(*) FROM drivers d WHERE d.id IN (SELECT driver_id FROM trips GROUP BY"
            + " driver_id HAVING sum(fare) > 300)");
    assertRejects(
        RejectionCode.TYPE_MISMATCH,
        "SELECT count(*) FROM trips WHERE (id, 3) IN (SELECT source FROM edges)");
  }

  @Test
  void notInNeedsColumnsWithoutNulls() {
    assertBinds(
        "project(aggregate(where(drivers, exists#11=not exists(trips, eq(#0, #4)),"
            + " exists#15=exists(filter(cities, eq(#14, 'NO')), eq(#2, #12)), and(#11, #15)), [],"
            + " [count#16=count(*)]), count#16)",
        "SELECT count(*) FROM drivers d WHERE id NOT IN (SELECT driver_id FROM trips) AND"
            + " city_id IN (SELECT id FROM cities WHERE country = 'NO')");
    assertRejects(
        RejectionCode.NOT_IN_NULLABLE,
        "SELECT count(*) FROM drivers d WHERE d.city_id NOT IN (SELECT city_id FROM trips)");
    assertBinds(
        "project(aggregate(where(filter(drivers, is_not_null(#2)), exists#11=not"
            + " exists(filter(trips, is_not_null(#5)), eq(#2, #5)), #11), [],"
            + " [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM drivers d WHERE d.city_id IS NOT NULL AND d.city_id NOT IN"
            + " (SELECT city_id FROM trips WHERE city_id IS NOT NULL)");
    assertRejects(
        RejectionCode.NOT_IN_NULLABLE,
        "SELECT count(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id WHERE d.id"
            + " NOT IN (SELECT driver_id FROM trips)");
  }

  @Test
  void negationsArePushedInwards() {
    assertBinds(
        "project(aggregate(where(drivers, exists#11=not exists(trips, eq(#4, #0)),"
            + " and(ne(#0, 3), #11)), [], [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM drivers d WHERE NOT (d.id = 3 OR EXISTS (SELECT 1 FROM trips t"
            + " WHERE t.driver_id = d.id))");
    assertBinds(
        "project(aggregate(where(drivers, exists#11=exists(trips, eq(#4, #0)), or(eq(#0, 3),"
            + " #11)), [], [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM drivers d WHERE d.id = 3 OR EXISTS (SELECT 1 FROM trips t"
            + " WHERE t.driver_id = d.id)");
  }

  @Test
  void quantifiersThatAreInOrNotIn() {
    assertBinds(
        "project(aggregate(where(drivers, exists#11=exists(trips, eq(#0, #4)), exists#20=not"
            + " exists(trips, eq(#0, #13)), and(#11, #20)), [], [count#21=count(*)]), count#21)",
        "SELECT count(*) FROM drivers d WHERE d.id = ANY (SELECT driver_id FROM trips) AND"
            + " d.id <> ALL (SELECT driver_id FROM trips)");
    assertBinds(
        "project(aggregate(filter(trips, in_list(#2, 1, 2)), [], [count#8=count(*)]),"
            + " count#8)",
        "SELECT count(*) FROM trips WHERE city_id = ANY (1,2)");
  }

  @Test
  void existsOnlyFilters() {
    assertRejects(
        RejectionCode.SUBQUERY_POSITION,
        "SELECT count(*) FROM drivers d WHERE (EXISTS (SELECT 1 FROM trips t WHERE"
            + " t.driver_id = d.id)) IS NULL");
    assertRejects(
        RejectionCode.SUBQUERY_POSITION,
        "SELECT count(*) FROM drivers d WHERE CASE WHEN EXISTS (SELECT 1 FROM trips t WHERE"
            + " t.driver_id = d.id) THEN true ELSE false END");
    assertRejects(
        RejectionCode.SUBQUERY_POSITION, "SELECT EXISTS (SELECT 1 FROM trips) FROM drivers");
    assertRejects(
        RejectionCode.SUBQUERY_POSITION,
        "SELECT count(*) FROM drivers d JOIN trips t ON t.driver_id = d.id AND d.id IN"
            + " (SELECT source FROM edges)");
    assertRejects(
        RejectionCode.SUBQUERY_POSITION,
        "SELECT count(*) FROM trips QUALIFY id IN (SELECT source FROM edges)");
  }

  @Test
  void groupedSubqueriesThatCorrelateByEqualityAreGroupedByItToo() {
    assertBinds(
        "project(aggregate(where(drivers, exists#13=exists(aggregate(trips, [city_id#5,"
            + " driver_id#4], [count#11=count(*)], having gt(#11, 1), visible []), eq(#4, #0)),"
            + " #13), [], [count#14=count(*)]), count#14)",
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE"
            + " t.driver_id = d.id GROUP BY t.city_id HAVING count(*) > 1)");
    assertRejects(
        RejectionCode.SUBQUERY_CORRELATION,
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE"
            + " t.driver_id > d.id GROUP BY t.city_id HAVING count(*) > 1)");
  }

  @Test
  void correlationReachesOneQueryFurtherOutOnly() {
    assertBinds(
        "project(aggregate(where(drivers, exists#14=exists(where(trips,"
            + " exists#13=exists(edges, eq(#12, #3)), #13), eq(#4, #0)), #14), [],"
            + " [count#15=count(*)]), count#15)",
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE"
            + " t.driver_id = d.id AND EXISTS (SELECT 1 FROM edges e WHERE e.dest = t.id))");
    assertRejects(
        RejectionCode.SUBQUERY_CORRELATION,
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE EXISTS"
            + " (SELECT 1 FROM edges e WHERE e.source = d.id AND e.dest = t.id))");
    assertRejects(
        RejectionCode.SUBQUERY_CORRELATION,
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT t.id FROM (SELECT * FROM trips"
            + " x WHERE x.driver_id = d.id LIMIT 3) t)");
    assertRejects(
        RejectionCode.SUBQUERY_CORRELATION,
        "SELECT count(*) FROM drivers d WHERE EXISTS (SELECT id FROM trips WHERE driver_id ="
            + " d.id UNION SELECT source FROM edges)");
  }

  @Test
  void correlatedAggregatesAreScalars() {
    assertBinds(
        "project(aggregate(where(trips, ?column?#17=scalar(trips, eq(#9, #1), [avg#16=avg(#11)],"
            + " times(0.2, #16)), gt(#3::double, #17)), [], [count#18=count(*)]), count#18)",
        "SELECT count(*) FROM trips t WHERE fare > (SELECT 0.2 * avg(fare) FROM trips u"
            + " WHERE u.driver_id = t.driver_id)");
    assertBinds(
        "project(aggregate(attach(trips, count#11=scalar(edges, eq(#8, #1),"
            + " [count#10=count(*)], #10)), [], [sum#12=sum(#11)]), sum#12)",
        "SELECT sum((SELECT count(*) FROM edges e WHERE e.source = t.driver_id)) FROM trips t");
    assertBinds(
        "project(aggregate(attach(trips, name#12=scalar(cities, eq(#8, #2),"
            + " [max#11=max(#9)], #11)), [name#12], [count#13=count(*)]), name#12, count#13)",
        "SELECT (SELECT name FROM cities c WHERE c.id = t.city_id), count(*) FROM trips t"
            + " GROUP BY 1");
    assertBinds(
        "project(attach(aggregate(trips, [city_id#2], [count#13=count(*)]),"
            + " name#12=scalar(cities, eq(#8, #2), [max#11=max(#9)], #11)), name#12, count#13)",
        "SELECT (SELECT name FROM cities c WHERE c.id = t.city_id), count(*) FROM trips t"
            + " GROUP BY t.city_id");
  }

  @Test
  void aScalarWithoutAnAggregateNeedsAUniqueKey() {
    assertBinds(
        "project(aggregate(where(drivers, driver_id#12=scalar(trips, eq(#3, #2::bigint),"
            + " [max#11=max(#4)], #11), eq(#0, #12)), [], [count#13=count(*)]), count#13)",
        "SELECT count(*) FROM drivers d WHERE d.id = (SELECT t.driver_id FROM trips t WHERE"
            + " t.id = d.city_id)");
    assertRejects(
        RejectionCode.SUBQUERY_NOT_SCALAR,
        "SELECT (SELECT dest FROM edges e WHERE e.source = t.driver_id) FROM trips t");
    assertRejects(RejectionCode.SUBQUERY_NOT_SCALAR, "SELECT (SELECT id FROM drivers) FROM trips");
    assertRejects(
        RejectionCode.SUBQUERY_NOT_SCALAR, "SELECT (SELECT id, name FROM drivers) FROM trips");
  }

  @Test
  void uncorrelatedScalarsAreJoinedAsOneRow() {
    assertBinds(
        "project(aggregate(inner(trips, aggregate(trips, [], [max#16=max(#11)]), eq(#3,"
            + " #16)), [], [count#17=count(*)]), count#17)",
        "SELECT count(*) FROM trips t WHERE fare = (SELECT max(fare) FROM trips)");
    assertBinds(
        "project(aggregate(inner(trips, aggregate(filter(trips, lt(#8, 5)), [],"
            + " [max#16=max(#11), count#17=count(*)], having gt(#17, 2), visible [max#16]), gt(#3,"
            + " #16)), [], [count#18=count(*)]), count#18)",
        "SELECT count(*) FROM trips t WHERE t.fare > (SELECT max(fare) FROM trips WHERE id <"
            + " 5 HAVING count(*) > 2)");
    assertBinds(
        "project(aggregate(filter(left(trips, aggregate(filter(trips, lt(#8, 5)), [],"
            + " [max#16=max(#11), count#17=count(*)], having gt(#17, 2), visible [max#16]), true),"
            + " eq(coalesce(#16::decimal(12,2), 0.00), 0.00)), [], [count#18=count(*)]), count#18)",
        "SELECT count(*) FROM trips t WHERE coalesce((SELECT max(fare) FROM trips WHERE id <"
            + " 5 HAVING count(*) > 2), 0) = 0");
    assertBinds(
        "project(inner(aggregate(trips, [], [count#8=count(*)]), aggregate(drivers, [],"
            + " [count#12=count(*)]), true), ?column?#13=divide(#8, #12))",
        "SELECT count(*) / (SELECT count(*) FROM drivers) FROM trips");
    assertBinds(
        "project(filter(inner(aggregate(trips, [status#4], [count#8=count(*)]),"
            + " project(aggregate(trips, [], [count#17=count(*)]), ?column?#18=divide(#17, 10)),"
            + " true), gt(#8, #18)), status#4, count#8)",
        "SELECT status, count(*) FROM trips GROUP BY status HAVING count(*) > (SELECT"
            + " count(*) / 10 FROM trips)");
  }

  @Test
  void havingMayFilterBySubqueries() {
    assertBinds(
        "project(where(aggregate(trips, [driver_id#1], [count#8=count(*)], having gt(#8,"
            + " 3)), exists#12=exists(drivers, eq(#1, #9)), #12), driver_id#1, count#8)",
        "SELECT driver_id, count(*) FROM trips t GROUP BY driver_id HAVING driver_id IN"
            + " (SELECT id FROM drivers) AND count(*) > 3");
  }
}
