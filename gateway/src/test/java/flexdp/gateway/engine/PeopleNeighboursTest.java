package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * From SQL text to the exact values before noise, on a real database with and without one person
 * and everything she owns: nothing moves by more than its noise is made for, at any level. Data
 * have NULL and dangling owners; questions join, group and nest by owners.
 */
class PeopleNeighboursTest {
  private static final String PRIVACY =
      "privacy: {epsilon: 1, thresholding: {delta: 1e-6}, budget: {epsilon: 1000000}}\n";

  private static final String TABLES =
      """
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        orders:
          owners: {user: user_id%s}
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer, references: users.id}
            seller: {type: integer}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        items:
          owners: {user: order_id.user_id%s}
          columns:
            order_id: {type: integer, references: orders.id}
            v: {type: integer, range: [-2, 4], domain: [0, 1, 2, null]}
        sellers:
          %s
          columns:
            id: {type: integer, unique: true, nullable: false, individual: true}
        colours:
          public: true
          columns:
            v: {type: integer}
            name: {type: varchar, domain: [red, blue]}
      """;

  private static final Policy ONE =
      policy(
          PRIVACY
              + "people: {user: {key: users.id, nobody: [3]}}\n"
              + TABLES.replaceFirst("%s", "").replaceFirst("%s", "").replace("%s", "unit: row"));

  private static final Policy TWO =
      policy(
          PRIVACY
              + "people: {user: {key: users.id}, seller: {key: sellers.id}}\n"
              + TABLES
                  .replaceFirst("%s", ", seller: seller")
                  .replaceFirst("%s", ", seller: order_id.seller")
                  .replace("%s", "owners: {seller: id}"));

  private static Policy policy(String yaml) {
    return PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
  }

  private static final List<String> OWNED =
      List.of(
          "SELECT COUNT(*) FROM orders",
          "SELECT SUM(a) FROM orders",
          "SELECT COUNT(*) FROM items",
          "SELECT SUM(v) FROM items WHERE v > 0",
          "SELECT AVG(v) FROM items",
          "SELECT v, COUNT(*) FROM items GROUP BY v",
          "SELECT a, SUM(a), COUNT(*) FROM orders GROUP BY a",
          "SELECT a, SUM(a) FROM orders GROUP BY a",
          "SELECT MAX(v) FROM items",
          "SELECT COUNT(*) FROM orders o JOIN users u ON u.id = o.user_id",
          "SELECT COUNT(*) FROM users u LEFT JOIN orders o ON u.id = o.user_id",
          "SELECT SUM(o.a) FROM orders o JOIN orders p ON p.user_id = o.user_id",
          "SELECT COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id",
          "SELECT o.a, COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.a",
          "SELECT COUNT(*) FROM items i JOIN colours c ON c.v = i.v",
          "SELECT c.name, SUM(i.v) FROM items i JOIN colours c ON c.v = i.v GROUP BY c.name",
          "SELECT COUNT(*) FROM (SELECT user_id, COUNT(*) n FROM orders WHERE user_id IS NOT NULL"
              + " GROUP BY user_id) g WHERE n > 1",
          "SELECT COUNT(*) FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id ="
              + " u.id)",
          "SELECT COUNT(*) FROM users u WHERE NOT EXISTS (SELECT 1 FROM orders o"
              + " WHERE o.user_id = u.id AND o.a = 1)",
          "SELECT COUNT(*) FROM orders o WHERE o.a > (SELECT COUNT(*) FROM items i"
              + " WHERE i.order_id = o.id)",
          "SELECT COUNT(*) FROM (SELECT DISTINCT user_id, a FROM orders) d",
          "SELECT COUNT(*) FROM (SELECT user_id FROM orders UNION ALL SELECT id FROM users) d",
          "SELECT a, COUNT(DISTINCT user_id) FROM orders GROUP BY a",
          "SELECT v, COUNT(DISTINCT o.user_id) FROM items i JOIN orders o ON i.order_id = o.id"
              + " GROUP BY v",
          "SELECT c.name, COUNT(i.v) FROM colours c LEFT JOIN items i ON i.v = c.v GROUP BY c.name",
          "SELECT c.name, SUM(i.v), COUNT(i.order_id) FILTER (WHERE i.v > 0) FROM colours c LEFT"
              + " JOIN items i ON i.v = c.v GROUP BY c.name",
          "SELECT COUNT(*), COUNT(DISTINCT user_id) FROM orders",
          "SELECT COUNT(DISTINCT user_id), SUM(a), AVG(a) FROM orders WHERE a > 0",
          "SELECT o.a, i.v, COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY"
              + " ROLLUP (o.a, i.v)",
          "SELECT o.a, i.v, SUM(i.v), COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id"
              + " GROUP BY CUBE (o.a, i.v)",
          "SELECT a, MAX(a), COUNT(*) FROM orders GROUP BY GROUPING SETS ((a), ())",
          "SELECT v, SUM(v) FROM items GROUP BY GROUPING SETS ((v), (v), ())",
          "SELECT a, COUNT(DISTINCT user_id) FROM orders GROUP BY GROUPING SETS ((a), ())",
          "SELECT COUNT(DISTINCT id) FROM orders",
          "SELECT COUNT(DISTINCT order_id), COUNT(*), SUM(v) FROM items",
          "SELECT o.a, COUNT(DISTINCT o.id), COUNT(*) FROM orders o JOIN orders p ON p.user_id ="
              + " o.user_id GROUP BY o.a",
          "SELECT v, COUNT(DISTINCT order_id) FILTER (WHERE v > 0), COUNT(DISTINCT o.user_id),"
              + " AVG(v) FROM items i JOIN orders o ON i.order_id = o.id GROUP BY ROLLUP (v)",
          "SELECT a, COUNT(DISTINCT user_id), SUM(a) FROM orders GROUP BY a",
          "SELECT a, COUNT(DISTINCT user_id) FILTER (WHERE seller = 1) AS one, COUNT(DISTINCT"
              + " CASE WHEN seller > 1 THEN user_id END) AS more, COUNT(*) FROM orders GROUP BY a",
          "SELECT o.a, i.v, COUNT(DISTINCT o.user_id), COUNT(*), AVG(i.v) FROM orders o JOIN items i"
              + " ON i.order_id = o.id GROUP BY CUBE (o.a, i.v)",
          "SELECT u.a, COUNT(o.id) * 1.0 / COUNT(DISTINCT u.id) FROM users u LEFT JOIN orders o ON"
              + " o.user_id = u.id GROUP BY u.a",
          "SELECT COUNT(*) FROM (SELECT LAG(a) OVER (PARTITION BY user_id ORDER BY seller) AS b FROM"
              + " orders WHERE user_id IS NOT NULL) x WHERE b = 1",
          "SELECT a, COUNT(*) FROM (SELECT DISTINCT ON (user_id) user_id, a FROM orders WHERE user_id"
              + " IS NOT NULL ORDER BY user_id, seller) f GROUP BY a");

