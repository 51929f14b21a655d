package flexdp.gateway.policydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PolicyDraftTest {
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void enforcedConstraintsBecomeDeclarations() throws SQLException {
    new RideSharing(200, 1).fill(connection);
    Policy policy = read(draft());
    Table trips = policy.table("trips").orElseThrow();
    assertTrue(policy.tables().values().stream().allMatch(Table::isProtected));
    assertEquals(
        Set.of(Set.of("id"), Set.of("driver_id", "requested_at")), Set.copyOf(trips.uniqueKeys()));
    assertFalse(trips.column("driver_id").orElseThrow().nullable());
    assertTrue(trips.column("fare").orElseThrow().nullable());
    assertEquals(Optional.of(Range.of(0, 500)), trips.column("fare").orElseThrow().range());
    assertEquals(Type.decimal(9, 2), trips.column("fare").orElseThrow().type());
    assertEquals(Optional.empty(), trips.column("distance_km").orElseThrow().range());
    assertEquals(Optional.empty(), trips.column("status").orElseThrow().domain());
    assertEquals(
        Optional.of(List.of("rider", "driver")),
        policy.table("users").orElseThrow().column("role").orElseThrow().domain());
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  @Test
  void noValueOfTheDataEntersThePolicy() throws SQLException {
    execute("CREATE TABLE t (a INTEGER PRIMARY KEY, s VARCHAR, d DATE, x DOUBLE CHECK (x > 0))");
    String empty = draft();
    execute("INSERT INTO t VALUES (4711, 'secret', DATE '2020-02-20', 123.5)");
    assertEquals(empty, draft());
  }

  @Test
  void everyKindOfColumnAndNameCanBeReadBack() throws SQLException {
    execute(
        "CREATE SCHEMA \"Odd: One\"",
        "CREATE TABLE \"Odd: One\".\"a \"\"b\\c #1\" (\"Key: 1\" INTEGER PRIMARY KEY, \"null\""
            + " INTEGER, e ENUM('x', 'it''s', 'null'), j JSON, l INTEGER[], u UTINYINT NOT NULL,"
            + " h HUGEINT, ts TIMESTAMPTZ, \"Größe\" DECIMAL(38,10), r SMALLINT CHECK (r IN (3, 1,"
            + " 2)), \"yes\" VARCHAR CHECK (length(\"yes\") < 5), ub UBIGINT, id UUID)",
        "CREATE TABLE k (id INTEGER PRIMARY KEY)",
        "CREATE TABLE f (k_id INTEGER REFERENCES k(id))",
        "CREATE VIEW v AS SELECT 1 AS one");
    String text = draft();
    Policy policy = read(text);
    Table odd = policy.table("Odd: One.a \"b\\c #1").orElseThrow();
    assertEquals(13, odd.columns().size());
    assertEquals(
        Arrays.asList("x", "it's", "null", null),
        odd.column("e").orElseThrow().domain().orElseThrow());
    assertEquals(Type.OPAQUE, odd.column("j").orElseThrow().type());
    ColumnSpec r = odd.column("r").orElseThrow();
    assertEquals(Optional.of(Range.of(1, 3)), r.range());
    assertEquals(
        Arrays.asList(new BigDecimal(3), BigDecimal.ONE, new BigDecimal(2), null),
        r.domain().orElseThrow());
    assertEquals(
        Optional.of(new ColumnSpec.Reference("k", "id")),
        policy.table("f").orElseThrow().column("k_id").orElseThrow().references());
    assertTrue(text.contains("# left out: v is a view"), text);
    assertTrue(text.contains("# CHECK (length(\"yes\") < 5)"), text);
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  /** DuckDB keeps 'a' and 'A' apart in a UNIQUE column whatever its collation; we cut nanos. */
  @Test
  void uniquenessByAnotherEqualityIsNotProposed() throws SQLException {
    execute(
        "CREATE TABLE t (v VARCHAR COLLATE NOCASE UNIQUE, n TIMESTAMP_NS UNIQUE, i INTEGER UNIQUE,"
            + " far TIMESTAMP_S NOT NULL DEFAULT '290000-01-01')",
        "INSERT INTO t (v, n, i) VALUES ('a', '2020-01-01 00:00:00.000000001', 1),"
            + " ('A', '2020-01-01 00:00:00.000000002', 2)");
    Policy policy = read(draft());
    assertEquals(List.of(Set.of("v"), Set.of("i")), policy.table("t").orElseThrow().uniqueKeys());
    assertTrue(policy.table("t").orElseThrow().column("far").orElseThrow().nullable());
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  @Test
  void aPolicyWithoutTablesIsNoSuccess() throws SQLException {
    ConfigurationError empty = assertThrows(ConfigurationError.class, this::draft);
    assertEquals("the database has no tables that its user may read", empty.message());
    execute("CREATE VIEW v AS SELECT 1 AS one");
    ConfigurationError views = assertThrows(ConfigurationError.class, this::draft);
    assertEquals("What it has: v is a view.", views.hint());
  }

  @Test
  void whatDoesNotHoldIsFound() throws SQLException {
    execute(
        "CREATE TABLE t (a INTEGER, b INTEGER, s VARCHAR, r INTEGER)",
        "INSERT INTO t VALUES (1, NULL, 'x', 7), (1, 2, 'y', 2), (3, 3, NULL, 3)");
    Policy policy =
        read(
            "tables: {t: {columns: {a: {type: integer, unique: true}, b: {type: integer,"
                + " nullable: false}, s: {type: varchar, domain: [x]}, r: {type: integer,"
                + " range: [0, 5]}}}}");
    assertEquals(
        List.of(
            "true t.a is declared unique, but values repeat",
            "true t.b is declared not nullable, but NULL occurs",
            "false t.s is NULL in 1 rows, which no label shows",
            "false t.s has other values than its labels in 1 rows",
            "false t.r has values outside of its range; they are clamped"),
        PolicyCheck.run(policy, connection).stream()
            .map(f -> f.breaksGuarantee() + " " + f.text())
            .toList());
  }

  @Test
  void theDemosOwnPolicyHolds() throws SQLException {
    new RideSharing(2_000, 5).fill(connection);
    Policy policy = read(RideSharing.policy("jdbc:duckdb:"));
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
    String shown = PolicyText.of(policy);
    assertTrue(shown.contains("cities  (public: every row is known to everyone)"), shown);
    assertTrue(
        shown.contains("fare          decimal(9,2), may be NULL, clamped to [0, 500]"), shown);
    assertTrue(shown.contains("unique: driver_id, requested_at"), shown);
  }

  private String draft() throws SQLException {
    return PolicyDraft.of("jdbc:duckdb:x", Connectors.of(connection).tables(connection));
  }

  private static Policy read(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private void execute(String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
