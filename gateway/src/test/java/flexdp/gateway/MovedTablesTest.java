package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tables that move under an open gateway: rows pay for what is told of them, wherever they are. */
class MovedTablesTest {
  private static FreshPostgres server;
  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.create();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void create() throws SQLException {
    sql(
        "DROP SCHEMA public CASCADE",
        "CREATE SCHEMA public",
        "CREATE TABLE a (id INT PRIMARY KEY, m INT NOT NULL)",
        "CREATE TABLE b (id INT PRIMARY KEY, m INT NOT NULL)",
        "INSERT INTO a SELECT i, 1 FROM generate_series(1, 100) i",
        "INSERT INTO b SELECT i, 1 FROM generate_series(1, 5000) i",
        "CREATE TABLE p (id INT NOT NULL, m INT NOT NULL) PARTITION BY LIST (m)",
        "CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)",
        "CREATE TABLE t (id INT NOT NULL, m INT NOT NULL)",
        "INSERT INTO t SELECT i, 2 FROM generate_series(1, 5000) i");
  }

  private static void sql(String... statements) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  private FlexDp open(String... tables) throws Exception {
    return open(Set.of(), tables);
  }

  private FlexDp open(Set<String> open, String... tables) throws Exception {
    StringBuilder text =
        new StringBuilder("privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 10}}\ntables:\n");
    for (String table : tables) {
      text.append("  " + table + ": {public: " + open.contains(table))
          .append(", columns: {id: {type: integer}, m: {type: integer}}}\n");
    }
    Path policy = Files.writeString(folder.resolve("p.yaml"), text);
    return Setup.of(policy).database(server.url()).open();
  }

  private static long count(FlexDp flexdp, String table, String epsilon) {
    AnalystView view =
        flexdp.ask(Ask.of("SELECT COUNT(*) FROM " + table, "ann").at(new BigDecimal(epsilon)));
    return ((Number) view.rows().getFirst().getFirst()).longValue();
  }

  @Test
  void tablesThatSwapTheirNamesPayTogether() throws Exception {
    try (FlexDp flexdp = open("a", "b")) {
      assertTrue(count(flexdp, "b", "10") > 4000);
      sql(
          "BEGIN",
          "ALTER TABLE a RENAME TO x",
          "ALTER TABLE b RENAME TO a",
          "ALTER TABLE x RENAME TO b",
          "COMMIT");
      assertThrows(BudgetError.class, () -> count(flexdp, "a", "1"));
    }
    try (FlexDp again = open("a", "b")) {
      assertThrows(BudgetError.class, () -> count(again, "a", "1"));
    }
  }

  @Test
  void aTableMadeAnewEveryNightGoesOnWithItsAccount() throws Exception {
    try (FlexDp flexdp = open("a")) {
      assertEquals(100, count(flexdp, "a", "4"), 50);
      sql(
          "CREATE TABLE made (LIKE a INCLUDING ALL)",
          "INSERT INTO made SELECT i, 1 FROM generate_series(1, 300) i",
          "BEGIN",
          "ALTER TABLE a RENAME TO old",
          "ALTER TABLE made RENAME TO a",
          "COMMIT",
          "DROP TABLE old");
      assertEquals(300, count(flexdp, "a", "4"), 50);
      assertThrows(BudgetError.class, () -> count(flexdp, "a", "4"));
    }
  }

  private static long exact(FlexDp flexdp, String table) {
    AnalystView view = flexdp.ask(Ask.of("SELECT COUNT(*) FROM " + table, "ann"));
    return ((Number) view.rows().getFirst().getFirst()).longValue();
  }

  private static void assertHidden(String table, Executable work) {
    ConfigurationError error = assertThrows(ConfigurationError.class, work);
    String says = "the public table '" + table + "' leads to a table that is or was protected";
    assertTrue(error.message().contains(says), error.message());
  }

  @Test
  void aPublicNameThatComesToLeadToAProtectedTableIsRefused() throws Exception {
    String[] swap = {
      "BEGIN",
      "ALTER TABLE a RENAME TO x",
      "ALTER TABLE b RENAME TO a",
      "ALTER TABLE x RENAME TO b",
      "COMMIT"
    };
    Set<String> open = Set.of("a");
    try (FlexDp flexdp = open(open, "a", "b")) {
      assertEquals(100, exact(flexdp, "a"));
      sql(swap);
      assertHidden("a", () -> exact(flexdp, "a"));
      assertHidden("a", () -> exact(flexdp, "a"));
      sql(swap);
      assertEquals(100, exact(flexdp, "a"));
      sql(swap);
    }
    assertHidden("a", () -> open(open, "a", "b").close());
    sql("DROP TABLE b", "CREATE TABLE b (LIKE a INCLUDING ALL)");
    assertHidden("a", () -> open(open, "a", "b").close());
    assertHidden("a", () -> open(open, "a").close());
  }