  /** One person has one row each of these, whatever the data. */
  private static final List<String> FEW =
      List.of(
          "SELECT COUNT(*) FROM users",
          "SELECT a, COUNT(*) FROM users GROUP BY a",
          "SELECT SUM(a), COUNT(a) FROM users",
          "SELECT a, SUM(a) FROM users GROUP BY GROUPING SETS ((a), ())",
          "SELECT COUNT(*) FROM users u JOIN (SELECT user_id, COUNT(*) n FROM orders WHERE user_id"
              + " IS NOT NULL GROUP BY user_id) g ON g.user_id = u.id WHERE n > 1",
          "SELECT COUNT(DISTINCT user_id) FROM orders");

  /** Labels that the policy does not list. */
  private static final List<String> LABELLED =
      List.of(
          "SELECT seller, COUNT(*) FROM orders GROUP BY seller",
          "SELECT seller, a, COUNT(*), SUM(a) FROM orders GROUP BY seller, a",
          "SELECT o.seller, COUNT(*), AVG(i.v) FROM orders o JOIN items i ON i.order_id = o.id"
              + " GROUP BY o.seller",
          "SELECT seller, COUNT(DISTINCT user_id) FROM orders GROUP BY seller",
          "SELECT seller, SUM(a) FROM orders GROUP BY seller",
          "SELECT seller, COUNT(DISTINCT id) FROM orders GROUP BY seller",
          "SELECT seller, COUNT(*), COUNT(DISTINCT user_id) FROM orders GROUP BY seller");

