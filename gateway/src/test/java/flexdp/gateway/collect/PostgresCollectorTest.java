package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.Connector;
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
import flexdp.policy.Type;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Measuring and describing a real PostgreSQL. */
class PostgresCollectorTest {
  private static FreshPostgres server;
  private Connection connection;

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.create();
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void open() throws SQLException {
    connection = server.connect();
    execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Text of another encoding may have no equivalent, and one row would make reading fail. */
  @Test
  void anEncodingThatNotEveryTextSurvivesIsRefused() throws SQLException {
    try (FreshPostgres bytes =
            FreshPostgres.with(
                "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0");
        Connection other = bytes.connect()) {
      assertThrows(DatabaseError.class, () -> Connectors.of(other).tables(other));
    }
  }

  @Test
  void aThousandColumnsAreMeasured() throws SQLException {
    String columns =
        java.util.stream.IntStream.range(0, 1000)
            .mapToObj(i -> "c" + i + " integer")
            .collect(java.util.stream.Collectors.joining(", "));
    execute("CREATE TABLE wide (" + columns + ")", "INSERT INTO wide(c999) VALUES (7), (9)");
    Policy policy = read(draft());
    CollectedMetrics all =
        new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, CollectorTest.CLOCK)
            .collect(connection);
    assertEquals(Optional.of(BigInteger.TWO), all.metrics().table("wide").rows());
    assertEquals(Map.of("c999", Range.of(7, 9)), all.ranges().get("wide"));
  }

