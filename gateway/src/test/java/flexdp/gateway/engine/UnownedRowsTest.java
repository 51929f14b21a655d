package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code unowned: keep}: rows that nobody owns are there, each a person of its own. Neighbours lack
 * a person with everything she owns, or one such row.
 */
class UnownedRowsTest {
  private static final String TEXT =
      """
      privacy: {epsilon: 1, thresholding: {delta: 1e-6}, budget: {epsilon: 1000000}}
      people: {user: {key: users.id, nobody: [3]}}
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        orders:
          owners: {user: user_id}
          unowned: keep
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer, references: users.id}
            seller: {type: integer}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        items:
          owners: {user: order_id.user_id}
          unowned: keep
          columns:
            id: {type: integer, unique: true, nullable: false}
            order_id: {type: integer, references: orders.id}
            v: {type: integer, range: [-2, 4], domain: [0, 1, 2, null]}
        colours:
          public: true
          columns:
            v: {type: integer}
            name: {type: varchar, domain: [red, blue]}
      """;

  private static final Policy KEPT = policy(TEXT);

  /** Items without an owner are dropped, orders are kept. */
  private static final Policy ORDERS =
      policy(
          TEXT.replace(
              "order_id.user_id}\n    unowned: keep", "order_id.user_id}\n    unowned: drop"));

