package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.policydraft.PolicyDraft;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Measuring and describing SQLite, whose columns hold anything. */
class SqliteCollectorTest {
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite::memory:");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void onlyWhatHoldsForValuesAsTheyAreReadIsProposed() throws SQLException {
    execute(
        "CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE loose (k TEXT PRIMARY KEY, n INT NOT NULL CHECK (n IS NOT NULL), d"
            + " DECIMAL(9,2) UNIQUE)",
        "CREATE TABLE \"Strict \"\"1\" (a INTEGER NOT NULL, fare REAL CHECK (fare BETWEEN 0 AND"
            + " 500) /* CHECK (a > 5) */, s TEXT CHECK (s IN ('x)', 'y')), c INTEGER REFERENCES"
            + " cities(id), UNIQUE (a, s)) STRICT",
        "CREATE UNIQUE INDEX part ON \"Strict \"\"1\" (c) WHERE a > 5",
        "CREATE VIEW v AS SELECT 1 AS a",
        "INSERT INTO loose VALUES (NULL, 'text', 9007199254740993), (NULL, x'00',"
            + " 9007199254740992)");
    String text = PolicyDraft.of("jdbc:sqlite:x", Connectors.of(connection).tables(connection));
    Policy policy = read(text);
    assertEquals(List.of(Set.of("id")), policy.table("cities").orElseThrow().uniqueKeys());
    Table loose = policy.table("loose").orElseThrow();
    assertEquals(List.of(Set.of("k")), loose.uniqueKeys());
    assertTrue(loose.columns().stream().allMatch(ColumnSpec::nullable));
    Table strict = policy.table("Strict \"1").orElseThrow();
    assertEquals(List.of(Set.of("a", "s")), strict.uniqueKeys());
    assertEquals(false, strict.column("a").orElseThrow().nullable());
    assertEquals(Optional.empty(), strict.column("a").orElseThrow().range());
    assertEquals(Optional.of(Range.of(0, 500)), strict.column("fare").orElseThrow().range());
    assertEquals("[x), y, null]", strict.column("s").orElseThrow().domain().get().toString());
    assertEquals(
        Optional.of(new ColumnSpec.Reference("cities", "id")),
        strict.column("c").orElseThrow().references());
    assertTrue(text.contains("# left out: v is a view"), text);
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  @Test
  void aReferenceWithoutColumnsIsToThePrimaryKey() throws SQLException {
    execute(
        "CREATE TABLE patient (pid INTEGER PRIMARY KEY, born INTEGER)",
        "CREATE TABLE ward (floor INTEGER, room INTEGER, PRIMARY KEY (room, floor))",
        "CREATE TABLE stay (patient_id INTEGER REFERENCES patient, f INTEGER, r INTEGER,"
            + " FOREIGN KEY (r, f) REFERENCES ward)");
    Policy policy =
        read(PolicyDraft.of("jdbc:sqlite:x", Connectors.of(connection).tables(connection)));
    assertEquals(
        Optional.of(new ColumnSpec.Reference("patient", "pid")),
        policy.table("stay").orElseThrow().column("patient_id").orElseThrow().references());
    CollectedMetrics all =
        new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, CollectorTest.CLOCK)
            .collect(connection);
    Set<Set<String>> measured = all.metrics().table("stay").frequencies().keySet();
    assertTrue(measured.contains(Set.of("patient_id")), measured.toString());
    assertTrue(measured.contains(Set.of("f", "r")), measured.toString());
  }

  @Test
  void valuesOfAnotherClassAreNull() throws SQLException {
    execute(
        "CREATE TABLE t (i INT, s TEXT COLLATE NOCASE, f REAL)",
        "INSERT INTO t VALUES (1, 'a', 0.0), (1, 'A', -0.0), ('x', 'a', 9e999), ('x', x'61', NULL),"
            + " ('x', NULL, 2), (2.5, NULL, 'word')");
    Policy policy =
        read("tables: {t: {columns: {i: {type: bigint}, s: {type: varchar}, f: {type: double}}}}");
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("t.*, t.(i,s)", policy));
    CollectedMetrics all =
        new Collector(policy, wanted, Progress.NONE, CollectorTest.CLOCK).collect(connection);
    TableMetrics t = all.metrics().table("t");
    assertEquals(frequency(2, 4), t.frequencies().get(Set.of("i")));
    assertEquals(frequency(2, 3), t.frequencies().get(Set.of("s")));
    assertEquals(frequency(2, 3), t.frequencies().get(Set.of("f")));
    assertEquals(frequency(1, 3), t.frequencies().get(Set.of("i", "s")));
    assertEquals(Range.of(1, 1), all.ranges().get("t").get("i"));
    assertEquals(2, all.ranges().get("t").get("f").high().intValueExact());
  }

  @Test
  void viewsVirtualTablesAndTypesThatSqliteLacksAreRefused() throws SQLException {
    execute(
        "CREATE TABLE t (a DATE)",
        "CREATE VIEW v AS SELECT * FROM t",
        "CREATE VIRTUAL TABLE w USING fts5(a)");
    assertEquals("'v' is a view, not a table", refusal("v", "bigint"));
    assertEquals("'w' is a foreign table, not a table", refusal("w", "varchar"));
    assertEquals("SQLite has no values of type time, as 'a' is declared", refusal("t", "time"));
  }

  private String refusal(String table, String type) {
    Policy policy = read("tables: {" + table + ": {columns: {a: {type: " + type + "}}}}");
    return assertThrows(ConfigurationError.class, () -> PolicyCheck.run(policy, connection))
        .message();
  }

  private static Policy read(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private static MaxFrequency frequency(long max, long withNull) {
    return new MaxFrequency(
        Optional.of(BigInteger.valueOf(max)), Optional.of(BigInteger.valueOf(withNull)));
  }

  private void execute(String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
