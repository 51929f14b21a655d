package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements about the catalogue that want something else: each of these once had it. */
@Timeout(1_200)
class CatalogAttackTest {
  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static List<String> asked(String user, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = demo.connect(user, "preferQueryMode", "simple");
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  private static String refused(String user, String sql) {
    return assertThrows(SQLException.class, () -> asked(user, sql), sql).getSQLState();
  }

  private static String injected(String sql) {
    return "SELECT a.tableoid FROM pg_class, \"pg_x'); " + sql.replace("\"", "\"\"") + " --\" a";
  }

  @Test
  void aNameIsANameWhereverItIsWritten() throws SQLException {
    assertEquals("42P01", refused("ann", injected("SELECT current_setting('secret_directory')")));
    refused("ann", injected("CREATE OR REPLACE VIEW pgc.pg_tables AS SELECT 'mine' tablename"));
    refused("ann", injected("DROP SCHEMA pgc CASCADE; SELECT 1"));
    assertTrue(asked("ben", "SELECT tablename FROM pg_tables").contains("trips"));
    assertEquals(
        List.of("pg_catalog"),
        asked("ben", "SELECT nspname FROM pg_namespace WHERE nspname = 'pg_catalog'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT length(y) FROM (SELECT DISTINCT ON (1) repeat('x', 2000) AS y FROM pg_class) z",
        "SELECT x.* FROM pg_am c, (PIVOT query('select 1 a, 2 v') ON a USING max(v)) x",
        "SELECT * FROM pg_am, query('select 1')",
        "SELECT * FROM pg_am, query_table('duckdb_settings')",
        "SELECT * FROM pg_am, duckdb_settings()",
        "SELECT * FROM pg_am, duckdb_settings",
        "WITH duckdb_settings AS (SELECT * FROM duckdb_settings) SELECT * FROM pg_am,"
            + " duckdb_settings",
        "SELECT * FROM pg_am, '/etc/passwd'",
        "SELECT * FROM pg_am, read_text('/etc/passwd')",
        "SELECT * FROM pg_am, glob('/*')",
        "SELECT * FROM pg_am, \"fdx_m_class\"",
        "SELECT * FROM pg_am, \"FDX_M_CLASS\"",
        "SELECT * FROM pg_am, main.sqlite_master",
        "SELECT * FROM pg_am, \"information_schema\".\"x\"",
        "SELECT getenv('PATH') FROM pg_am",
        "SELECT \"getenv\"('PATH') FROM pg_am",
        "SELECT main.\"getenv\"('PATH') FROM pg_am",
        "SELECT system.main.repeat('x', 9) FROM pg_am",
        "SELECT COLUMNS('a.*') FROM pg_am",
        "SELECT list_transform([1], x -> x) FROM pg_am",
        "SELECT * FROM pg_am USING SAMPLE 1",
        "SELECT TRY_CAST('1' AS DECIMAL(1+length(repeat('x',1000000000))%9,0)) FROM pg_am",
        "SELECT TRY_CAST('1' AS STRUCT(a DECIMAL(1+length(repeat('x',9))%9,0))) FROM pg_am",
        "SELECT CAST(NULL AS ENUM(current_setting('secret_directory'))) FROM pg_am",
        "SELECT DECIMAL(1+length(repeat('x',9))%9) '1' FROM pg_am",
        "SELECT 1 OPERATOR(pg_catalog.+ 2 FROM pg_class",
        "SELECT 1::numeric( FROM pg_class",
        "SELECT CAST(1 AS FROM pg_class",
        "SELECT CAST(1 AS",
        "SELECT 1::numeric(",
        "SELECT 'pg_class'::regclass::text::regclass::text::regclass::text::regclass::text"
            + "::regclass::text::regclass::text::regclass::text::regclass::text::regclass::text",
        "SELECT quote_ident(quote_ident(quote_ident(quote_ident(quote_ident('A')))))"
      })
  void whatIsNotListedIsRefused(String sql) {
    String state = refused("ann", sql);
    assertTrue(state.matches("0A000|42601|42703|42883|42P01|54001"), state);
  }

  @Test
  void listsThatAreNeverClosedAreNoInternalError() throws SQLException {
    assertEquals(1, asked("ann", "SELECT '{\"\\'::text[]").size());
  }

  /** Whatever becomes of the statement, it becomes of nobody else. */
  @ParameterizedTest
  @ValueSource(ints = {200, 1_000, 4_000})
  void aChainOfCommonTableExpressionsEndsAWorkerAtMost(int links) throws SQLException {
    String chain =
        IntStream.range(1, links)
            .mapToObj(i -> "a" + i + " AS (SELECT x FROM a" + (i - 1) + ")")
            .collect(Collectors.joining(", "));
    String sql =
        "WITH a0 AS (SELECT amname AS x FROM pg_am), " + chain + " SELECT * FROM a" + (links - 1);
    try {
      assertEquals(7, asked("ann", sql).size());
    } catch (SQLException e) {
      assertTrue(e.getSQLState().matches("57014|54001|42601|0A000"), e.getSQLState());
    }
    assertEquals(7, asked("ben", "SELECT amname FROM pg_am").size());
    assertEquals(7, asked("ann", "SELECT amname FROM pg_am").size());
  }

  @Test
  void whatNeverEndsIsEndedAndOthersDoNotWaitForIt() throws Exception {
    String never =
        "SELECT count(*) FROM pg_attribute a, pg_attribute b, pg_attribute c, pg_attribute d"
            + " WHERE a.attname || b.attname || c.attname || d.attname = 'x'";
    FutureTask<String> endless = new FutureTask<>(() -> refused("ann", never));
    Thread.ofPlatform().start(endless);
    int before = 0;
    for (int i = 0; i < 20; i++) {
      String other = "SELECT amname FROM pg_am WHERE " + i + " = " + i;
      assertEquals(7, asked("ben", other).size());
      before += endless.isDone() ? 0 : 1;
    }
    assertEquals("57014", endless.get());
    assertTrue(before > 0, "the other user was answered before the endless statement ended");
    assertFalse(asked("ann", "SELECT amname FROM pg_am ORDER BY 1").isEmpty());
  }

  @Test
  void workersThatDiedWhileTheyWereIdleAreReplaced() throws Exception {
    assertEquals(7, asked("ann", "SELECT amname FROM pg_am").size());
    List<ProcessHandle> workers = ProcessHandle.current().children().toList();
    assertFalse(workers.isEmpty());
    for (ProcessHandle worker : workers) {
      worker.destroyForcibly();
      worker.onExit().get();
    }
    assertEquals(7, asked("ann", "SELECT amname FROM pg_am WHERE 1 = 1").size());
  }

  @Test
  void whoAsksIsToldOnlyOfThemselves() throws SQLException {
    assertEquals(List.of("ann"), asked("ann", "SELECT current_user"));
    assertEquals(List.of("ben"), asked("ben", "SELECT current_user"));
    asked("ben", "SELECT count(*) FROM trips WHERE fare > 1234");
    String history = "SELECT query FROM flexdp.history WHERE query LIKE '%1234%'";
    assertEquals(List.of(), asked("ann", history));
    assertEquals(1, asked("ben", history).size());
    assertEquals(1, asked("owner", history).size());
  }
}
