package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;

import flexdp.failure.RejectionCode;
import org.junit.jupiter.api.Test;

/** UNION, INTERSECT, EXCEPT and VALUES. */
class BoundSetOperationsTest {
  @Test
  void columnsMeetByPosition() {
    assertBinds(
        "project(aggregate(union(project(trips, id#0), project(drivers, id#8)), [],"
            + " [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM (SELECT id FROM trips UNION SELECT id FROM drivers) x");
    assertBinds(
        "limit(unionAll(project(trips, status#4), project(cities, name#9)), [#11], 3)",
        "(SELECT status FROM trips) UNION ALL (SELECT name FROM cities) ORDER BY 1 LIMIT 3");
    assertBinds(
        "limit(unionAll(project(aggregate(trips, [status#4], [count#8=count(*)]), status#4,"
            + " count#8), project(aggregate(trips, [], [count#17=count(*)]), ?column?#18='total',"
            + " count#17)), [#20 desc])",
        "SELECT status, count(*) FROM trips GROUP BY status UNION ALL SELECT 'total',"
            + " count(*) FROM trips ORDER BY 2 DESC");
    assertBinds(
        "project(aggregate(except(project(trips, status#4), project(cities, name#9)), [],"
            + " [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM (SELECT status FROM trips EXCEPT SELECT name FROM cities) u");
  }

  @Test
  void unreadColumnsOfUnionAllGo() {
    assertBinds(
        "project(aggregate(unionAll(project(trips, x#0), project(drivers, id#8)), [],"
            + " [count#13=count(#11)]), count#13)",
        "SELECT count(x) FROM (SELECT id x, status y FROM trips UNION ALL SELECT id, name"
            + " FROM drivers) u");
  }

  @Test
  void aBareNullTakesTheOtherType() {
    assertBinds(
        "project(aggregate(unionAll(project(values[[]], x#0=1), project(values[[]],"
            + " ?column?#2=null)), [], [sum#4=sum(#3)]), sum#4)",
        "SELECT sum(x) FROM (SELECT 1 AS x UNION ALL SELECT NULL) y");
  }

  @Test
  void typesMustFit() {
    assertRejects(
        RejectionCode.TYPE_MISMATCH,
        "SELECT count(*) FROM (SELECT id FROM trips UNION SELECT name FROM cities) u");
    assertRejects(
        RejectionCode.TYPE_MISMATCH,
        "SELECT count(*) FROM (SELECT id, fare FROM trips UNION SELECT id FROM cities) u");
  }

  @Test
  void constantRows() {
    assertBinds("values[[1, 'a'], [2, null]]", "VALUES (1, 'a'), (2, NULL)");
    assertBinds(
        "project(values[[]], two#0=2, now#1=2020-06-15T12:30, current_date#2=2020-06-15)",
        "SELECT 1 + 1 AS two, now(), current_date");
  }
}