  @Test
  void aPublicTableThatReadsAProtectedPartitionIsRefused() throws Exception {
    Set<String> open = Set.of("p");
    try (FlexDp flexdp = open(open, "p", "t")) {
      assertEquals(0, exact(flexdp, "p"));
      sql("ALTER TABLE p ATTACH PARTITION t FOR VALUES IN (2)");
      assertHidden("p", () -> exact(flexdp, "p"));
    }
    assertHidden("p", () -> open(open, "p").close());
    sql("ALTER TABLE p DETACH PARTITION t");
    try (FlexDp flexdp = open(open, "p", "t")) {
      assertEquals(0, exact(flexdp, "p"));
    }
  }

  @Test
  void aPartitionOfAProtectedTableIsNotReadUnderAPublicName() throws Exception {
    try (FlexDp flexdp = open(Set.of("t"), "p", "t")) {
      assertEquals(5000, exact(flexdp, "t"));
      sql("ALTER TABLE p DETACH PARTITION p1", "DROP TABLE t", "ALTER TABLE p1 RENAME TO t");
      assertHidden("t", () -> exact(flexdp, "t"));
    }
    assertHidden("t", () -> open(Set.of("t"), "p", "t").close());
  }

  @Test
  void aPublicTableMadeAnewEveryNightIsAnswered() throws Exception {
    Set<String> open = Set.of("a", "p");
    try (FlexDp flexdp = open(open, "a", "b", "p")) {
      assertEquals(100, exact(flexdp, "a"));
      assertEquals(0, exact(flexdp, "p"));
      sql(
          "CREATE TABLE made (LIKE a INCLUDING ALL)",
          "INSERT INTO made SELECT i, 1 FROM generate_series(1, 300) i",
          "BEGIN",
          "ALTER TABLE a RENAME TO old",
          "ALTER TABLE made RENAME TO a",
          "COMMIT",
          "DROP TABLE old",
          "ALTER TABLE p ATTACH PARTITION t FOR VALUES IN (2)");
      assertEquals(300, exact(flexdp, "a"));
      assertEquals(5000, exact(flexdp, "p"));
      assertTrue(count(flexdp, "b", "1") > 4000);
    }
    try (FlexDp again = open(open, "a", "b", "p")) {
      assertEquals(300, exact(again, "a"));
      assertEquals(5000, exact(again, "p"));
    }
  }

  @Test
  void whatTheOwnerMakesPublicByItsNameIsAnswered() throws Exception {
    sql("INSERT INTO p VALUES (1, 1)");
    try (FlexDp flexdp = open("b", "p")) {
      assertTrue(count(flexdp, "b", "1") > 4000);
      count(flexdp, "p", "1");
    }
    try (FlexDp flexdp = open(Set.of("b", "p"), "b", "p")) {
      assertEquals(5000, exact(flexdp, "b"));
      assertEquals(1, exact(flexdp, "p"));
    }
  }

  @Test
  void rowsThatAreAttachedHavePaidAlready() throws Exception {
    try (FlexDp flexdp = open("p", "t")) {
      assertTrue(count(flexdp, "t", "8") > 4000);
      sql("ALTER TABLE p ATTACH PARTITION t FOR VALUES IN (2)");
      assertThrows(BudgetError.class, () -> count(flexdp, "p", "3"));
      assertTrue(count(flexdp, "p", "2") > 4000);
    }
  }

  @Test
  void rowsThatAreDetachedHavePaidAlready() throws Exception {
    sql("ALTER TABLE p ATTACH PARTITION t FOR VALUES IN (2)");
    try (FlexDp flexdp = open("p")) {
      assertTrue(count(flexdp, "p", "8") > 4000);
      sql("CREATE TABLE p4 PARTITION OF p FOR VALUES IN (4)", "INSERT INTO p VALUES (1, 4)");
      assertTrue(count(flexdp, "p", "1") > 4000, "a partition more is nothing to refuse");
    }
    sql("ALTER TABLE p DETACH PARTITION t", "ALTER TABLE p DETACH PARTITION p4");
    try (FlexDp flexdp = open("p", "t", "p4")) {
      assertThrows(BudgetError.class, () -> count(flexdp, "t", "2"));
      assertThrows(BudgetError.class, () -> count(flexdp, "p4", "2"));
      assertTrue(count(flexdp, "t", "1") > 4000);
    }
  }

