package flexdp.gateway.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.render.SqlRenderer;
import flexdp.gateway.text.YamlText;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The SQL that reads the first rows of each person, on a database whose rows were inserted in some
 * order: a person who leaves takes at most so many rows with her, all hers, and brings no other row
 * in. Texts that are wrong are caught.
 */
class FirstRowsTest {
  private static final int EACH = 2;
  private static final int CASES = 80;

  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, budget: {epsilon: 1000000}}
              people: {user: {key: users.id}}
              tables:
                users:
                  owners: {user: id}
                  columns: {id: {type: integer, unique: true, nullable: false}}
                orders:
                  owners: {user: user_id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    user_id: {type: integer, references: users.id}
                items:
                  owners: {user: order_id.user_id}
                  rowsPerPerson: 2
                  columns:
                    order_id: {type: integer, references: orders.id}
                    v: {type: integer}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private record Order(int id, Integer user) {
    String tuple() {
      return "(" + id + ", " + user + ")";
    }
  }

  private record Item(Integer order, Integer v) {
    String tuple() {
      return "(" + order + ", " + v + ")";
    }
  }

  private record Data(List<Order> orders, List<Item> items) {
    static Data draw(Random random) {
      List<Order> orders = new ArrayList<>();
      for (int id = 0; id < 6; id++) {
        orders.add(new Order(id, random.nextInt(5) == 0 ? null : random.nextInt(3)));
      }
      List<Item> items = new ArrayList<>();
      for (int i = random.nextInt(14); i >= 0; i--) {
        items.add(
            new Item(
                random.nextInt(8) == 0 ? null : random.nextInt(7),
                random.nextInt(4) == 0 ? null : random.nextInt(3)));
      }
      return new Data(orders, items);
    }

    Set<Integer> owners(Item item) {
      Set<Integer> owners = new HashSet<>();
      for (Order order : orders) {
        if (item.order() != null && order.id() == item.order() && order.user() != null) {
          owners.add(order.user());
        }
      }
      return owners;
    }

    Data without(int person) {
      return new Data(
          orders.stream().filter(o -> o.user() == null || o.user() != person).toList(),
          items.stream().filter(i -> !owners(i).contains(person)).toList());
    }

    /** One order has a second owner, though its key should be unique. */
    Data withTwins() {
      List<Order> more = new ArrayList<>(orders);
      orders.stream()
          .filter(o -> o.user() != null)
          .findFirst()
          .ifPresent(o -> more.add(new Order(o.id(), (o.user() + 1) % 3)));
      return new Data(more, items);
    }
  }

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE users(id INTEGER)");
      statement.execute("CREATE TABLE orders(id INTEGER, user_id INTEGER)");
      statement.execute("CREATE TABLE items(order_id INTEGER, v INTEGER)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Rows that are read, and how often each. */
  private Map<List<Object>, Integer> read(Data data, String sql, Random random)
      throws SQLException {
    Map<List<Object>, Integer> rows = new HashMap<>();
    try (Statement statement = connection.createStatement()) {
      insert(statement, "orders", data.orders().stream().map(Order::tuple).toList(), random);
      insert(statement, "items", data.items().stream().map(Item::tuple).toList(), random);
      try (ResultSet result = statement.executeQuery(sql)) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            row.add(result.getObject(i));
          }
          rows.merge(row, 1, Integer::sum);
        }
      }
    }
    return rows;
  }

  private static void insert(Statement statement, String table, List<String> rows, Random random)
      throws SQLException {
    statement.execute("DELETE FROM " + table);
    List<String> tuples = new ArrayList<>(rows);
    Collections.shuffle(tuples, random);
    if (!tuples.isEmpty()) {
      statement.execute("INSERT INTO " + table + " VALUES " + String.join(", ", tuples));
    }
  }

  private static Map<List<Object>, Integer> less(
      Map<List<Object>, Integer> all, Map<List<Object>, Integer> others) {
    Map<List<Object>, Integer> left = new HashMap<>();
    all.forEach(
        (row, count) -> {
          int more = count - others.getOrDefault(row, 0);
          if (more > 0) {
            left.put(row, more);
          }
        });
    return left;
  }

  /** What is read of items, as the analysis puts it. */
  private static Relation.TopRows truncated() {
    Plan plan =
        new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
            .plan("SELECT COUNT(DISTINCT v) FROM items", AnalysisOptions.DEFAULT);
    Relation input = plan.read(plan.question().releases().getFirst()).input();
    return find(input).orElseThrow();
  }

  private static Optional<Relation.TopRows> find(Relation relation) {
    if (relation instanceof Relation.TopRows top) {
      return Optional.of(top);
    }
    return relation.children().stream().flatMap(child -> find(child).stream()).findFirst();
  }

  private String text(Relation relation) throws SQLException {
    Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
    try (JdbcDatabase database =
        JdbcDatabase.over(own, POLICY, Duration.ofSeconds(60), (what, cause) -> {})) {
      return new SqlRenderer(database.dialect(), database.catalog()).rows(relation);
    }
  }

  private static int owner(Relation.TopRows top) {
    int owner = ((Expr.Ref) top.partition().getFirst()).column();
    return top.columns().stream().map(c -> c.id()).toList().indexOf(owner);
  }

  private boolean holds(Data x, int person, String sql, int owner, Random random)
      throws SQLException {
    Map<List<Object>, Integer> all = read(x, sql, random);
    Map<List<Object>, Integer> others = read(x.without(person), sql, random);
    Map<List<Object>, Integer> gone = less(all, others);
    return all.equals(read(x, sql, random))
        && less(others, all).isEmpty()
        && gone.keySet().stream().allMatch(row -> row.get(owner).equals(person))
        && gone.values().stream().mapToInt(n -> n).sum() <= EACH
        && others.keySet().stream().noneMatch(row -> row.get(owner).equals(person));
  }

  /** In how many cases the text is wrong. */
  private int caught(Relation.TopRows top, boolean twins) throws SQLException {
    String sql = text(top);
    int owner = owner(truncated());
    Random random = new Random(14);
    int caught = 0;
    for (int i = 0; i < CASES; i++) {
      Data data = Data.draw(random);
      caught += holds(twins ? data.withTwins() : data, i % 3, sql, owner, random) ? 0 : 1;
    }
    return caught;
  }

  private static Relation.TopRows ranked(List<Expr> partition, List<SortKey> order) {
    Relation.TopRows top = truncated();
    return new Relation.TopRows(top.input(), partition, order, top.count(), top.at());
  }

  @Test
  void aPersonTakesHerRowsWithHerAndNobodyElses() throws SQLException {
    assertEquals(0, caught(truncated(), false));
  }

  @Test
  void anOrderThatIsNotTotalIsCaught() throws SQLException {
    Relation.TopRows top = truncated();
    SortKey tied = top.order().get(1);
    assertTrue(tied.expr() instanceof Expr.Ref, top.order().toString());
    assertTrue(caught(ranked(top.partition(), List.of(tied)), false) > 0);
  }

  @Test
  void theOrderOfPlacesIsCaught() throws SQLException {
    assertTrue(caught(ranked(truncated().partition(), List.of()), false) > 0);
  }

  @Test
  void aRankAmongAllIsCaught() throws SQLException {
    assertTrue(caught(ranked(List.of(), truncated().order()), false) > 0);
  }

  /** A false promise, which `policy check` finds. */
  @Test
  void aKeyOfAPathThatIsNotUniqueIsCaught() throws SQLException {
    assertTrue(caught(truncated(), true) > 0);
  }

  /** A row that is deleted may let another in: max frequencies grow, by one at most. */
  @Test
  void metricsFromBeforeARowWasDeletedAreCaught() throws SQLException {
    Relation.TopRows top = truncated();
    String sql = text(top);
    int owner = owner(top);
    Random random = new Random(15);
    int grown = 0;
    for (int i = 0; i < CASES / 4; i++) {
      Data data = Data.draw(random);
      int before = frequency(read(data, sql, random), top, owner);
      for (Item item : data.items()) {
        List<Item> left = new ArrayList<>(data.items());
        left.remove(item);
        int after = frequency(read(new Data(data.orders(), left), sql, random), top, owner);
        assertTrue(after <= before + 1, before + " became " + after);
        grown += after > before ? 1 : 0;
      }
    }
    assertTrue(grown > 0);
  }

  private static int frequency(Map<List<Object>, Integer> rows, Relation.TopRows top, int owner) {
    int v = top.columns().stream().map(c -> c.name()).toList().indexOf("v");
    assertTrue(v >= 0 && v != owner, top.columns().toString());
    Map<Object, Integer> counts = new HashMap<>();
    rows.forEach(
        (row, n) -> {
          if (row.get(v) != null) {
            counts.merge(row.get(v), n, Integer::sum);
          }
        });
    return counts.values().stream().mapToInt(n -> n).max().orElse(0);
  }
}
