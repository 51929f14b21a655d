package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.plan.ContributionBounding;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Questions that mix people, of whom so many rows each are read: with and without one person the
 * exact answers are no further apart than the bound says that the metrics of either side give, and
 * the bound of one side is at most that of the other one person further.
 */
class TruncatedNeighboursTest {
  private static final String TEXT =
      """
      privacy: {epsilon: 1, budget: {epsilon: 1000000}}
      people: {user: {key: users.id, nobody: [3]}}
      tables:
        users:
          owners: {user: id}
          rowsPerPerson: 1
          columns:
            id: {type: integer, unique: true, nullable: false}
            a: {type: integer, domain: [0, 1, 2, null]}
        orders:
          owners: {user: user_id}
          rowsPerPerson: 2
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer, references: users.id}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        items:
          owners: {user: order_id.user_id}
          rowsPerPerson: 3
          columns:
            order_id: {type: integer, references: orders.id}
            v: {type: integer, range: [0, 4], domain: [0, 1, 2, null]}
      """;

  private static final Policy POLICY = policy(TEXT);

  /** Orders and items without an owner are kept, each a person of its own. */
  private static final Policy KEPT =
      policy(
          TEXT.replace("rowsPerPerson: 2", "rowsPerPerson: 2\n    unowned: keep")
              .replace("rowsPerPerson: 3", "rowsPerPerson: 3\n    unowned: keep")
              .replace(
                  "order_id: {type",
                  "id: {type: integer, unique: true, nullable: false}\n      order_id: {type"));

  private static Policy policy(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private static RequiredFrequencies wanted(Policy policy) {
    return RequiredFrequencies.of(policy)
        .and(ColumnNames.parse("users.a, orders.a, items.v", policy));
  }

  private static final PrivacyUnit PERSON = new PrivacyUnit.Person("user");

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM orders o JOIN orders p ON p.a = o.a",
          "SELECT COUNT(*) FROM orders o LEFT JOIN items i ON i.v = o.a",
          "SELECT SUM(i.v) FROM orders o JOIN items i ON i.v = o.a",
          "SELECT COUNT(*) FROM (SELECT a, COUNT(*) n FROM orders GROUP BY a) g WHERE n > 1",
          "SELECT COUNT(DISTINCT v) FROM items",
          "SELECT COUNT(*) FROM orders o WHERE o.a IN (SELECT v FROM items)",
          "SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.v = o.a)",
          "SELECT COUNT(*) FROM users u WHERE EXISTS (SELECT 1 FROM (SELECT o.a, i.v FROM orders o"
              + " FULL JOIN items i ON o.a = i.v) z WHERE z.v = u.a)",
          "SELECT COUNT(*) FROM users u JOIN items i ON i.v = u.a",
          "SELECT o.a, COUNT(*) FROM orders o JOIN items i ON i.v = o.a GROUP BY o.a");

  private record Data(List<Integer[]> users, List<Integer[]> orders, List<Integer[]> items) {}

  private static Integer or(SplittableRandom random, int most) {
    int value = random.nextInt(most + 1);
    return value == most ? null : value;
  }

