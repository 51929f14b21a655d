package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CollectorTest {
  static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05.678901Z"), ZoneOffset.UTC);

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
  void nullsCountOnlyWhereGroupingSeesThem() throws SQLException {
    execute(
        "CREATE TABLE t (a INTEGER, b VARCHAR)",
        "INSERT INTO t VALUES (1,'x'),(1,'y'),(1,NULL),(2,'x'),(NULL,'x'),(NULL,'x'),(NULL,NULL),"
            + "(NULL,NULL),(NULL,NULL)");
    TableMetrics t = collect("t: {columns: {a: {type: integer}, b: {type: varchar}}}", "t.(a,b)");
    assertEquals(Optional.of(BigInteger.valueOf(9)), t.rows());
    assertEquals(frequency(3, 5), t.frequencies().get(Set.of("a")));
    assertEquals(frequency(4, 4), t.frequencies().get(Set.of("b")));
    assertEquals(frequency(1, 3), t.frequencies().get(Set.of("a", "b")));
  }

  @Test
  void anEmptyTableHasFrequencyZero() throws SQLException {
    execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)");
    TableMetrics t =
        collect("t: {columns: {a: {type: integer, unique: true}, b: {type: integer}}}", "t.(a,b)");
    assertEquals(Optional.of(BigInteger.ZERO), t.rows());
    t.frequencies().values().forEach(f -> assertEquals(frequency(0, 0), f));
    assertEquals(3, t.frequencies().size());
  }

  @Test
  void aColumnOfNullsNeverJoins() throws SQLException {
    execute("CREATE TABLE t (a DOUBLE, b DATE)", "INSERT INTO t SELECT NULL, NULL FROM range(7)");
    CollectedMetrics all = collected("t: {columns: {a: {type: double}, b: {type: date}}}", "t.*");
    assertEquals(frequency(0, 7), all.metrics().table("t").frequencies().get(Set.of("a")));
    assertEquals(frequency(0, 7), all.metrics().table("t").frequencies().get(Set.of("b")));
    assertTrue(all.ranges().get("t").isEmpty());
  }

  @Test
  void oddNamesAreTakenAsTheyAre() throws SQLException {
    execute(
        "CREATE SCHEMA \"My Schema\"",
        "CREATE TABLE \"My Schema\".\"Ta\"\"ble, 1\" (\"Größe (cm)\" INTEGER, \"select\" VARCHAR)",
        "INSERT INTO \"My Schema\".\"Ta\"\"ble, 1\" VALUES (1,'a'),(1,'b'),(2,'b')");
    String policy =
        "'My Schema.Ta\"ble, 1': {columns: {'Größe (cm)': {type: integer}, SELECT: {type:"
            + " varchar}}}";
    TableMetrics t =
        collected(policy, "\"My Schema.Ta\"\"ble, 1\".(\"Größe (cm)\", SELECT)")
            .metrics()
            .table("My Schema.Ta\"ble, 1");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("Größe (cm)")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("SELECT")));
    assertEquals(frequency(1, 1), t.frequencies().get(Set.of("Größe (cm)", "SELECT")));
  }

  @Test
  void frequenciesFollowTheEqualityOfJoins() throws SQLException {
    execute(
        "CREATE TABLE t (d DOUBLE, v VARCHAR COLLATE NOCASE)",
        "INSERT INTO t VALUES (0.0,'a'),('-0.0','A'),('nan','b'),(-'nan'::DOUBLE,'B'),('inf','c')");
    CollectedMetrics all =
        collected("t: {columns: {d: {type: double}, v: {type: varchar}}}", "t.*");
    TableMetrics t = all.metrics().table("t");
    assertEquals(
        frequency(2, 3), t.frequencies().get(Set.of("d")), "-0.0 is 0.0; no number is NULL");
    assertEquals(frequency(1, 1), t.frequencies().get(Set.of("v")), "text is compared exactly");
    Range range = all.ranges().get("t").get("d");
    assertEquals(0, range.high().compareTo(BigDecimal.ZERO), "infinity and NaN are no range");
  }

  @Test
  void valuesThatReadAlikeCountTogether() throws SQLException {
    execute(
        "CREATE TABLE t (a VARCHAR, ts TIMESTAMPTZ, n TIMESTAMP_NS, u UTINYINT)",
        "INSERT INTO t VALUES ('1', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00.000000001', 1),"
            + "('01', '2020-01-01 01:00:00+01', '2020-01-01 00:00:00.000000002', 1),"
            + "('x', NULL, NULL, 255), ('y', NULL, NULL, 255)");
    TableMetrics t =
        collect(
            "t: {columns: {a: {type: integer}, ts: {type: timestamp}, n: {type: timestamp},"
                + " u: {type: smallint}}}",
            "t.*");
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("a")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("ts")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("n")));
    assertEquals(frequency(2, 2), t.frequencies().get(Set.of("u")));
  }

  @Test
  void wholeNumbersOfNarrowerTypesAreCountedAsTheyAreStored() throws SQLException {
    execute(
        "CREATE TABLE t (a TINYINT, b UTINYINT, c SMALLINT, d USMALLINT, e INTEGER, f UINTEGER,"
            + " g BIGINT PRIMARY KEY)",
        "INSERT INTO t VALUES (-128, 255, -32768, 65535, -2147483648, 4294967295, 1),"
            + " (-128, 255, -32768, 65535, -2147483648, 4294967295, 2),"
            + " (127, 0, 32767, 0, 2147483647, 0, 3), (NULL, NULL, NULL, NULL, NULL, NULL, 4)");
    CollectedMetrics all =
        collected(
            "t: {columns: {a: {type: bigint}, b: {type: bigint}, c: {type: bigint}, d: {type:"
                + " bigint}, e: {type: bigint}, f: {type: bigint}, g: {type: bigint}}}",
            "t.*");
    TableMetrics t = all.metrics().table("t");
    for (String column : List.of("a", "b", "c", "d", "e", "f")) {
      assertEquals(frequency(2, 2), t.frequencies().get(Set.of(column)), column);
    }
    assertEquals(frequency(1, 1), t.frequencies().get(Set.of("g")));
    Map<String, Range> ranges = all.ranges().get("t");
    assertEquals(BigDecimal.valueOf(-128), ranges.get("a").low());
    assertEquals(BigDecimal.valueOf(255), ranges.get("b").high());
    assertEquals(BigDecimal.valueOf(65535), ranges.get("d").high());
    assertEquals(BigDecimal.valueOf(4294967295L), ranges.get("f").high());
  }

  @Test
  void wholeNumbersThatDoNotFitAreReadAsNull() throws SQLException {
    execute("CREATE TABLE t (a BIGINT)", "INSERT INTO t VALUES (1), (4294967296), (4294967297)");
    CollectedMetrics all = collected("t: {columns: {a: {type: integer}}}", "t.*");
    assertEquals(frequency(1, 2), all.metrics().table("t").frequencies().get(Set.of("a")));
    assertEquals(BigDecimal.ONE, all.ranges().get("t").get("a").high());
  }

  @Test
  void unknownTypesAreCountedByTheirOwnEquality() throws SQLException {
    execute(
        "CREATE TABLE t (l INTEGER[], s STRUCT(a INTEGER), j JSON, e ENUM('p','q'), h HUGEINT,"
            + " i INTERVAL, b BLOB)",
        "INSERT INTO t SELECT [1,2], {'a': 1}, '{\"a\": 1}', 'p', 1, INTERVAL 1 DAY, 'x'::BLOB"
            + " FROM range(3)",
        "INSERT INTO t VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
    TableMetrics t =
        collect(
            "t: {columns: {l: {type: opaque}, s: {type: opaque}, j: {type: opaque},"
                + " e: {type: varchar}, h: {type: 'decimal(38,0)'}, i: {type: opaque},"
                + " b: {type: opaque}}}",
            "t.*");
    assertEquals(7, t.frequencies().size());
    t.frequencies().forEach((set, f) -> assertEquals(frequency(3, 3), f, set.toString()));
  }

  @Test
  void aFalseDeclarationIsRefused() throws SQLException {
    execute(
        "CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER)",
        "INSERT INTO t VALUES (1, 1, 1), (1, 1, NULL), (2, 1, 2)");
    String policy =
        "t: {columns: {a: {type: integer, unique: true}, b: {type: integer, maxFrequencyAtMost: 2},"
            + " c: {type: integer, nullable: false}}}";
    ConfigurationError error = assertThrows(ConfigurationError.class, () -> collect(policy, ""));
    assertEquals(
        "the data contradict the policy: t.a is declared unique, but values repeat; t.b is declared"
            + " with maxFrequencyAtMost 2, but a value occurs more often; t.c is declared not"
            + " nullable, but NULL occurs",
        error.message());
  }

  @Test
  void namesThatDoNotStandForOneTableAreRefused() throws SQLException {
    execute(
        "CREATE TABLE trips (a INTEGER)",
        "CREATE VIEW v AS SELECT * FROM trips",
        "CREATE SCHEMA s",
        "CREATE TABLE s.trips (a INTEGER)");
    String columns = ": {columns: {a: {type: integer}}}";
    assertEquals("'v' is a view, not a table", refusal("v" + columns));
    assertEquals(
        "'trips' and 'main.trips' are names of one table",
        refusal("trips" + columns + "\n  main.trips" + columns));
    assertEquals(
        "the database has no table 'tripz'. Did you mean 'trips'?", refusal("tripz" + columns));
    assertEquals(
        "the table 'trips' of the database has no column 'b'. Did you mean 'a'?",
        refusal("trips: {columns: {b: {type: integer}}}"));
    assertEquals(
        Optional.of(BigInteger.ZERO),
        collected("trips" + columns + "\n  s.trips" + columns, "")
            .metrics()
            .table("s.trips")
            .rows());
  }

  @Test
  void theWholeDemoAgreesWithCountingByHand() throws SQLException {
    new RideSharing(5_000, 3).fill(connection);
    Policy policy =
        PolicyReader.read(
            YamlText.tree(RideSharing.policy("jdbc:duckdb:"), ConfigurationError.Code.BAD_POLICY));
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy)
            .and(ColumnNames.parse("trips.*, users.*, trips.(city_id,status,payment)", policy));
    long[] seen = {0, 0};
    Progress progress =
        new Progress() {
          @Override
          public void begin(long rows) {
            seen[0] = rows;
          }

          @Override
          public void read(String table, long rows) {
            seen[1] += rows;
          }
        };
    CollectedMetrics all = new Collector(policy, wanted, progress, CLOCK).collect(connection);
    assertTrue(seen[0] > 5_000);
    assertEquals(seen[0], seen[1]);
    assertEquals("2026-01-02T03:04:05.678901Z", all.snapshot());
    int checked = 0;
    for (String table : RideSharing.TABLES) {
      TableMetrics metrics = all.metrics().table(table);
      assertEquals(
          number("SELECT COUNT(*) FROM " + table), metrics.rows().orElseThrow().longValue());
      for (var entry : metrics.frequencies().entrySet()) {
        assertEquals(byHand(table, entry.getKey()), entry.getValue(), table + entry.getKey());
        checked++;
      }
    }
    assertTrue(checked >= 27, "checked " + checked);
    assertTrue(connection.getAutoCommit());
  }

  private MaxFrequency byHand(String table, Set<String> columns) throws SQLException {
    String list = String.join(", ", new TreeSet<>(columns));
    String present =
        columns.stream().map(c -> c + " IS NOT NULL").collect(Collectors.joining(" AND "));
    String sql = "SELECT COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) AS n FROM " + table;
    return frequency(
        number(sql + " WHERE " + present + " GROUP BY " + list + ")"),
        number(sql + " GROUP BY " + list + ")"));
  }

  private String refusal(String tables) {
    return assertThrows(ConfigurationError.class, () -> collected(tables, "")).message();
  }

  private TableMetrics collect(String tables, String columns) {
    return collected(tables, columns).metrics().table("t");
  }

  private CollectedMetrics collected(String tables, String columns) {
    Policy policy =
        PolicyReader.read(
            YamlText.tree("tables:\n  " + tables, ConfigurationError.Code.BAD_POLICY));
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse(columns, policy));
    return new Collector(policy, wanted, Progress.NONE, CLOCK).collect(connection);
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

  private long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
