package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.cells.PersonCell;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.metrics.Metrics;
import flexdp.people.clipping.Contributions;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.release.Reading;
import java.math.BigInteger;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Rows of one person that tie in an order come by the keys of every table below: in whichever order
 * the database keeps its rows, the values are the same.
 */
class BrokenTiesTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 1, budget: {epsilon: 1000000}}
      people: {user: {key: users.id}}
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
        orders:
          owners: {user: user_id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer, references: users.id}
            seller: {type: integer, range: [0, 9]}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2]}
        items:
          owners: {user: order_id.user_id}
          columns:
            order_id: {type: integer, references: orders.id}
            v: {type: integer, range: [0, 9], domain: [0, 1, 2]}
            id: {type: integer, KEY}
      """;

  private static final Policy KEYED = policy("unique: true, nullable: false");
  private static final Policy KEYLESS = policy("nullable: false");

  private static Policy policy(String key) {
    return PolicyReader.read(
        YamlText.tree(POLICY.replace("KEY", key), ConfigurationError.Code.BAD_POLICY));
  }

  private static final String JOINED =
      "(SELECT o.seller, i.v, FUNCTION OVER (PARTITION BY o.user_id ORDER BY o.a) AS n FROM orders o"
          + " JOIN items i ON i.order_id = o.id WHERE o.user_id IS NOT NULL) x";

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT SUM(seller) FROM (SELECT DISTINCT ON (user_id) user_id, seller FROM orders WHERE"
              + " user_id IS NOT NULL ORDER BY user_id, a) f",
          "SELECT a, COUNT(*) FROM (SELECT a, LAG(seller) OVER (PARTITION BY user_id ORDER BY a) AS"
              + " b FROM orders WHERE user_id IS NOT NULL) x WHERE b > 4 GROUP BY a",
          "SELECT SUM(b) FROM (SELECT LEAST(9, GREATEST(0, FIRST_VALUE(seller) OVER (PARTITION BY"
              + " user_id ORDER BY a))) AS b FROM orders WHERE user_id IS NOT NULL) x",
          "SELECT SUM(seller) FROM " + JOINED.replace("FUNCTION", "ROW_NUMBER()") + " WHERE n < 4",
          "SELECT SUM(v) FROM " + JOINED.replace("FUNCTION", "ROW_NUMBER()") + " WHERE n < 4",
          "SELECT v, COUNT(*) FROM "
              + JOINED.replace("FUNCTION", "LEAD(i.v)")
              + " WHERE n = 1 GROUP"
              + " BY v");

  /** Few people with many rows that tie. */
  private static Shop shop() {
    List<Integer[]> orders = new ArrayList<>();
    List<Integer[]> items = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      orders.add(new Integer[] {i, i % 3, i * 7 % 10, i % 2});
      items.add(new Integer[] {i, i * 5 % 3, 2 * i});
      items.add(new Integer[] {i, (i + 1) * 5 % 3, 2 * i + 1});
    }
    return new Shop(List.of(), orders, items, List.of());
  }

  private static Plan plan(Policy policy, String sql) {
    return new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT);
  }

  private static Map<String, List<BigInteger>> values(Shop data, String sql) throws SQLException {
    Plan plan = plan(KEYED, sql);
    NoisyAggregate read = plan.read(plan.query().releases().getFirst());
    CalibratedMechanism.Clipped noise =
        (CalibratedMechanism.Clipped) plan.measurements().getFirst().noise().orElseThrow();
    Contributions<PersonCell> all =
        new Contributions<>(noise.clipping().levels(), noise.clipping().digits());
    try (Shop.Asked shop = new Shop.Asked(data)) {
      JdbcDatabase database = shop.under(KEYED);
      try (Session session = database.session()) {
        new DatabaseRows(new RenderedStatements(database), session, false)
            .people(
                new Reading.People(read, noise.owner(), noise.clipping(), Optional.empty()), all);
      }
    }
    Map<String, List<BigInteger>> values = new TreeMap<>();
    for (PersonCell cell : all.cells()) {
      values.put(cell.toString(), List.of(all.clipped(cell, 1), all.whole(cell)));
    }
    return values;
  }

  @Test
  void valuesDoNotDependOnWhereRowsLie() throws SQLException {
    for (String sql : QUESTIONS) {
      Map<String, List<BigInteger>> first = values(shop(), sql);
      assertTrue(!first.isEmpty(), sql);
      for (long seed = 1; seed < 5; seed++) {
        assertEquals(first, values(shop().shuffled(seed), sql), sql);
      }
    }
  }

  /** Wrong twins: with no key, and with that of one of two joined tables, they do. */
  @Test
  void theKeyOfOneTableIsNotEnough() throws SQLException {
    for (String key : List.of("", ", o.id")) {
      Set<Long> sums = new HashSet<>();
      for (long seed = 1; seed < 9; seed++) {
        try (Shop.Asked shop = new Shop.Asked(shop().shuffled(seed))) {
          sums.add(
              shop.number(
                  "SELECT SUM(v) FROM (SELECT i.v, ROW_NUMBER() OVER (PARTITION BY o.user_id ORDER"
                      + " BY o.a"
                      + key
                      + ") AS n FROM orders o JOIN items i ON i.order_id = o.id) x WHERE n < 4"));
        }
      }
      assertTrue(sums.size() > 1, key + ": " + sums);
    }
    String sql = QUESTIONS.get(4);
    assertEquals(
        "ORDER_NOT_TOTAL", assertThrows(Rejection.class, () -> plan(KEYLESS, sql)).codeName());
  }

  /** What peers are is a part of their question. */
  @Test
  void framesOfPeersAreNotReadInAnotherOrder() {
    String last =
        "SELECT COUNT(*) FROM (SELECT LAST_VALUE(seller) OVER (PARTITION BY user_id ORDER BY a) AS b"
            + " FROM orders WHERE user_id IS NOT NULL) x WHERE b > 4";
    assertEquals(
        "ORDER_NOT_TOTAL", assertThrows(Rejection.class, () -> plan(KEYED, last)).codeName());
    String ranked =
        "SELECT COUNT(*) FROM (SELECT RANK() OVER (PARTITION BY user_id ORDER BY a) AS b FROM orders"
            + " WHERE user_id IS NOT NULL) x WHERE b > 4";
    AlgebraWalker.visit(
        plan(KEYED, ranked).query().releases().getFirst().input(),
        r -> {
          if (r instanceof Relation.Window window) {
            assertEquals(1, window.calls().getFirst().order().size());
          }
        });
  }
}