  private static Policy policy(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private static Plan plan(Policy policy, String sql) {
    return new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT);
  }

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM orders",
          "SELECT COUNT(*) FROM items",
          "SELECT COUNT(*) FROM users",
          "SELECT SUM(a) FROM orders WHERE a > 0",
          "SELECT AVG(v) FROM items",
          "SELECT MAX(v) FROM items",
          "SELECT v, COUNT(*) FROM items GROUP BY v",
          "SELECT a, SUM(a), COUNT(*) FROM orders GROUP BY a",
          "SELECT COUNT(*) FROM orders o JOIN orders p ON p.id = o.id",
          "SELECT COUNT(*) FROM items i JOIN colours c ON c.v = i.v",
          "SELECT COUNT(*) FROM (SELECT id, COUNT(*) n FROM orders GROUP BY id) g WHERE n = 1",
          "SELECT COUNT(*) FROM (SELECT a FROM orders UNION ALL SELECT a FROM users) u",
          "SELECT COUNT(*) FROM (SELECT a FROM orders UNION ALL SELECT v FROM items) u",
          "SELECT a, v, COUNT(*) FROM (SELECT a, 1 AS v FROM orders UNION ALL SELECT 2, v FROM"
              + " items) u GROUP BY ROLLUP (a, v)",
          "SELECT seller, COUNT(*) FROM orders GROUP BY seller");

  /** Also where only parents are kept: a child that is there has an owner, and so its parent. */
  private static final List<String> OF_ORDERS =
      List.of(
          "SELECT COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id",
          "SELECT o.a, COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.a",
          "SELECT COUNT(*) FROM orders o LEFT JOIN items i ON i.order_id = o.id",
          "SELECT COUNT(*) FROM orders o FULL JOIN items i ON i.order_id = o.id",
          "SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.order_id"
              + " = o.id)");

  private static boolean isNobody(Integer owner) {
    return owner == null || owner == 3;
  }

  private static Shop withoutOrder(Shop data, SplittableRandom random) {
    List<Integer[]> free = data.orders().stream().filter(o -> isNobody(o[1])).toList();
    return new Shop(
        data.users(), lacking(data.orders(), free, random), data.items(), data.sellers());
  }

  private static Shop withoutItem(Shop data, SplittableRandom random) {
    Map<Integer, Integer> owners = new HashMap<>();
    data.orders().forEach(o -> owners.put(o[0], o[1]));
    List<Integer[]> free = data.items().stream().filter(i -> isNobody(owners.get(i[0]))).toList();
    return new Shop(
        data.users(), data.orders(), lacking(data.items(), free, random), data.sellers());
  }

  private static List<Integer[]> lacking(
      List<Integer[]> rows, List<Integer[]> free, SplittableRandom random) {
    List<Integer[]> left = new ArrayList<>(rows);
    if (!free.isEmpty()) {
      left.remove(free.get(random.nextInt(free.size())));
    }
    return left;
  }

  @Test
  void onePersonOrOneKeptRowMovesNoValueByMoreThanItsNoiseIsMadeFor() throws SQLException {
    run(4, 11);
  }

  @Test
  @Tag("soak")
  void onePersonOrOneKeptRowMovesNoValueAtLength() throws SQLException {
    run(150, 12);
  }

  private static void run(int cases, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    MovedByOne moved = new MovedByOne();
    for (int i = 0; i < cases; i++) {
      Shop data = Shop.draw(random);
      try (Shop.Asked all = new Shop.Asked(data);
          Shop.Asked person = new Shop.Asked(data.without(random.nextInt(3), false));
          Shop.Asked order = new Shop.Asked(withoutOrder(data, random));
          Shop.Asked item = new Shop.Asked(withoutItem(data, random))) {
        compare(moved, KEPT, QUESTIONS, List.of(all, person, order, item));
        // An item without an owner is not there.
        compare(moved, ORDERS, QUESTIONS, List.of(all, person, order));
        compare(moved, ORDERS, OF_ORDERS, List.of(all, person, order));
      }
    }
    assertEquals(80 * cases, moved.clipped());
    assertEquals(5 * cases, moved.labelled());
  }

  private static void compare(
      MovedByOne moved, Policy policy, List<String> questions, List<Shop.Asked> sides)
      throws SQLException {
    JdbcDatabase all = sides.getFirst().under(policy);
    for (Shop.Asked side : sides.subList(1, sides.size())) {
      JdbcDatabase less = side.under(policy);
      for (String sql : questions) {
        moved.compare(plan(policy, sql), all, less, sql);
      }
    }
  }

  /** What only owner or path columns keep together would gather many such people. */
  @Test
  void ownerAndPathColumnsKeepNobodyApart() {
    for (String sql :
        List.of(
            "SELECT COUNT(*) FROM (SELECT order_id, COUNT(*) n FROM items GROUP BY order_id) g"
                + " WHERE n > 99",
            "SELECT COUNT(*) FROM items i JOIN items j ON i.order_id = j.order_id",
            "SELECT COUNT(*) FROM (SELECT user_id, COUNT(*) n FROM orders GROUP BY user_id) g",
            "SELECT COUNT(*) FROM users u JOIN orders o ON u.id = o.user_id",
            "SELECT COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id",
            "SELECT COUNT(DISTINCT user_id) FROM orders")) {
      Rejection refused = assertThrows(Rejection.class, () -> plan(KEPT, sql), sql);
      assertEquals("PEOPLE_UNSUPPORTED", refused.codeName(), sql);
    }
  }

  /** 100 items whose order is gone: one leaves, and 99 or 9,802 are left of 100 and 10,001. */
  @Test
  void aHundredRowsWithoutOwnerMoveByOneAndNotByAHundredAndNinetyNine() throws SQLException {
    List<Integer[]> items = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      items.add(new Integer[] {77, 1, i});
    }
    items.add(new Integer[] {5, 1, 100});
    List<Integer[]> orders = List.<Integer[]>of(new Integer[] {5, 0, 0, 1});
    Shop data = new Shop(List.of(), orders, items, List.of());
    Shop less = new Shop(List.of(), orders, items.subList(1, 101), List.of());
    try (Shop.Asked x = new Shop.Asked(data);
        Shop.Asked y = new Shop.Asked(less)) {
      String group = "SELECT MAX(n) FROM (SELECT COUNT(*) n FROM items GROUP BY order_id)";
      assertEquals(List.of(100L, 99L), List.of(x.number(group), y.number(group)));
      String pairs = "SELECT COUNT(*) FROM items i JOIN items j ON i.order_id = j.order_id";
      assertEquals(List.of(10_001L, 9_802L), List.of(x.number(pairs), y.number(pairs)));
      MovedByOne moved = new MovedByOne();
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM items",
              "SELECT COUNT(*) FROM items i JOIN items j ON i.id = j.id")) {
        Plan plan = plan(KEPT, sql);
        assertTrue(
            plan.measurements().getFirst().noise().get() instanceof CalibratedMechanism.Clipped);
        moved.compare(plan, x.under(KEPT), y.under(KEPT), sql);
      }
      assertEquals(2, moved.clipped());
    }
  }

  /** Wrong: all rows without an owner as one person, who is cut to two rows. */
  @Test
  void nobodyAsOnePersonLetsAnotherRowInWhenOneLeaves() throws SQLException {
    String cut =
        "SELECT COUNT(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM y WHERE y.id = x.id)) FROM x";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT i AS id, NULL::INTEGER AS o FROM range(5) r(i)");
      for (String owner :
          List.of("COALESCE(o::VARCHAR, 'nobody')", "COALESCE(o::VARCHAR, '-' || id)")) {
        String first =
            "SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY "
                + owner
                + " ORDER BY id) n FROM t %s) WHERE n <= 2";
        statement.execute("CREATE OR REPLACE TABLE y AS " + first.formatted(""));
        statement.execute("CREATE OR REPLACE TABLE x AS " + first.formatted("WHERE id <> 0"));
        try (ResultSet in = statement.executeQuery(cut)) {
          in.next();
          assertEquals(owner.contains("nobody") ? 1 : 0, in.getLong(1), "rows that come in");
        }
      }
    }
  }
}