  @Test
  void enforcedConstraintsBecomeDeclarations() throws SQLException {
    execute(
        "CREATE TYPE mood AS ENUM ('sad', 'it''s ok')",
        "CREATE DOMAIN age AS integer CHECK (VALUE > 0)",
        "CREATE TABLE cities (id integer PRIMARY KEY, name text NOT NULL)",
        "CREATE TABLE \"Trips 1\" (id bigint PRIMARY KEY, \"City\" integer REFERENCES cities,"
            + " fare numeric(9,2) CHECK (fare >= 0 AND fare <= 500), status varchar(10) NOT NULL"
            + " CHECK (status IN ('new', 'done')), m mood, a age, at timestamptz, j json,"
            + " free numeric NOT NULL UNIQUE, d date CHECK (d >= '2016-01-01'), v text,"
            + " UNIQUE (\"City\", at), UNIQUE (v) DEFERRABLE)",
        "ALTER TABLE \"Trips 1\" ADD CONSTRAINT later CHECK (id < 100) NOT VALID",
        "CREATE UNIQUE INDEX ON \"Trips 1\" (status) WHERE id > 5",
        "CREATE UNIQUE INDEX ON \"Trips 1\" (lower(v))");
    String text = draft();
    Policy policy = read(text);
    Table trips = policy.table("Trips 1").orElseThrow();
    assertEquals(Set.of(Set.of("id"), Set.of("City", "at")), Set.copyOf(trips.uniqueKeys()), text);
    assertEquals(Optional.of(Range.of(0, 500)), trips.column("fare").orElseThrow().range());
    assertEquals(Type.decimal(9, 2), trips.column("fare").orElseThrow().type());
    assertEquals(
        Optional.of(List.of("new", "done")), trips.column("status").orElseThrow().domain());
    assertFalse(trips.column("status").orElseThrow().nullable());
    assertEquals(
        Arrays.asList("sad", "it's ok", null),
        trips.column("m").orElseThrow().domain().orElseThrow());
    assertTrue(trips.column("free").orElseThrow().nullable(), "NaN is read as NULL");
    assertEquals(Optional.empty(), trips.column("id").orElseThrow().range(), "NOT VALID");
    assertEquals(
        Optional.of(new ColumnSpec.Reference("cities", "id")),
        trips.column("City").orElseThrow().references());
    assertTrue(text.contains("not by the equality that joins use: free"), text);
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  @Test
  void frequenciesAreThoseOfTheValuesThatAreRead() throws SQLException {
    execute(
        "CREATE TABLE t (f double precision, r real, c char(5), n numeric, j json, ts timestamptz,"
            + " i integer)",
        "INSERT INTO t VALUES (0, 1.5, 'a', 1.00000000001, '{\"a\": 1}', '2020-01-01 00:00+00', 1),"
            + " ('-0', 1.5, 'a  ', 1.00000000002, '{\"a\": 1}', '2020-01-01 01:00+01', NULL),"
            + " ('NaN', 2, 'b', 'NaN', '{}', 'infinity', NULL),"
            + " ('NaN', 3, NULL, 2, NULL, NULL, NULL), ('Infinity', 4, NULL, 3, NULL, NULL, 1)");
    Policy policy =
        read(
            "tables: {t: {columns: {f: {type: double}, r: {type: double}, c: {type: varchar},"
                + " n: {type: decimal}, j: {type: opaque}, ts: {type: timestamp},"
                + " i: {type: bigint}}}}");
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("t.*, t.(c,i)", policy));
    CollectedMetrics all =
        new Collector(policy, wanted, Progress.NONE, CollectorTest.CLOCK).collect(connection);
    TableMetrics t = all.metrics().table("t");
    assertEquals(frequency(2, 3), t.frequencies().get(Set.of("f")), "NaN is NULL");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("r")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("c")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("n")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("j")));
    assertEquals(frequency(2, 3), t.frequencies().get(Set.of("ts")), "infinity is NULL");
    assertEquals(frequency(2, 3), t.frequencies().get(Set.of("i")));
    assertEquals(frequency(1, 1), t.frequencies().get(Set.of("c", "i")));
    assertEquals(Range.of(1, 1), all.ranges().get("t").get("i"));
    assertEquals(0, all.ranges().get("t").get("f").high().signum(), "no infinity, no NaN");
    assertTrue(all.snapshot().matches("2026-01-02T03:04:05.678901Z \\d+:\\d+:.*"), all.snapshot());
  }

  @Test
  void whatIsNoTableOfItsOwnIsRefused() throws SQLException {
    execute(
        "CREATE TABLE base (a integer)",
        "CREATE TABLE child () INHERITS (base)",
        "CREATE VIEW v AS SELECT * FROM base",
        "CREATE MATERIALIZED VIEW mv AS SELECT * FROM base",
        "CREATE TABLE parts (a integer) PARTITION BY RANGE (a)",
        "CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (10)");
    assertEquals("'base' is a table that others inherit from, not a table", refusal("base"));
    assertEquals("'v' is a view, not a table", refusal("v"));
    assertEquals("'mv' is a view, not a table", refusal("mv"));
    assertEquals("'part1' is a part of another table, not a table", refusal("part1"));
    Policy policy = read("tables: {parts: {columns: {a: {type: integer}}}}");
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  @Test
  void theSnapshotIsOneAndReadOnly() throws SQLException {
    execute("CREATE TABLE t (a integer)", "INSERT INTO t VALUES (1), (1)");
    Connector connector = Connectors.of(connection);
    connector.beginSnapshot(connection);
    connector.snapshot(connection);
    try (Connection other = server.connect();
        Statement statement = other.createStatement()) {
      statement.execute("INSERT INTO t VALUES (1)");
    }
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM public.t")) {
      rows.next();
      assertEquals(2, rows.getLong(1));
    }
    assertThrows(SQLException.class, () -> execute("INSERT INTO t VALUES (2)"));
    connection.rollback();
  }

  private String refusal(String table) {
    Policy policy = read("tables: {" + table + ": {columns: {a: {type: integer}}}}");
    return assertThrows(ConfigurationError.class, () -> PolicyCheck.run(policy, connection))
        .message();
  }

  private String draft() throws SQLException {
    return PolicyDraft.of("jdbc:postgresql://x/y", Connectors.of(connection).tables(connection));
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
