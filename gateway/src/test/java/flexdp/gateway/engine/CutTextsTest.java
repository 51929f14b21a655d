package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.ownership.TruncatedTable;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The SQL text that reads so many rows of each person, on a real database whose rows come in any
 * order: without a person exactly some of her rows are gone, and nobody else's are others. Texts
 * that look alike are noticed: ties by position, an order by position, a rank among all, a parent's
 * key that has equals, a path that names one of two owners; and that a deleted row lets another in.
 */
class CutTextsTest {
  private static final int ROWS = 2;
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              people: {user: {key: users.id}}
              tables:
                users:
                  owners: {user: id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                orders:
                  owners: {user: user_id}
                  rowsPerPerson: 2
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    user_id: {type: integer}
                    a: {type: integer}
                items:
                  owners: {user: order_id.user_id}
                  rowsPerPerson: 2
                  columns:
                    order_id: {type: integer, references: orders.id}
                    v: {type: integer}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private static final String OWNED =
      "(SELECT p.user_id o, c.order_id, c.v, c.rowid r FROM items c JOIN orders p ON p.id ="
          + " c.order_id WHERE p.user_id IS NOT NULL)";

  private static String ranked(String partition, String order, int most) {
    return "SELECT order_id, v FROM (SELECT *, ROW_NUMBER() OVER ("
        + partition
        + " ORDER BY "
        + order
        + ") n FROM "
        + OWNED
        + ") WHERE n <= "
        + most;
  }

  private static final Map<String, String> WRONG =
      Map.of(
          "ties by position", ranked("PARTITION BY o", "order_id, r", ROWS),
          "order by position", ranked("PARTITION BY o", "hash(r)", ROWS),
          "rank among all", ranked("", "hash(order_id, v), order_id, v", 2 * ROWS));

  private final Map<String, Integer> caught = new TreeMap<>();

  private static String text(String table, Shop.Asked asked) throws SQLException {
    JdbcDatabase database = asked.under(POLICY);
    return new SqlRenderer(database.dialect(), database.catalog())
        .rows(TruncatedTable.of(POLICY.table(table).orElseThrow(), POLICY));
  }

  private static Map<List<Object>, Integer> minus(
      Map<List<Object>, Integer> a, Map<List<Object>, Integer> b) {
    Map<List<Object>, Integer> rest = new HashMap<>();
    a.forEach(
        (row, n) -> {
          int more = n - b.getOrDefault(row, 0);
          if (more > 0) {
            rest.put(row, more);
          }
        });
    return rest;
  }

  private interface Owner {
    Object of(List<Object> row);
  }

  /** Whether what is gone is hers, so many rows at most, and nothing is new. */
  private static boolean holds(
      Map<List<Object>, Integer> x,
      Map<List<Object>, Integer> again,
      Map<List<Object>, Integer> y,
      Owner owner,
      int person) {
    Map<List<Object>, Integer> gone = minus(x, y);
    return x.equals(again)
        && minus(y, x).isEmpty()
        && gone.keySet().stream().allMatch(row -> Objects.equals(owner.of(row), person))
        && gone.values().stream().mapToInt(n -> n).sum() <= ROWS
        && y.keySet().stream().noneMatch(row -> Objects.equals(owner.of(row), person));
  }

  @Test
  void rowsOfOthersStayWhateverTheOrder() throws SQLException {
    run(12, 1);
  }

  @Test
  @Tag("soak")
  void rowsOfOthersStayWhateverTheOrderAtLength() throws SQLException {
    run(400, 2);
  }

  private void run(int cases, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < cases; i++) {
      Shop data = Shop.draw(random);
      int person = random.nextInt(4);
      Map<Object, Integer> buyers = new HashMap<>();
      data.orders().forEach(o -> buyers.put(o[0], o[1]));
      try (Shop.Asked x = new Shop.Asked(data.shuffled(random.nextLong()));
          Shop.Asked again = new Shop.Asked(data.shuffled(random.nextLong()));
          Shop.Asked y = new Shop.Asked(data.without(person, false).shuffled(random.nextLong()))) {
        String orders = text("orders", x);
        assertTrue(
            holds(x.rows(orders), again.rows(orders), y.rows(orders), r -> r.get(1), person));
        String items = text("items", x);
        Owner buyer = row -> buyers.get(row.getFirst());
        assertTrue(holds(x.rows(items), again.rows(items), y.rows(items), buyer, person));
        for (Map.Entry<String, String> wrong : WRONG.entrySet()) {
          String sql = wrong.getValue();
          note(wrong.getKey(), holds(x.rows(sql), again.rows(sql), y.rows(sql), buyer, person));
        }
        deleted(data, x, items, random);
        sold(data, person, x, buyers);
      }
      twice(data);
    }
    assertEquals(6, caught.size(), caught.toString());
  }

  private void note(String twin, boolean holds) {
    if (!holds) {
      caught.merge(twin, 1, Integer::sum);
    }
  }

  /** A deleted row lets another in: max frequencies grow, by one for each. */
  private void deleted(Shop data, Shop.Asked x, String items, SplittableRandom random)
      throws SQLException {
    String most =
        "SELECT COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) n FROM ("
            + items
            + ") c WHERE r1 IS NOT NULL GROUP BY r1)";
    for (int i = 0; i < Math.min(5, data.items().size()); i++) {
      List<Integer[]> left = new ArrayList<>(data.items());
      left.remove(random.nextInt(left.size()));
      Shop less = new Shop(data.users(), data.orders(), left, data.sellers());
      try (Shop.Asked y = new Shop.Asked(less)) {
        assertTrue(y.number(most) <= x.number(most) + 1);
        note("deletes need no refresh", y.number(most) <= x.number(most));
      }
    }
  }

  /** Wrong: items go by the buyer of an order that its seller takes away. */
  private void sold(Shop data, int person, Shop.Asked x, Map<Object, Integer> buyers)
      throws SQLException {
    String all = "SELECT order_id, v FROM " + OWNED;
    try (Shop.Asked y = new Shop.Asked(data.without(person, true))) {
      note(
          "a path that names one of two owners",
          minus(x.rows(all), y.rows(all)).keySet().stream()
              .allMatch(row -> Objects.equals(buyers.get(row.getFirst()), person)));
    }
  }

  /** A key that two parents share gives a row two owners, and copies it. */
  private void twice(Shop data) throws SQLException {
    if (data.orders().isEmpty()) {
      return;
    }
    List<Integer[]> orders = new ArrayList<>(data.orders());
    Integer[] one = orders.getFirst();
    int person = one[1] == null ? 1 : one[1] + 1;
    orders.add(new Integer[] {one[0], person, one[2], one[3]});
    Shop both = new Shop(data.users(), orders, data.items(), data.sellers());
    Map<Object, Integer> last = new HashMap<>();
    orders.forEach(o -> last.put(o[0], o[1]));
    try (Shop.Asked x = new Shop.Asked(both);
        Shop.Asked y = new Shop.Asked(both.without(person, false))) {
      String items = text("items", x);
      Map<List<Object>, Integer> all = x.rows(items);
      note(
          "a parent's key that has equals",
          holds(all, all, y.rows(items), row -> last.get(row.getFirst()), person));
    }
  }
}