  private static final List<String> SHARED =
      List.of(
          "SELECT COUNT(*) FROM orders",
          "SELECT SUM(ABS(a)) FROM orders",
          "SELECT COUNT(*) FROM items",
          "SELECT COUNT(*) FROM items WHERE v = 1",
          "SELECT COUNT(*) FROM items i JOIN colours c ON c.v = i.v",
          "SELECT COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id",
          "SELECT COUNT(*) FROM orders o JOIN orders p ON p.a = o.a",
          "SELECT a, COUNT(*) FROM orders GROUP BY a",
          "SELECT a, COUNT(*), SUM(ABS(a)) FROM orders GROUP BY a",
          "SELECT COUNT(*), SUM(ABS(v)) FROM items",
          "SELECT COUNT(*) FROM orders o JOIN sellers s ON s.id = o.seller",
          "SELECT COUNT(*) FROM orders o JOIN orders p ON p.user_id = o.user_id",
          "SELECT COUNT(*) FROM (SELECT id AS k, a FROM orders) o JOIN items i ON i.order_id ="
              + " o.k");

  /** A row of another table, whose unit it is, moves rows of one person, or their signs. */
  private static final List<String> BESIDE =
      List.of(
          "SELECT CASE WHEN s.id IS NULL THEN o.a ELSE o.a + 10 END AS g, COUNT(*), SUM(o.a),"
              + " AVG(o.a), COUNT(DISTINCT o.user_id) FROM orders o LEFT JOIN sellers s ON s.id ="
              + " o.user_id GROUP BY 1",
          "SELECT o.a, SUM(CASE WHEN s.id IS NULL THEN o.a ELSE -o.a END) FROM orders o LEFT JOIN"
              + " sellers s ON s.id = o.user_id GROUP BY 1",
          "SELECT o.a, COUNT(*) FROM orders o JOIN sellers s ON s.id = o.user_id GROUP BY 1");

  private final MovedByOne moved = new MovedByOne();

  @Test
  void rowsBesidePeopleMoveNoLengthByMoreThanItsNoiseIsMadeFor() throws SQLException {
    SplittableRandom random = new SplittableRandom(3);
    Analyzer one = analyzer(ONE);
    for (int i = 0; i < 4; i++) {
      Shop data = Shop.draw(random);
      int row = random.nextInt(3);
      Shop fewer =
          new Shop(
              data.users(),
              data.orders(),
              data.items(),
              data.sellers().stream().filter(s -> s[0] != row).toList());
      try (Shop.Asked x = new Shop.Asked(data);
          Shop.Asked y = new Shop.Asked(fewer)) {
        for (String sql : BESIDE) {
          moved.compare(one.plan(sql, SQUARES), x.under(ONE), y.under(ONE), sql);
        }
      }
    }
    assertTrue(moved.squared() > 100, moved.squared() + " in L2");
  }

  @Test
  void onePersonMovesNoValueByMoreThanItsNoiseIsMadeFor() throws SQLException {
    run(4, 1);
  }

  @Test
  @Tag("soak")
  void onePersonMovesNoValueByMoreThanItsNoiseIsMadeForAtLength() throws SQLException {
    run(300, 2);
  }

  private void run(int cases, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    Analyzer one = analyzer(ONE);
    Analyzer two = analyzer(TWO);
    for (int i = 0; i < cases; i++) {
      Shop data = Shop.draw(random);
      int person = random.nextInt(3);
      try (Shop.Asked x = new Shop.Asked(data);
          Shop.Asked bought = new Shop.Asked(data.without(person, false));
          Shop.Asked sold = new Shop.Asked(data.without(person, true))) {
        JdbcDatabase all = x.under(ONE);
        JdbcDatabase less = bought.under(ONE);
        for (List<String> questions : List.of(OWNED, FEW, LABELLED)) {
          for (String sql : questions) {
            moved.compare(one.plan(sql, AnalysisOptions.DEFAULT), all, less, sql);
          }
        }
        for (List<String> questions : List.of(OWNED, LABELLED)) {
          for (String sql : questions) {
            moved.compare(one.plan(sql, SQUARES), all, less, sql + " (by squares)");
          }
        }
        JdbcDatabase whole = x.under(TWO);
        JdbcDatabase withoutBuyer = bought.under(TWO);
        JdbcDatabase withoutSeller = sold.under(TWO);
        for (String sql : SHARED) {
          Plan plan = two.plan(sql, AnalysisOptions.DEFAULT);
          moved.compare(plan, whole, withoutBuyer, sql + " (buyers)");
          moved.compare(plan, whole, withoutSeller, sql + " (sellers)");
        }
      }
    }
    assertTrue(moved.clipped() >= cases * OWNED.size(), moved.clipped() + " clipped");
    assertTrue(moved.descended() >= cases, moved.descended() + " descended");
    assertTrue(moved.apart() >= cases, moved.apart() + " apart");
    assertTrue(moved.few() >= cases * FEW.size(), moved.few() + " few");
    assertTrue(moved.squared() >= cases * OWNED.size(), moved.squared() + " in L2");
    assertTrue(moved.labelled() >= cases * LABELLED.size(), moved.labelled() + " labelled");
  }

