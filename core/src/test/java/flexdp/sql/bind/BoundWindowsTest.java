package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Window functions. */
class BoundWindowsTest {
  @Test
  void rowNumbersThatOnlyCutRowsAreTopRows() {
    assertBinds(
        "project(aggregate(filter(top(trips, [#1], [#0], 3), gt(#3, 1.00)), [],"
            + " [count#9=count(*)]), count#9)",
        "SELECT count(*) FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY driver_id ORDER"
            + " BY id) rn FROM trips t) s WHERE rn <= 3 AND fare > 1");
    assertBinds(
        "project(aggregate(top(trips, [#1], [#0], 1), [], [count#9=count(*)]), count#9)",
        "SELECT count(*) FROM (SELECT * FROM trips QUALIFY row_number() over (partition by"
            + " driver_id order by id) = 1) x");
    assertBinds(
        "project(aggregate(filter(top(window(trips, [sum#9=sum[#3][] over [][]]), [#1], [#0], 1),"
            + " gt(#9, 3.00)), [], [count#10=count(*)]), count#10)",
        "SELECT count(*) FROM (SELECT id, row_number() over (partition by driver_id order by"
            + " id) r, sum(fare) over () f FROM trips) x WHERE 2 > r AND f > 3");
  }

  @Test
  void rowNumbersUsedOtherwiseAreWindows() {
    assertBinds(
        "project(aggregate(filter(window(trips, [row_number#8=row_number[] over [#1][#5]]),"
            + " eq(#8, 2)), [], [count#9=count(*)]), count#9)",
        "SELECT count(*) FROM (SELECT *, row_number() over (partition by driver_id order by"
            + " at) r FROM trips) x WHERE r = 2");
    assertBinds(
        "project(aggregate(filter(window(trips, [row_number#8=row_number[] over [#1][#5]]),"
            + " le(#8, 2)), [r#8], [count#9=count(*)]), r#8, count#9)",
        "SELECT r, count(*) FROM (SELECT *, row_number() over (partition by driver_id order"
            + " by at) r FROM trips) x WHERE r <= 2 GROUP BY r");
  }

  @Test
  void otherWindowFunctions() {
    assertBinds(
        "project(window(trips, [lag#8=lag[#3::decimal(12,2), 1, 0.00] over [][#0],"
            + " first_value#9=first_value[#3] over [][#0], ntile#10=ntile[4] over [][#3]]), lag#8,"
            + " first_value#9, ntile#10)",
        "SELECT lag(fare, 1, 0) OVER (ORDER BY id), first_value(fare) over (order by id),"
            + " ntile(4) over (order by fare) FROM trips");
    assertBinds(
        "project(window(trips, [row_number#8=row_number[] over [#4][#0]]), row_number#8)",
        "SELECT row_number() OVER w FROM trips WINDOW w AS (PARTITION BY status ORDER BY id)");
    assertBinds(
        "project(window(aggregate(trips, [status#4], [count#8=count(*)]), [sum#9=sum[#8][]"
            + " over [][]]), status#4, sum#9, count#8)",
        "SELECT status, sum(count(*)) OVER (), count(*) FROM trips GROUP BY status");
    assertBinds(
        "project(aggregate(window(trips, [sum#8=sum[#3][] over [#1][]]), [],"
            + " [sum#10=sum(#8)]), sum#10)",
        "SELECT sum(f) FROM (SELECT sum(fare) over (partition by driver_id) f, avg(fare)"
            + " over (partition by city_id) g FROM trips) x");
    assertBinds(
        "project(window(trips, [sum#8=sum[#3][] over [#1][]]), sum#8)",
        "SELECT sum(fare) over (partition by driver_id order by id rows between unbounded"
            + " preceding and unbounded following) FROM trips");
  }

  @Test
  void framesAreReadWithTheirEnds() {
    assertBinds(
        "project(window(aggregate(trips, [status#4], [count#8=count(*)]), [sum#9=sum[#8][]"
            + " over [][#4] ROWS 3 before to here]), status#4, sum#9)",
        "SELECT status, sum(count(*)) OVER (ORDER BY status ROWS 3 PRECEDING) FROM trips GROUP BY"
            + " status");
    assertBinds(
        "project(window(trips, [last_value#8=last_value[#3] over [][#0] RANGE 2 before to end]),"
            + " last_value#8)",
        "SELECT last_value(fare) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND UNBOUNDED"
            + " FOLLOWING) FROM trips");
  }

  @Test
  void framesThatMakeNoSenseAreRefused() {
    assertRejects(RejectionCode.SYNTAX, framed("ROWS BETWEEN CURRENT ROW AND 1 PRECEDING"));
    assertRejects(RejectionCode.SYNTAX, framed("ROWS BETWEEN 1 FOLLOWING AND CURRENT ROW"));
    assertRejects(RejectionCode.TYPE_MISMATCH, framed("ROWS 1.5 PRECEDING"));
    assertRejects(RejectionCode.SYNTAX, framed("ROWS id PRECEDING"));
    assertRejects(RejectionCode.TYPE_MISMATCH, framed("RANGE INTERVAL '1' DAY PRECEDING"));
    assertRejects(
        RejectionCode.UNSUPPORTED,
        framed("ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW"));
    assertRejects(RejectionCode.UNSUPPORTED, framed("GROUPS 2 PRECEDING"));
    assertRejects(
        RejectionCode.WINDOW_UNSUPPORTED,
        "SELECT count(*) FROM trips WHERE row_number() over (order by id) = 1");
  }

  private static String framed(String frame) {
    return "SELECT sum(fare) OVER (ORDER BY id " + frame + ") FROM trips";
  }

  @Test
  void valuesWithoutAnOrderAreNotSorted() {
    SqlBinder binder =
        new SqlBinder(
            BindingFixture.policy(
                BindingFixture.table(
                    "t", false, List.of(Set.of("id")), "id bigint!", "tags opaque")),
            BindingFixture.NOW);
    for (String sql :
        List.of(
            "SELECT count(*) FROM (SELECT id FROM t ORDER BY tags LIMIT 5) x",
            "SELECT count(*) FROM (SELECT tags FROM t ORDER BY 1 LIMIT 5) x",
            "SELECT count(*) FROM (SELECT tags FROM t UNION SELECT tags FROM t ORDER BY tags LIMIT"
                + " 5) x",
            "SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY tags) r FROM t) x WHERE r ="
                + " 2",
            "SELECT count(*) FROM (SELECT sum(id) OVER (ORDER BY tags, id) r FROM t) x WHERE r = 2",
            "SELECT tags, count(*) FROM t GROUP BY tags ORDER BY tags")) {
      assertEquals(
          RejectionCode.TYPE_MISMATCH,
          assertThrows(Rejection.class, () -> binder.bind(sql), sql).code());
    }
    binder.bind("SELECT count(*) FROM (SELECT count(*) OVER (PARTITION BY tags) n FROM t) x");
  }
}