  private static Data draw(SplittableRandom random) {
    List<Integer[]> users = new ArrayList<>();
    List<Integer[]> orders = new ArrayList<>();
    List<Integer[]> items = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      if (random.nextInt(10) < 7) {
        users.add(new Integer[] {i, or(random, 3)});
      }
    }
    int count = random.nextInt(16);
    for (int i = 0; i < count; i++) {
      orders.add(new Integer[] {i, or(random, 5), or(random, 3)});
    }
    int lines = random.nextInt(30);
    for (int i = 0; i < lines; i++) {
      items.add(new Integer[] {or(random, 17), or(random, 3), i});
    }
    return new Data(users, orders, items);
  }

  private static Data without(Data data, int person) {
    Map<Integer, Integer> owners = new TreeMap<>();
    data.orders().forEach(o -> owners.put(o[0], o[1]));
    return new Data(
        data.users().stream().filter(r -> r[0] != person).toList(),
        data.orders().stream().filter(r -> r[1] == null || r[1] != person).toList(),
        data.items().stream()
            .filter(r -> r[0] == null || owners.get(r[0]) == null || owners.get(r[0]) != person)
            .toList());
  }

  private static final class Side implements AutoCloseable {
    private final Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    private final JdbcDatabase database;
    private final Policy policy;
    private final Metrics metrics;

    Side(Data data) throws SQLException {
      this(data, POLICY);
    }

    Side(Data data, Policy policy) throws SQLException {
      this.policy = policy;
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, a INTEGER)");
        statement.execute(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, user_id INTEGER, a INTEGER)");
        statement.execute("CREATE TABLE items(order_id INTEGER, v INTEGER, id INTEGER)");
        insert(statement, "users", data.users());
        insert(statement, "orders", data.orders());
        insert(statement, "items", data.items());
      }
      metrics =
          new Collector(policy, wanted(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection)
              .metrics();
      Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
      database = JdbcDatabase.over(own, policy, Duration.ofMinutes(10), (what, cause) -> {});
    }

    private static void insert(Statement statement, String table, List<Integer[]> rows)
        throws SQLException {
      for (Integer[] row : rows) {
        List<String> values = new ArrayList<>();
        for (Integer value : row) {
          values.add(String.valueOf(value).replace("null", "NULL"));
        }
        statement.execute("INSERT INTO " + table + " VALUES (" + String.join(", ", values) + ")");
      }
    }

    Plan plan(String sql) {
      return new Analyzer(policy, metrics, LocalDateTime.of(2024, 7, 1, 0, 0))
          .plan(sql, AnalysisOptions.DEFAULT);
    }

    ExactHistogram exact(NoisyAggregate read) {
      SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
      ExactHistogram histogram = ExactHistogram.open(read);
      try (Session session = database.session()) {
        new StatementExecution(session, renderer).fill(read, renderer.statements(read), histogram);
      }
      return histogram;
    }

    @Override
    public void close() throws SQLException {
      database.close();
      connection.close();
    }
  }

  private static BigDecimal moved(ExactHistogram x, ExactHistogram y, BigDecimal grid) {
    Map<ExactHistogram.Bin, BigInteger> differences = new HashMap<>();
    for (int i = 0; i < x.bins().size(); i++) {
      differences.put(x.bins().get(i), x.numbers(0).get(i));
    }
    for (int i = 0; i < y.bins().size(); i++) {
      differences.merge(y.bins().get(i), y.numbers(0).get(i).negate(), BigInteger::add);
    }
    BigInteger sum = BigInteger.ZERO;
    for (BigInteger difference : differences.values()) {
      sum = sum.add(difference.abs());
    }
    return new BigDecimal(sum).multiply(grid);
  }

  private static void compare(Side x, Side y, String sql) {
    Plan plan = x.plan(sql);
    NoisyAggregate point = plan.query().releases().getFirst();
    assertTrue(plan.routes().get(point.id()) instanceof ContributionBounding.Truncated, sql);
    PlannedMeasurement one = plan.measurements().getFirst();
    PlannedMeasurement other = y.plan(sql).measurements().getFirst();
    NoisyAggregate read = plan.read(point);
    BigDecimal moved = moved(x.exact(read), y.exact(read), one.measurement().grid());
    for (PlannedMeasurement side : List.of(one, other)) {
      BigDecimal most = new BigDecimal(side.bound().atZero()).multiply(side.unit());
      assertTrue(moved.compareTo(most) <= 0, sql + ": moved " + moved + ", bound " + most);
    }
    for (long distance = 0; distance < 4; distance++) {
      BigInteger here = at(one, distance);
      assertTrue(here.compareTo(at(other, distance + 1)) <= 0, sql + " is smooth at " + distance);
      assertTrue(at(other, distance).compareTo(at(one, distance + 1)) <= 0, sql + " is smooth");
    }
  }

  private static BigInteger at(PlannedMeasurement planned, long distance) {
    return planned.bound().evaluate(Map.of(PERSON, BigInteger.valueOf(distance)));
  }

  @Test
  void onePersonMovesNoAnswerBeyondTheBound() throws SQLException {
    run(5, 3);
  }

  @Test
  @Tag("soak")
  void onePersonMovesNoAnswerBeyondTheBoundAtLength() throws SQLException {
    run(60, 4);
  }

  private static void run(int cases, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < cases; i++) {
      Data data = draw(random);
      try (Side all = new Side(data);
          Side less = new Side(without(data, random.nextInt(5)))) {
        for (String sql : QUESTIONS) {
          compare(all, less, sql);
        }
      }
    }
  }

  @Test
  void aKeptRowMovesNoAnswerBeyondTheBound() throws SQLException {
    runKept(4, 5);
  }

  @Test
  @Tag("soak")
  void aKeptRowMovesNoAnswerBeyondTheBoundAtLength() throws SQLException {
    runKept(60, 6);
  }

  private static void runKept(int cases, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < cases; i++) {
      Data data = draw(random);
      try (Side all = new Side(data, KEPT);
          Side less = new Side(without(data, random.nextInt(3)), KEPT);
          Side order = new Side(withoutOrder(data, random), KEPT);
          Side item = new Side(withoutItem(data, random), KEPT)) {
        for (String sql : QUESTIONS) {
          compare(all, less, sql);
          compare(all, order, sql);
          compare(all, item, sql);
        }
      }
    }
  }

  private static boolean isNobody(Integer owner) {
    return owner == null || owner == 3;
  }

  private static Data withoutOrder(Data data, SplittableRandom random) {
    List<Integer[]> free = data.orders().stream().filter(o -> isNobody(o[1])).toList();
    return new Data(data.users(), lacking(data.orders(), free, random), data.items());
  }

  private static Data withoutItem(Data data, SplittableRandom random) {
    Map<Integer, Integer> owners = new HashMap<>();
    data.orders().forEach(o -> owners.put(o[0], o[1]));
    List<Integer[]> free = data.items().stream().filter(i -> isNobody(owners.get(i[0]))).toList();
    return new Data(data.users(), data.orders(), lacking(data.items(), free, random));
  }

  private static List<Integer[]> lacking(
      List<Integer[]> rows, List<Integer[]> free, SplittableRandom random) {
    List<Integer[]> left = new ArrayList<>(rows);
    if (!free.isEmpty()) {
      left.remove(free.get(random.nextInt(free.size())));
    }
    return left;
  }

  /** Which rows are read depends on the policy: metrics of others are none. */
  @Test
  void metricsOfOtherRowsAreNotBelieved(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("test.metrics.json");
    try (Side side = new Side(draw(new SplittableRandom(8)))) {
      MetricsFile.write(
          file,
          POLICY,
          new Collector(POLICY, wanted(POLICY), Progress.NONE, Clock.systemUTC())
              .collect(side.connection),
          Map.of());
      assertEquals(
          side.metrics.table("orders"), MetricsFile.read(file, POLICY).metrics().table("orders"));
    }
    for (String other :
        List.of(
            TEXT.replace("rowsPerPerson: 2", "rowsPerPerson: 4"),
            TEXT.replace("rowsPerPerson: 2", ""),
            TEXT.replace("nobody: [3]", "nobody: [2]"),
            TEXT.replace("rowsPerPerson: 2", "rowsPerPerson: 2\n    unowned: keep"),
            TEXT.replace("a: {type: integer, range", "a: {type: bigint, range"))) {
      Policy changed = policy(other);
      assertEquals(
          TableMetrics.UNKNOWN, MetricsFile.read(file, changed).metrics().table("orders"), other);
    }
  }

  /** Deleted rows let others in, and metrics of all rows grow by any number with one person. */
  @Test
  void metricsAreThoseOfTheRowsThatAreRead() throws SQLException {
    List<Integer[]> orders = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      orders.add(new Integer[] {i, 1, 1});
    }
    try (Side side = new Side(new Data(List.of(), orders, List.of()))) {
      assertEquals(BigInteger.TWO, side.metrics.table("orders").rows().orElseThrow());
      assertEquals(BigInteger.TWO, side.metrics.table("orders").rowsPerPerson().orElseThrow());
      assertFalse(side.metrics.table("orders").frequencies().isEmpty());
    }
  }
}