  /** Where every account adds up ρ: many cells are clipped in L2. */
  private static final AnalysisOptions SQUARES = AnalysisOptions.DEFAULT.concentrated(true);

  private static Analyzer analyzer(Policy policy) {
    return new Analyzer(
        policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0));
  }

  /** A person of three labels moves the numbers of people by three: noise for one is too little. */
  @Test
  void aPersonVouchesForAllHerLabels() throws SQLException {
    List<Integer[]> orders = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      orders.add(new Integer[] {i, i % 2, i % 6, 1});
    }
    Shop data = new Shop(List.of(), orders, List.of(), List.of());
    String sql = "SELECT seller, COUNT(*) FROM orders GROUP BY seller";
    for (int person = 0; person < 2; person++) {
      try (Shop.Asked x = new Shop.Asked(data);
          Shop.Asked y = new Shop.Asked(data.without(person, false))) {
        moved.compare(
            analyzer(ONE).plan(sql, AnalysisOptions.DEFAULT), x.under(ONE), y.under(ONE), sql);
      }
    }
    assertEquals(3, moved.labels().intValue());
  }

  @Test
  void ownersThatAJoinMakesEqualAreOne() {
    Analyzer two = analyzer(TWO);
    Map<String, Integer> owners =
        Map.of(
            "SELECT COUNT(*) FROM orders o JOIN sellers s ON s.id = o.seller", 2,
            "SELECT COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id", 2,
            "SELECT COUNT(*) FROM orders o JOIN orders p ON p.user_id = o.user_id", 3,
            "SELECT COUNT(*) FROM orders o JOIN orders p ON p.user_id = o.seller", 4,
            "SELECT COUNT(*) FROM orders o JOIN orders p ON p.a = o.a", 4);
    owners.forEach(
        (sql, count) -> {
          Plan plan = two.plan(sql, AnalysisOptions.DEFAULT);
          CalibratedMechanism.Packed noise =
              (CalibratedMechanism.Packed) plan.measurements().getFirst().noise().orElseThrow();
          assertEquals(count, noise.packing().owners(), sql);
        });
  }

  @Test
  void whatMixesPeopleIsRefused() {
    Analyzer one = analyzer(ONE);
    Analyzer two = analyzer(TWO);
    for (String sql :
        List.of(
            "SELECT COUNT(*) FROM orders o JOIN orders p ON p.a = o.a",
            "SELECT COUNT(*) FROM orders o LEFT JOIN items i ON i.v = o.a",
            "SELECT COUNT(*) FROM (SELECT a, COUNT(*) n FROM orders GROUP BY a) g WHERE n > 1",
            "SELECT COUNT(*) FROM colours c LEFT JOIN items i ON i.v = c.v")) {
      assertEquals("PEOPLE_UNSUPPORTED", refused(one, sql), sql);
    }
    // Of labels from the data only large groups are shown, which is no sum of all of them.
    String groups =
        "SELECT AVG(n) FROM (SELECT seller, COUNT(DISTINCT user_id) AS n FROM orders GROUP BY"
            + " seller) s";
    assertEquals("MISSING_RANGE", refused(one, groups));
    assertEquals("accepted", refused(one, groups.replace("seller", "a")));
    for (String sql :
        List.of(
            "SELECT AVG(a) FROM orders",
            "SELECT a, COUNT(*) FROM orders GROUP BY ROLLUP (a)",
            "SELECT a, v, COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY a, v",
            "SELECT SUM(a) FROM orders",
            "SELECT COUNT(*) FROM users u LEFT JOIN orders o ON o.user_id = u.id",
            // Groups by buyer that sellers' rows are in: one seller leaves, and a hundred change.
            "SELECT COUNT(*) FROM colours c JOIN (SELECT user_id, COUNT(*) n FROM orders WHERE"
                + " user_id IS NOT NULL GROUP BY user_id) g ON g.n = c.v",
            "SELECT COUNT(*) FROM (SELECT DISTINCT user_id, seller FROM orders) d")) {
      assertEquals("PEOPLE_UNSUPPORTED", refused(two, sql), sql);
    }
  }

  private static String refused(Analyzer analyzer, String sql) {
    try {
      analyzer.plan(sql, AnalysisOptions.DEFAULT);
      return "accepted";
    } catch (Rejection e) {
      return e.codeName();
    }
  }
}
