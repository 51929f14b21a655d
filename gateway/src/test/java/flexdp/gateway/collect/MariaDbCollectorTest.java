package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.MariaDbServer;
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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Measuring and describing a real MariaDB. */
class MariaDbCollectorTest {
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    MariaDbServer.create("collected");
    connection = MariaDbServer.writer("collected");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void enforcedConstraintsBecomeDeclarations() throws SQLException {
    execute(
        "CREATE TABLE cities (id INT UNSIGNED PRIMARY KEY, name VARCHAR(40) NOT NULL)",
        "CREATE TABLE `Trips 1` (id BIGINT UNSIGNED PRIMARY KEY, `City` INT UNSIGNED, fare"
            + " DECIMAL(9,2) CHECK (fare >= 0 AND fare <= 500), status VARCHAR(10) NOT NULL CHECK"
            + " (status IN ('new', 'it''s done')), m ENUM('sad', 'it''s ok'), paid BOOLEAN NOT"
            + " NULL, at TIMESTAMP(3) NOT NULL DEFAULT '2020-01-01', g POINT, wide DECIMAL(60,10)"
            + " NOT NULL UNIQUE, d DATE CHECK (d >= '2016-01-01'), v VARCHAR(40), y YEAR, u UUID,"
            + " UNIQUE (`City`, at), UNIQUE (v(5)), UNIQUE (paid, y), KEY (status), FOREIGN KEY"
            + " (`City`) REFERENCES cities (id))");
    String text = draft();
    Policy policy = read(text);
    Table trips = policy.table("Trips 1").orElseThrow();
    assertEquals(
        Set.of(Set.of("id"), Set.of("City", "at"), Set.of("v")),
        Set.copyOf(trips.uniqueKeys()),
        text);
    assertEquals(Type.decimal(20, 0), trips.column("id").orElseThrow().type());
    assertEquals(Type.BIGINT, trips.column("City").orElseThrow().type());
    assertEquals(Type.BOOLEAN, trips.column("paid").orElseThrow().type());
    assertEquals(Type.SMALLINT, trips.column("y").orElseThrow().type());
    assertEquals(Type.UUID, trips.column("u").orElseThrow().type());
    assertEquals(Type.OPAQUE, trips.column("g").orElseThrow().type());
    assertEquals(Optional.of(Range.of(0, 500)), trips.column("fare").orElseThrow().range());
    assertEquals(
        Optional.of(List.of("new", "it's done")), trips.column("status").orElseThrow().domain());
    assertFalse(trips.column("status").orElseThrow().nullable());
    assertTrue(trips.column("at").orElseThrow().nullable(), "a zero date is read as NULL");
    assertEquals(
        Arrays.asList("sad", "it's ok", null),
        trips.column("m").orElseThrow().domain().orElseThrow());
    assertEquals(
        Optional.of(new ColumnSpec.Reference("cities", "id")),
        trips.column("City").orElseThrow().references());
    assertTrue(text.contains("not by the equality that joins use: wide"), text);
    assertTrue(text.contains("not by the equality that joins use: paid, y"), text);
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  @Test
  void frequenciesAreThoseOfTheValuesThatAreRead() throws SQLException {
    execute(
        "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
        "CREATE TABLE t (f DOUBLE, r FLOAT, c VARCHAR(5), l VARCHAR(5) CHARACTER SET latin1,"
            + " b BOOLEAN, n DECIMAL(60,15), j JSON, d DATE, ts TIMESTAMP NULL, i INTEGER)",
        "INSERT INTO t VALUES (0, 1.5, 'a', 'é', 1, 1.00000000001, '{\"a\": 1}', '2020-01-01',"
            + " NULL, 1), (-0e0, 1.5, 'A', 'É', 2, 1.00000000002, '{\"a\": 1}', '0000-00-00', NULL,"
            + " NULL), (1, 2, 'a ', 'e', 0, 1e44, '{}', '2020-00-00', NULL, NULL), (2, 3, 'a', 'é"
            + " ', NULL, 2, NULL, '2020-02-31', NULL, NULL), (3, 4, NULL, 'é', NULL, 3, NULL,"
            + " '2020-03-02', NULL, 1)");
    Policy policy =
        read(
            "tables: {t: {columns: {f: {type: double}, r: {type: double}, c: {type: varchar},"
                + " l: {type: varchar}, b: {type: boolean}, n: {type: decimal}, j: {type: opaque},"
                + " d: {type: date}, ts: {type: timestamp}, i: {type: bigint}}}}");
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("t.*, t.(c,i)", policy));
    CollectedMetrics all =
        new Collector(policy, wanted, Progress.NONE, CollectorTest.CLOCK).collect(connection);
    TableMetrics t = all.metrics().table("t");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("f")), "0 and -0");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("r")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("c")), "case, trailing space");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("l")), "accents, trailing space");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("b")), "1 and 2 are true");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("n")), "rounded; too large is NULL");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("j")));
    assertEquals(frequency(1, 3), t.frequencies().get(Set.of("d")), "no such day");
    assertEquals(frequency(0, 5), t.frequencies().get(Set.of("ts")));
    assertEquals(frequency(2, 3), t.frequencies().get(Set.of("i")));
    assertEquals(frequency(1, 1), t.frequencies().get(Set.of("c", "i")));
    assertEquals(Range.of(1, 1), all.ranges().get("t").get("i"));
  }

  @Test
  void longTextsAreToldApartToTheirEnd() throws SQLException {
    execute(
        "CREATE TABLE t (x TEXT, y LONGTEXT, z MEDIUMBLOB)",
        "INSERT INTO t SELECT CONCAT(REPEAT('x', 20000), seq % 3), CONCAT(REPEAT('y', 70000), seq),"
            + " CONCAT(REPEAT('z', 30000), seq % 5) FROM seq_1_to_60");
    Policy policy =
        read("tables: {t: {columns: {x: {type: varchar}, y: {type: varchar}, z: {type: opaque}}}}");
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("t.*", policy));
    TableMetrics t =
        new Collector(policy, wanted, Progress.NONE, CollectorTest.CLOCK)
            .collect(connection)
            .metrics()
            .table("t");
    assertEquals(frequency(20, 20), t.frequencies().get(Set.of("x")));
    assertEquals(frequency(0, 60), t.frequencies().get(Set.of("y")), "too long, so NULL");
    assertEquals(frequency(12, 12), t.frequencies().get(Set.of("z")));
  }

  @Test
  void whatIsNoTableOfItsOwnIsRefused() throws SQLException {
    execute(
        "CREATE TABLE base (a INTEGER) ENGINE = MyISAM",
        "CREATE TABLE aria (a INTEGER) ENGINE = Aria",
        "CREATE TABLE both_of_them (a INTEGER) ENGINE = MERGE UNION = (base)",
        "CREATE SEQUENCE s",
        "CREATE TABLE kept (a INTEGER PRIMARY KEY, b INTEGER) WITH SYSTEM VERSIONING",
        "CREATE TABLE parts (a INTEGER) PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN"
            + " MAXVALUE)",
        "CREATE VIEW v AS SELECT * FROM parts");
    String engine = " is a table of an engine that has no snapshots, not a table";
    assertEquals("'base'" + engine, refusal("base"));
    assertEquals("'aria'" + engine, refusal("aria"));
    assertEquals("'both_of_them' is a union of other tables, not a table", refusal("both_of_them"));
    assertEquals("'s' is a sequence, not a table", refusal("s"));
    assertEquals("'v' is a view, not a table", refusal("v"));
    Policy policy =
        read(
            "tables: {parts: {columns: {a: {type: integer}}}, kept: {columns: {a: {type:"
                + " integer}}}}");
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
    assertTrue(read(draft()).table("kept").orElseThrow().uniqueKeys().contains(Set.of("a")));
  }

  @Test
  void theRowsOfAVersionedTableAreThoseOfNow() throws SQLException {
    execute(
        "CREATE TABLE kept (a INTEGER) WITH SYSTEM VERSIONING",
        "INSERT INTO kept VALUES (1), (1), (1)",
        "SET @then = NOW(6)",
        "DELETE FROM kept LIMIT 2",
        "SET SESSION system_versioning_asof = @then");
    Policy policy = read("tables: {kept: {columns: {a: {type: integer}}}}");
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse("kept.*", policy));
    TableMetrics kept =
        new Collector(policy, wanted, Progress.NONE, CollectorTest.CLOCK)
            .collect(connection)
            .metrics()
            .table("kept");
    assertEquals(frequency(1, 1), kept.frequencies().get(Set.of("a")));
  }

  @Test
  void theSnapshotIsOneAndReadOnly() throws SQLException {
    execute("CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1), (1)");
    Connector connector = Connectors.of(connection);
    connector.beginSnapshot(connection);
    try (Connection other = MariaDbServer.writer("collected");
        Statement statement = other.createStatement()) {
      statement.execute("INSERT INTO t VALUES (1)");
    }
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
      rows.next();
      assertEquals(2, rows.getLong(1));
    }
    assertThrows(SQLException.class, () -> execute("INSERT INTO t VALUES (2)"));
    connector.endSnapshot(connection);
  }

  private String refusal(String table) {
    Policy policy = read("tables: {" + table + ": {columns: {a: {type: integer}}}}");
    return assertThrows(ConfigurationError.class, () -> PolicyCheck.run(policy, connection))
        .message();
  }

  private String draft() throws SQLException {
    return PolicyDraft.of("jdbc:mariadb://x/y", Connectors.of(connection).tables(connection));
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
