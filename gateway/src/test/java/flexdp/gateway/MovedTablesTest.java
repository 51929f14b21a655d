package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        flexdp.ask(
            QueryRequest.of("SELECT COUNT(*) FROM " + table, "ann").at(new BigDecimal(epsilon)));
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
    AnalystView view = flexdp.ask(QueryRequest.of("SELECT COUNT(*) FROM " + table, "ann"));
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
   * Random questions between random moves of tables, files and policies, in one gateway or several:
   * no row is told of beyond its budget, wherever it is moved to, and what is made anew goes on
   * being answered.
   */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE", "DUCKDB"})
  void noRowPaysFromTwoAccountsWhateverMoves(MovedWorld.Kind kind) throws Exception {
    move(kind, 30, 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "SQLITE", "DUCKDB"})
  @Tag("nightly")
  void noRowPaysFromTwoAccountsForHours(MovedWorld.Kind kind) throws Exception {
    Duration most = Duration.ofMinutes(Integer.getInteger("flexdp.mover.minutes", 3));
    Instant end = Instant.now().plus(most);
    for (long seed = 1000; Instant.now().isBefore(end); seed++) {
      move(kind, seed, 50);
    }
  }

  private void move(MovedWorld.Kind kind, long seed, int runs) throws Exception {
    int answered = 0;
    for (int run = 0; run < runs; run++) {
      answered += new LedgerMover(kind, folder, new SplittableRandom(seed * 1000 + run)).run();
    }
    assertTrue(answered >= runs, "some are answered: " + answered);
  }
}
