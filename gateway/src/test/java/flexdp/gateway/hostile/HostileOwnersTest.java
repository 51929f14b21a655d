package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.compute.ValueOrdering;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.release.NeighborDistance;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * People who are named by hostile values: texts that collations hold equal, trailing spaces, bytes
 * that are no text, numbers with several spellings, infinite days. Whoever leaves with all her rows
 * moves nothing by more than its noise is made for, and no question fails because of her.
 */
class HostileOwnersTest {
  private static final Pattern TYPE = Pattern.compile("type: ('[^']*'|\\w+)");
  private static final Set<Family> NAMES =
      Set.of(Family.INT, Family.DEC, Family.TEXT, Family.DATE, Family.STAMP, Family.UUID);

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*), SUM(n) FROM t",
          "SELECT n, COUNT(*) FROM t GROUP BY n",
          "SELECT SUM(m) FROM u",
          "SELECT COUNT(*) FROM t JOIN u ON u.t_id = t.id",
          "SELECT COUNT(*) FROM t a JOIN t b ON a.who = b.who",
          "SELECT COUNT(*) FROM (SELECT who, COUNT(*) AS c FROM t GROUP BY who) x WHERE c > 1",
          "SELECT COUNT(DISTINCT who) FROM t",
          "SELECT COUNT(*) FROM t JOIN q ON q.k = t.who",
          "SELECT COUNT(*) FROM t LEFT JOIN q ON q.k = t.who",
          "SELECT COUNT(*) FROM t WHERE who IN (SELECT k FROM q)",
          "SELECT MODE(n), COUNT(*) FROM t",
          "SELECT MODE(n) FILTER (WHERE n > 1), SUM(n) FROM t",
          "SELECT n, MODE(CASE WHEN who IS NULL THEN 'nobody' ELSE 'one' END) FROM t GROUP BY n",
          "SELECT COUNT(*) FROM t WHERE n < ALL (SELECT m FROM u WHERE u.t_id = t.id)",
          "SELECT COUNT(*) FROM t WHERE n >= ANY (SELECT m FROM u WHERE u.t_id = t.id)",
          "SELECT COUNT(*) FROM w",
          "SELECT COUNT(*) FROM w JOIN q ON q.k = w.a");

  private int compared;

  /** Rows by table; each has the people, by their places among the values, who own it. */
  private record Row(String table, String values, List<Integer> owners) {}

  /** Texts only; the rest takes minutes. */
  @Test
  void textsOnSqlite() throws Exception {
    try (TestBed ground = new SqliteTestBed()) {
      attack(ground, Set.of(Family.TEXT), 4, true);
    }
  }

  @Test
  void textsOfPeopleWithoutATableOnSqlite() throws Exception {
    try (TestBed ground = new SqliteTestBed()) {
      attack(ground, Set.of(Family.TEXT), 3, false);
    }
  }

  @Test
  @Tag("soak")
  void onSqlite() throws Exception {
    try (TestBed ground = new SqliteTestBed()) {
      attack(ground, NAMES, Integer.MAX_VALUE, true);
      attack(ground, NAMES, Integer.MAX_VALUE, false);
    }
  }

  @Test
  @Tag("soak")
  void onPostgreSql() throws Exception {
    try (TestBed ground = PostgresTestBed.started()) {
      attack(ground, NAMES, 10, true);
      attack(ground, NAMES, 10, false);
    }
  }

  @Test
  @Tag("soak")
  void onMariaDb() throws Exception {
    try (TestBed ground = new MariaDbTestBed()) {
      attack(ground, NAMES, 10, true);
      attack(ground, NAMES, 10, false);
    }
  }

  /**
   * @param most how many people of each column leave, one after the other
   * @param known whether a table says who they are
   */
  private void attack(TestBed ground, Set<Family> families, int most, boolean known)
      throws Exception {
    compared = 0;
    List<String> found = new ArrayList<>();
    for (HostileColumn column : ground.columns()) {
      if (families.contains(column.family())) {
        attack(ground, column, most, known, found);
      }
    }
    assertEquals(List.of(), found);
    assertTrue(compared > 100, compared + " compared");
  }

  private static Policy policy(HostileColumn column, boolean known) {
    Matcher type = TYPE.matcher(column.declared());
    assertTrue(type.find(), column.declared());
    String whose = "{type: " + type.group(1) + "}";
    return PolicyReader.read(
        YamlText.tree(
            """
            privacy: {epsilon: 1}
            people: {person: {%s}}
            tables:
              q: {owners: {person: k}, columns: {k: {type: %s%s}}}
              t:
                owners: {person: who}
                columns:
                  id: {type: bigint, unique: true, nullable: false}
                  who: %s
                  n: {type: integer, range: [0, 5], domain: [1, 2, 3, 4]}
              u:
                owners: {person: t_id.who}
                columns: {t_id: {type: bigint, references: t.id}, m: {type: integer, range: [0, 9]}}
              w: {owners: {person: [a, b]}, columns: {a: %s, b: %s}}
            """
                .formatted(
                    known ? "key: q.k" : "",
                    type.group(1),
                    known ? ", unique: true, nullable: false" : "",
                    whose,
                    whose,
                    whose),
            ConfigurationError.Code.BAD_POLICY));
  }

  private void attack(
      TestBed ground, HostileColumn column, int most, boolean known, List<String> found)
      throws Exception {
    Policy policy = policy(column, known);
    List<String> values = new ArrayList<>(column.values());
    values.addAll(column.twins());
    column.crowds().forEach(crowd -> values.addAll(List.of(crowd.apply(1), crowd.apply(2))));
    List<Row> rows = rows(values);
    try (Connection all = fill(ground, 0, column, rows);
        JdbcDatabase whole = ground.open(0, all, policy, (what, cause) -> {})) {
      Map<Integer, ExactResults> before = read(policy, whole, column, found);
      List<List<Integer>> people = people(whole, policy, values.size());
      int step = Math.max(1, people.size() / most);
      for (int p = 0; p < people.size(); p += step) {
        List<Integer> person = people.get(p);
        List<Row> left =
            rows.stream().filter(r -> r.owners().stream().noneMatch(person::contains)).toList();
        try (Connection rest = fill(ground, 1, column, left);
            JdbcDatabase without = ground.open(1, rest, policy, (what, cause) -> {})) {
          Map<Integer, ExactResults> after = read(policy, without, column, found);
          for (int q = 0; q < QUESTIONS.size(); q++) {
            if (before.containsKey(q) != after.containsKey(q)) {
              found.add(column.name() + ": fails with or without somebody: " + QUESTIONS.get(q));
            } else if (before.containsKey(q)) {
              compared++;
              compare(before.get(q), after.get(q), column, values.get(person.getFirst()), q, found);
            }
          }
        }
      }
    }
  }

  private static void compare(
      ExactResults with,
      ExactResults without,
      HostileColumn column,
      String who,
      int q,
      List<String> found) {
    for (NeighborDistance change : with.against(without)) {
      if (change.isTooFar()) {
        found.add(column.name() + " = " + who + ": " + QUESTIONS.get(q) + ": " + change);
        return;
      }
    }
  }

  private static List<Row> rows(List<String> values) {
    List<Row> rows = new ArrayList<>();
    int id = 1;
    for (int i = 0; i < values.size(); i++) {
      String who = values.get(i);
      String next = values.get((i + 1) % values.size());
      rows.add(new Row("q", who, List.of(i)));
      for (int n = 0; n <= i % 4; n++) {
        rows.add(new Row("t", id + ", " + who + ", " + (1 + n), List.of(i)));
        rows.add(new Row("u", id + ", " + (1 + n), List.of(i)));
        rows.add(new Row("u", id++ + ", 9", List.of(i)));
      }
      rows.add(new Row("w", who + ", " + next, List.of(i, (i + 1) % values.size())));
      rows.add(new Row("w", who + ", " + who, List.of(i)));
      rows.add(new Row("w", who + ", NULL", List.of(i)));
    }
    rows.add(new Row("t", id + ", NULL, 1", List.of()));
    rows.add(new Row("u", id + ", 5", List.of()));
    rows.add(new Row("u", "NULL, 5", List.of()));
    rows.add(new Row("w", "NULL, NULL", List.of()));
    return rows;
  }

  private static Connection fill(TestBed ground, int side, HostileColumn column, List<Row> rows)
      throws SQLException {
    Connection connection = ground.writer(side);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS q");
      statement.execute("DROP TABLE IF EXISTS w");
      statement.execute("CREATE TABLE q (k " + column.physical() + ")");
      statement.execute("CREATE TABLE t (id BIGINT, who " + column.physical() + ", n INTEGER)");
      statement.execute("CREATE TABLE u (t_id BIGINT, m INTEGER)");
      statement.execute(
          "CREATE TABLE w (a " + column.physical() + ", b " + column.physical() + ")");
      connection.setAutoCommit(false);
      for (Row row : rows) {
        statement.execute("INSERT INTO " + row.table() + " VALUES (" + row.values() + ")");
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
    return connection;
  }

  /** By question, what was read. A question that is refused is refused whatever the data are. */
  private static Map<Integer, ExactResults> read(
      Policy policy, JdbcDatabase database, HostileColumn column, List<String> found) {
    Analyzer analyzer =
        new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0));
    RenderedStatements rendered = new RenderedStatements(database);
    Map<Integer, ExactResults> read = new LinkedHashMap<>();
    for (int q = 0; q < QUESTIONS.size(); q++) {
      try {
        Plan plan = analyzer.plan(QUESTIONS.get(q), AnalysisOptions.DEFAULT);
        read.put(
            q,
            ExactResults.read(
                policy,
                plan,
                ExactResults.labels(policy, plan, database, rendered),
                database,
                rendered));
      } catch (Rejection e) {
        // Without a table of people it is no key by which tables could be joined.
        if (policy.people().values().stream().anyMatch(kind -> kind.key().isPresent())) {
          throw e;
        }
      } catch (DatabaseError e) {
        found.add(column.name() + ": " + QUESTIONS.get(q) + " fails");
      }
    }
    return read;
  }

  /** Values that are read alike name one person; what is not read names, if anybody, its own. */
  private static List<List<Integer>> people(JdbcDatabase database, Policy policy, int values) {
    Table table = policy.table("w").orElseThrow();
    ColumnSpec a = table.column("a").orElseThrow();
    ColumnSpec b = table.column("b").orElseThrow();
    Map<Object, List<Integer>> people = new LinkedHashMap<>();
    List<Object> read = new ArrayList<>();
    try (Session session = database.session()) {
      // The row (v, NULL) stands third of three for each value.
      session.run(
          "SELECT "
              + database.catalog().column(table, a)
              + ", "
              + database.catalog().column(table, b)
              + " FROM "
              + database.catalog().table(table),
          row -> read.add(one(session.value(row, 1, a.type()), read.size())));
    }
    for (int i = 0; i < values; i++) {
      people.computeIfAbsent(read.get(3 * i + 2), k -> new ArrayList<>()).add(i);
    }
    return List.copyOf(people.values());
  }

  private static Object one(CellReader reading, int place) {
    return switch (reading) {
      case CellReader.Value(Object value) when value != null -> ValueOrdering.canonical(value);
      case CellReader.Value ignored -> "nobody " + place;
      case CellReader.Unreadable() -> "unread " + place;
    };
  }
}