  /**
   * Random questions between random moves of tables, in one gateway or several: no row is told of
   * beyond its budget, wherever it is moved to, and what is made anew goes on being answered.
   */
  @Test
  void noRowPaysFromTwoAccountsWhateverMoves() throws Exception {
    move(30, 3);
  }

  @Test
  @Tag("nightly")
  void noRowPaysFromTwoAccountsForHours() throws Exception {
    Duration most = Duration.ofMinutes(Integer.getInteger("flexdp.mover.minutes", 10));
    Instant end = Instant.now().plus(most);
    for (long seed = 1000; Instant.now().isBefore(end); seed++) {
      move(seed, 50);
    }
  }

  private void move(long seed, int runs) throws Exception {
    int answered = 0;
    for (int run = 0; run < runs; run++) {
      answered += new Mover(new SplittableRandom(seed * 1000 + run)).run();
    }
    assertTrue(answered >= runs, "some are answered: " + answered);
  }

  /** Each physical table has a tag of its own in all its rows. */
  private final class Mover {
    private static final int STEPS = 12;
    private static final int BUDGET = 10;
    private final SplittableRandom random;
    private final Map<String, Integer> plain = new TreeMap<>();
    private final Map<String, Integer> parts = new TreeMap<>();
    private final Map<Integer, Integer> told = new TreeMap<>();
    private final List<String> done = new ArrayList<>();
    private int tags;

    Mover(SplittableRandom random) {
      this.random = random;
    }

    int run() throws Exception {
      Files.deleteIfExists(folder.resolve("p.ledger"));
      Files.deleteIfExists(folder.resolve("p.ledger.anchor"));
      sql(
          "DROP SCHEMA public CASCADE",
          "CREATE SCHEMA public",
          "CREATE TABLE p (id INT NOT NULL, m INT NOT NULL) PARTITION BY LIST (m)");
      make("a");
      make("b");
      int answered = 0;
      FlexDp flexdp = open("a", "b", "p");
      try {
        for (int step = 0; step < STEPS; step++) {
          switch (random.nextInt(9)) {
            case 0 -> swap();
            case 1 -> {
              execute("DROP TABLE a");
              make("a");
            }
            case 2 -> attach();
            case 3 -> detach();
            case 4 -> {
              flexdp.close();
              flexdp = open("a", "b", "p");
            }
            default -> answered += ask(flexdp);
          }
        }
      } finally {
        flexdp.close();
      }
      return answered;
    }

    private void execute(String... statements) throws SQLException {
      done.addAll(List.of(statements));
      sql(statements);
    }

    private void make(String name) throws SQLException {
      int tag = ++tags;
      execute(
          "CREATE TABLE " + name + " (id INT NOT NULL, m INT NOT NULL)",
          "INSERT INTO %s SELECT i, %d FROM generate_series(1, 100) i".formatted(name, tag));
      plain.put(name, tag);
    }

    private void swap() throws SQLException {
      execute(
          "BEGIN",
          "ALTER TABLE a RENAME TO x",
          "ALTER TABLE b RENAME TO a",
          "ALTER TABLE x RENAME TO b",
          "COMMIT");
      int a = plain.get("a");
      plain.put("a", plain.get("b"));
      plain.put("b", a);
    }

    private void attach() throws SQLException {
      int tag = plain.get("b");
      String part = "part" + tag;
      execute(
          "ALTER TABLE p ATTACH PARTITION b FOR VALUES IN (" + tag + ")",
          "ALTER TABLE b RENAME TO " + part);
      parts.put(part, tag);
      make("b");
    }

    private void detach() throws SQLException {
      if (!parts.isEmpty()) {
        String part = parts.keySet().iterator().next();
        execute(
            "ALTER TABLE p DETACH PARTITION " + part,
            "DROP TABLE b",
            "ALTER TABLE " + part + " RENAME TO b");
        plain.put("b", parts.remove(part));
      }
    }

    private int ask(FlexDp flexdp) {
      String name = List.of("a", "b", "p").get(random.nextInt(3));
      int epsilon = random.nextBoolean() ? 4 : 6;
      try {
        count(flexdp, name, String.valueOf(epsilon));
      } catch (BudgetError e) {
        return 0;
      }
      done.add("asked " + name + " at " + epsilon);
      for (int tag : name.equals("p") ? parts.values() : List.of(plain.get(name))) {
        int all = told.merge(tag, epsilon, Integer::sum);
        assertTrue(all <= BUDGET, () -> "rows of " + tag + " lost " + all + ": " + done);
      }
      return 1;
    }
  }
}
