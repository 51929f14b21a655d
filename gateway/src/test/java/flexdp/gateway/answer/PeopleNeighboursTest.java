package flexdp.gateway.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.SqlRenderer;
import flexdp.gateway.text.YamlText;
import flexdp.metrics.Metrics;
import flexdp.people.clip.Contributions;
import flexdp.people.descent.OwnerSets;
import flexdp.people.descent.Solver;
import flexdp.people.descent.Values;
import flexdp.plan.Calibrated;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.LabelTable;
import flexdp.release.PersonCell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
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
            id: {type: integer, unique: true, nullable: false}
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
          "SELECT COUNT(*), COUNT(DISTINCT user_id) FROM orders",
          "SELECT COUNT(DISTINCT user_id), SUM(a), AVG(a) FROM orders WHERE a > 0",
          "SELECT o.a, i.v, COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY"
              + " ROLLUP (o.a, i.v)",
          "SELECT o.a, i.v, SUM(i.v), COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id"
              + " GROUP BY CUBE (o.a, i.v)",
          "SELECT a, MAX(a), COUNT(*) FROM orders GROUP BY GROUPING SETS ((a), ())",
          "SELECT v, SUM(v) FROM items GROUP BY GROUPING SETS ((v), (v), ())",
          "SELECT a, COUNT(DISTINCT user_id) FROM orders GROUP BY GROUPING SETS ((a), ())");

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
              + " GROUP BY o.seller");

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

  private record Data(
      List<Integer[]> users,
      List<Integer[]> orders,
      List<Integer[]> items,
      List<Integer[]> sellers) {}

  private static Integer or(SplittableRandom random, int most) {
    int value = random.nextInt(most + 1);
    return value == most ? null : value;
  }

  private static Data draw(SplittableRandom random) {
    List<Integer[]> users = new ArrayList<>();
    List<Integer[]> orders = new ArrayList<>();
    List<Integer[]> items = new ArrayList<>();
    List<Integer[]> sellers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      if (random.nextInt(10) < 7) {
        users.add(new Integer[] {i, or(random, 3)});
      }
      sellers.add(new Integer[] {i});
    }
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      orders.add(new Integer[] {i, or(random, 4), or(random, 4), or(random, 3)});
    }
    int lines = random.nextInt(25);
    for (int i = 0; i < lines; i++) {
      items.add(new Integer[] {or(random, 13), or(random, 3)});
    }
    return new Data(users, orders, items, sellers);
  }

  /** Everything but what a person of a kind owns, in this database. */
  private static Data without(Data data, int person, boolean seller) {
    int by = seller ? 2 : 1;
    Map<Integer, Integer> owners = new TreeMap<>();
    data.orders().forEach(o -> owners.put(o[0], o[by]));
    return new Data(
        seller ? data.users() : kept(data.users(), r -> r[0], person),
        kept(data.orders(), r -> r[by], person),
        kept(data.items(), r -> r[0] == null ? null : owners.get(r[0]), person),
        seller ? kept(data.sellers(), r -> r[0], person) : data.sellers());
  }

  private interface Owner {
    Integer of(Integer[] row);
  }

  private static List<Integer[]> kept(List<Integer[]> rows, Owner owner, int person) {
    return rows.stream().filter(r -> owner.of(r) == null || owner.of(r) != person).toList();
  }

  private final class Side implements AutoCloseable {
    private final Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    private final JdbcDatabase one;
    private final JdbcDatabase two;

    Side(Data data) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, a INTEGER)");
        statement.execute(
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, user_id INTEGER, seller INTEGER, a"
                + " INTEGER)");
        statement.execute("CREATE TABLE items(order_id INTEGER, v INTEGER)");
        statement.execute("CREATE TABLE sellers(id INTEGER PRIMARY KEY)");
        statement.execute("CREATE TABLE colours(v INTEGER, name VARCHAR)");
        statement.execute("INSERT INTO colours VALUES (0, 'red'), (1, 'red'), (1, 'blue')");
        insert(statement, "users", data.users());
        insert(statement, "orders", data.orders());
        insert(statement, "items", data.items());
        insert(statement, "sellers", data.sellers());
      }
      one = over(ONE);
      two = over(TWO);
    }

    private JdbcDatabase over(Policy policy) throws SQLException {
      Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
      return JdbcDatabase.over(own, policy, Duration.ofSeconds(60), (what, cause) -> {});
    }

    private void insert(Statement statement, String table, List<Integer[]> rows)
        throws SQLException {
      for (Integer[] row : rows) {
        List<String> values = new ArrayList<>();
        for (Integer value : row) {
          values.add(String.valueOf(value).replace("null", "NULL"));
        }
        statement.execute("INSERT INTO " + table + " VALUES (" + String.join(", ", values) + ")");
      }
    }

    @Override
    public void close() throws SQLException {
      one.close();
      two.close();
      connection.close();
    }
  }

  private int clipped;
  private int descended;
  private int few;
  private int labelled;

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
      Data data = draw(random);
      int person = random.nextInt(3);
      try (Side all = new Side(data);
          Side less = new Side(without(data, person, false));
          Side sold = new Side(without(data, person, true))) {
        for (String sql : OWNED) {
          compare(one.plan(sql, AnalysisOptions.DEFAULT), all.one, less.one, sql);
        }
        for (String sql : FEW) {
          compare(one.plan(sql, AnalysisOptions.DEFAULT), all.one, less.one, sql);
        }
        for (String sql : LABELLED) {
          compare(one.plan(sql, AnalysisOptions.DEFAULT), all.one, less.one, sql);
        }
        for (String sql : SHARED) {
          Plan plan = two.plan(sql, AnalysisOptions.DEFAULT);
          compare(plan, all.two, less.two, sql + " (buyers)");
          compare(plan, all.two, sold.two, sql + " (sellers)");
        }
      }
    }
    assertTrue(clipped >= cases * OWNED.size() && descended >= cases, clipped + " " + descended);
    assertTrue(few >= cases * FEW.size() && labelled >= cases * LABELLED.size(), few + " few");
  }

  private static Analyzer analyzer(Policy policy) {
    return new Analyzer(
        policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0));
  }

  private void compare(Plan plan, JdbcDatabase x, JdbcDatabase y, String sql) {
    for (ReleasePoint point : plan.question().releases()) {
      ReleasePoint read = plan.read(point);
      Calibrated first = plan.measurements().getFirst().noise().orElseThrow();
      switch (first) {
        case Calibrated.Clipped noise -> {
          clipped++;
          clipped(plan, point, contributions(x, read, noise), contributions(y, read, noise), sql);
          if (noise.labels().isPresent()) {
            labelled++;
            BigInteger moved = moved(people(x, read, noise), people(y, read, noise), 0);
            assertTrue(moved.compareTo(noise.labels().get().moved()) <= 0, sql + ": labels");
          }
        }
        case Calibrated.Descended ignored -> {
          List<Calibrated.Descended> noise = new ArrayList<>();
          plan.measurements()
              .forEach(p -> noise.add((Calibrated.Descended) p.noise().orElseThrow()));
          List<List<OwnerSets>> with = sets(x, point, read, noise);
          List<List<OwnerSets>> without = sets(y, point, read, noise);
          for (int m = 0; m < noise.size(); m++) {
            for (int bin = 0; bin < with.get(m).size(); bin++) {
              descended++;
              descended(noise.get(m), with.get(m).get(bin), without.get(m).get(bin), sql);
            }
          }
        }
        case Calibrated.Added ignored -> {
          few++;
          Histogram with = histogram(x, read);
          Histogram without = histogram(y, read);
          for (int m = 0; m < plan.measurements().size(); m++) {
            Planned planned = plan.measurements().get(m);
            BigDecimal moved =
                new BigDecimal(moved(with, without, m)).multiply(planned.measurement().grid());
            BigDecimal most = planned.noise().orElseThrow().sensitivity();
            assertTrue(moved.compareTo(most) <= 0, sql);
          }
        }
        case Calibrated.Chosen ignored -> throw new AssertionError(sql);
      }
    }
  }

  /** How far all bins move together, in steps. */
  private static BigInteger moved(Histogram x, Histogram y, int measurement) {
    Map<Histogram.Bin, BigInteger> differences = new HashMap<>();
    for (int i = 0; i < x.bins().size(); i++) {
      differences.put(x.bins().get(i), x.numbers(measurement).get(i));
    }
    for (int i = 0; i < y.bins().size(); i++) {
      differences.merge(y.bins().get(i), y.numbers(measurement).get(i).negate(), BigInteger::add);
    }
    return differences.values().stream()
        .map(BigInteger::abs)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static Histogram histogram(JdbcDatabase database, ReleasePoint read) {
    SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
    Histogram histogram = Histogram.open(read);
    try (Session session = database.session()) {
      new Execution(session, renderer).fill(read, renderer.statements(read), histogram);
    }
    return histogram;
  }

  private static Histogram people(
      JdbcDatabase database, ReleasePoint read, Calibrated.Clipped noise) {
    try (Session session = database.session()) {
      return answers(database).people(read, noise, session);
    }
  }

  private static PeopleAnswers answers(JdbcDatabase database) {
    return new PeopleAnswers(database, Glop::find, Optional.empty());
  }

  private static Contributions<PersonCell> contributions(
      JdbcDatabase database, ReleasePoint read, Calibrated.Clipped noise) {
    try (Session session = database.session()) {
      return answers(database).contributions(read, noise, session);
    }
  }

  private static List<List<OwnerSets>> sets(
      JdbcDatabase database,
      ReleasePoint point,
      ReleasePoint read,
      List<Calibrated.Descended> noise) {
    List<List<Object>> labels =
        new LabelTable(
                point,
                source -> {
                  throw new AssertionError("labels of constants");
                },
                8)
            .rows();
    try (Session session = database.session()) {
      return answers(database).sets(read, noise, Histogram.of(point, labels), session);
    }
  }

  private static void clipped(
      Plan plan,
      ReleasePoint point,
      Contributions<PersonCell> x,
      Contributions<PersonCell> y,
      String sql) {
    Set<PersonCell> cells = new LinkedHashSet<>(x.cells());
    cells.addAll(y.cells());
    List<Planned> planned =
        plan.measurements().stream().filter(p -> p.release().id() == point.id()).toList();
    for (int m = 0; m < planned.size(); m++) {
      Calibrated.Clipped noise = (Calibrated.Clipped) planned.get(m).noise().orElseThrow();
      for (int level = 0; level <= x.levels().last(); level++) {
        BigInteger moved = BigInteger.ZERO;
        for (PersonCell cell : cells) {
          if (cell.measurement() == m) {
            BigInteger one = noise.clipping().value(x, cell, noise.measurement(), level);
            BigInteger two = noise.clipping().value(y, cell, noise.measurement(), level);
            // A grouping set that is asked for twice shows her twice.
            BigInteger shown = BigInteger.valueOf(copies(point, cell));
            moved = moved.add(one.subtract(two).abs().multiply(shown));
          }
        }
        BigInteger most = noise.clipping().moved(noise.measurement(), level);
        assertTrue(moved.compareTo(most) <= 0, sql + " at level " + level);
      }
    }
    BigInteger people = BigInteger.ZERO;
    for (int bucket = 0; bucket < x.levels().buckets(); bucket++) {
      people = people.add(x.people(bucket).subtract(y.people(bucket)).abs());
    }
    assertTrue(people.compareTo(BigInteger.ONE) <= 0, sql + ": the histogram of people");
  }

  private static long copies(ReleasePoint point, PersonCell cell) {
    if (cell.grouping().isEmpty()) {
      return 1;
    }
    return point.groupingSets().stream()
        .filter(
            set -> {
              long bits = 0;
              for (int key = 0; key < point.keys().size(); key++) {
                bits = bits << 1 | (set.contains(key) ? 0 : 1);
              }
              return bits == cell.grouping().get();
            })
        .count();
  }

  private static void descended(Calibrated.Descended noise, OwnerSets x, OwnerSets y, String sql) {
    Solver solver = Glop.find().orElseThrow();
    Values with = new Values(x, noise.descending().levels(), solver);
    Values without = new Values(y, noise.descending().levels(), solver);
    for (int level = 0; level <= noise.descending().levels().last(); level++) {
      BigInteger tau = noise.descending().levels().at(level).shiftLeft(40);
      BigInteger slack = noise.descending().isApproximate() ? tau.shiftRight(6) : BigInteger.ZERO;
      BigInteger moved = with.moved(without, level);
      assertTrue(
          moved.compareTo(slack.negate()) >= 0 && moved.compareTo(tau.add(slack)) <= 0,
          sql + " at level " + level);
    }
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
          Calibrated.Descended noise =
              (Calibrated.Descended) plan.measurements().getFirst().noise().orElseThrow();
          assertEquals(count, noise.descending().owners(), sql);
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
    for (String sql :
        List.of(
            "SELECT AVG(a) FROM orders",
            "SELECT a, COUNT(*) FROM orders GROUP BY ROLLUP (a)",
            "SELECT a, v, COUNT(*) FROM orders o JOIN items i ON i.order_id = o.id GROUP BY a, v",
            "SELECT SUM(a) FROM orders",
            "SELECT COUNT(*) FROM users u LEFT JOIN orders o ON o.user_id = u.id",
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
