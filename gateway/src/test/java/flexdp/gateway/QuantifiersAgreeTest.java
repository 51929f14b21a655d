package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.hostile.Mutant;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code > ALL}, {@code <= ANY} and their kin, row by row as the database itself has them: of no
 * elements, of NULLs, and of what is NULL.
 */
class QuantifiersAgreeTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 1}
      tables:
        a:
          columns:
            id: {type: integer, unique: true, nullable: false, range: [1, 35]}
            v: {type: integer}
            s: {type: varchar}
        b: {columns: {a_id: {type: integer}, w: {type: integer}, r: {type: varchar}}}
        p: {public: true, columns: {k: {type: integer}, w: {type: integer}, r: {type: varchar}}}
      """;

  private static final List<String> VALUES = List.of("NULL", "1", "2", "3", "9");
  private static final List<List<String>> SETS =
      List.of(
          List.of(),
          List.of("NULL"),
          List.of("2"),
          List.of("2", "2"),
          List.of("1", "3"),
          List.of("1", "NULL", "3"),
          List.of("9", "9", "NULL"));
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");

  /** Each value with each set of its own in b; the sets by number in p. */
  private static List<String> rows() {
    List<String> rows = new ArrayList<>();
    rows.add("CREATE TABLE a (id INTEGER, v INTEGER, s VARCHAR)");
    rows.add("CREATE TABLE b (a_id INTEGER, w INTEGER, r VARCHAR)");
    rows.add("CREATE TABLE p (k INTEGER, w INTEGER, r VARCHAR)");
    int id = 0;
    for (int set = 0; set < SETS.size(); set++) {
      for (String element : SETS.get(set)) {
        rows.add("INSERT INTO p VALUES (%d, %s, %s)".formatted(set, element, text(element)));
      }
      for (String value : VALUES) {
        rows.add("INSERT INTO a VALUES (%d, %s, %s)".formatted(++id, value, text(value)));
        for (String element : SETS.get(set)) {
          rows.add("INSERT INTO b VALUES (%d, %s, %s)".formatted(id, element, text(element)));
        }
      }
    }
    return rows;
  }

  private static String text(String number) {
    return number.equals("NULL") ? number : "'n" + number + "'";
  }

  private static List<String> sets() {
    List<String> sets = new ArrayList<>();
    for (String of : List.of("a.v %s|w", "a.s %s|r", "a.v + 1 %s|w - 1")) {
      String left = of.substring(0, of.indexOf('|'));
      String element = of.substring(of.indexOf('|') + 1);
      sets.add(left + " (SELECT " + element + " FROM b WHERE b.a_id = a.id)");
      sets.add(left + " (SELECT DISTINCT " + element + " FROM b WHERE b.a_id = a.id)");
      for (int set = 0; set < SETS.size(); set++) {
        sets.add(left + " (SELECT " + element + " FROM p WHERE k = " + set + ")");
      }
      sets.add(
          left
              + " (SELECT "
              + element
              + " FROM p WHERE k = 4 UNION ALL SELECT "
              + element
              + " FROM p WHERE k = 2)");
      sets.add(left + " (SELECT " + element + " FROM p GROUP BY " + element + ")");
    }
    sets.add("a.v %s (SELECT MAX(w) FROM b WHERE b.a_id = a.id)");
    sets.add("a.v %s (SELECT COUNT(w) FROM b WHERE b.a_id = a.id)");
    sets.add("a.v %s (SELECT MAX(w) FROM p WHERE k = 0)");
    sets.add("a.v %s (ARRAY[2])");
    sets.add("a.v %s (ARRAY[1, 3])");
    sets.add("a.v %s (ARRAY[1, NULL, 3])");
    sets.add("a.s %s (ARRAY['n1', 'n3'])");
    return sets;
  }

  private static List<String> conditions(List<String> sets) {
    List<String> conditions = new ArrayList<>();
    for (String set : sets) {
      for (String comparison : COMPARISONS) {
        for (String quantifier : List.of("ALL", "ANY")) {
          String condition = set.formatted(comparison + " " + quantifier);
          conditions.add(condition);
          conditions.add("NOT (" + condition + ")");
        }
      }
      conditions.add("a.v = 9 OR NOT (a.id > 20 AND " + set.formatted("< ALL") + ")");
    }
    return conditions;
  }

  /**
   * What was found.
   *
   * @param wrong rows that the database has otherwise
   */
  private record Found(int agreed, Map<RejectionCode, Integer> refused, List<String> wrong) {
    void check() {
      assertEquals("", String.join("\n", wrong));
      // NOT IN asks for columns without NULL, and IN for rows that are not of the row outside.
      assertEquals(
          Set.of(RejectionCode.NOT_IN_NULLABLE, RejectionCode.SUBQUERY_CORRELATION),
          refused.keySet());
      assertTrue(agreed >= 900, agreed + " agree, refused " + refused);
    }
  }

  @Test
  void onDuckDb() throws Exception {
    found(new DuckDbSuiteTest.File(), sets()).check();
  }

  @Test
  void onPostgreSql() throws Exception {
    found(new PostgreSqlSuiteTest.Server(), sets()).check();
  }

  /** What is wrong with numbers on DuckDB, where each row has a set of its own. */
  static List<String> wrong() throws Exception {
    List<String> some =
        sets().stream().filter(s -> s.startsWith("a.v %s (SELECT w FROM b")).toList();
    return found(new DuckDbSuiteTest.File(), some).wrong();
  }

  private static final List<Mutant> MUTANTS =
      List.of(
          quantified("ALL of nothing is not true", "List.of(none, joined(", "List.of(joined("),
          quantified("ALL looks past NULL", "List.of(complete, holds)", "List.of(holds)"),
          quantified("the wrong extreme", "up == some ? least", "up != some ? least"),
          quantified(
              "equal to the least is equal to all",
              "List.of(compared(comparison, least), compared(comparison, greatest))",
              "List.of(compared(comparison, least))"),
          quantified("NOT keeps its quantifier", "some != negated,", "some,"),
          quantified(
              "NOT keeps its comparison",
              "negated ? comparison.negateNullSafe() : comparison,",
              "comparison,"),
          quantified("ANY of nothing is true", "if (some) {", "if (comparison == null) {"));

  private static Mutant quantified(String name, String text, String replacement) {
    return Mutant.of(name, "QuantifiedComparison", text, replacement);
  }

  @Test
  void everyMistakeHasItsPlace() throws Exception {
    for (Mutant mutant : MUTANTS) {
      mutant.find();
    }
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> mistakesAreNoticed(@TempDir Path folder) {
    return MUTANTS.stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      Path place = folder.resolve(Integer.toString(MUTANTS.indexOf(mutant)));
                      mutant.compile(place);
                      Method wrong =
                          Mutant.loader(place, QuantifiersAgreeTest.class)
                              .loadClass(QuantifiersAgreeTest.class.getName())
                              .getDeclaredMethod("wrong");
                      wrong.setAccessible(true);
                      assertNotEquals(List.of(), wrong.invoke(null), mutant.name() + " survives");
                    }));
  }

  private static Found found(TestDatabase kind, List<String> sets) throws Exception {
    Policy policy = PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));
    List<String> wrong = new ArrayList<>();
    Map<RejectionCode, Integer> refused = new LinkedHashMap<>();
    int agreed = 0;
    try (TestDatabase test = kind) {
      test.start();
      Map<String, List<Integer>> own = new LinkedHashMap<>();
      try (Connection writer = test.writer()) {
        for (String sql : rows()) {
          execute(writer, sql);
        }
        for (String condition : conditions(sets)) {
          own.put(condition, own(writer, condition));
        }
      }
      Analyzer analyzer = new Analyzer(policy, metrics(test, policy), LocalDateTime.MIN);
      try (JdbcDatabase database =
          JdbcDatabase.open(test.url(), policy, Duration.ofMinutes(10), (what, cause) -> {})) {
        for (Map.Entry<String, List<Integer>> asked : own.entrySet()) {
          try {
            List<Integer> ours = ours(analyzer, database, asked.getKey());
            if (ours.equals(asked.getValue())) {
              agreed++;
            } else {
              wrong.add(asked.getKey() + ": " + ours + " and not " + asked.getValue());
            }
          } catch (Rejection e) {
            refused.merge(e.code(), 1, Integer::sum);
          }
        }
      }
    }
    return new Found(agreed, refused, wrong);
  }

  private static Metrics metrics(TestDatabase test, Policy policy) throws Exception {
    try (Connection connection = Databases.readOnly(test.url())) {
      return new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
          .collect(connection)
          .metrics();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String question(String condition) {
    return "SELECT a.id, COUNT(*) FROM a WHERE " + condition + " GROUP BY a.id ORDER BY a.id";
  }

  private static List<Integer> own(Connection connection, String condition) throws SQLException {
    List<Integer> ids = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question(condition))) {
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
    }
    return ids;
  }

  private static List<Integer> ours(Analyzer analyzer, JdbcDatabase database, String condition) {
    return ExactAnswer.of(analyzer, database, question(condition)).rows().stream()
        .filter(row -> ((Number) row.get(1)).intValue() > 0)
        .map(row -> ((Number) row.get(0)).intValue())
        .toList();
  }
}
