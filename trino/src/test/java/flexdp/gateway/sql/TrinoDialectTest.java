package flexdp.gateway.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Position;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.trino.Cluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every function on a Trino cluster gives what it gives on DuckDB, and never raises. */
class TrinoDialectTest {
  private static final int TOGETHER = 20;

  private static Connection trino;
  private static Connection duck;

  @BeforeAll
  static void start() throws Exception {
    trino = Cluster.connect("memory/default");
    duck = DriverManager.getConnection("jdbc:duckdb:");
    String columns = "(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE";
    Cluster.execute(
        duck, "CREATE TABLE trips" + columns + ", city VARCHAR, day DATE, \"at\" TIMESTAMP)");
    Cluster.execute(duck, "INSERT INTO trips VALUES " + DialectCases.ROWS);
    Cluster.execute(
        trino, "CREATE TABLE trips" + columns + ", city VARCHAR, day DATE, at TIMESTAMP(6))");
    Cluster.execute(
        trino,
        "INSERT INTO trips SELECT a, b, c, TRY_CAST(d AS DOUBLE), e, CAST(f AS DATE),"
            + " CAST(g AS TIMESTAMP(6)) FROM (VALUES "
            + DialectCases.ROWS
                .replace("-1e-200", "'-1e-200'")
                .replace("-1e300", "'-1e300'")
                .replace("1.25,", "'1.25',")
                .replace(" 0, '2023", " '0', '2023")
                .replace("'nan'", "'NaN'")
            + ") AS v(a, b, c, d, e, f, g)");
  }

  @AfterAll
  static void stop() throws Exception {
    duck.close();
    trino.close();
  }

  /** DuckDB takes what stands twice out of the TRY around it; a cluster must not. */
  @Test
  void whatStandsTwiceInSeveralTriesStaysInside() throws Exception {
    String raises = "(driver / (id - id))";
    String sql =
        "SELECT COUNT(*), COUNT(TRY(%1$s)), COUNT(TRY(%1$s + 1)), SUM(TRY(%1$s * 2 + %1$s)) FROM trips"
            + " WHERE TRY(%1$s > 1) IS NULL AND TRY(%1$s + %1$s) IS NULL";
    try (Statement statement = trino.createStatement();
        ResultSet row = statement.executeQuery(String.format(sql, raises))) {
      assertTrue(row.next());
      assertTrue(row.getLong(1) > 3, "rows that would raise");
      assertEquals(0, row.getLong(2));
      assertEquals(0, row.getLong(3));
      assertNull(row.getObject(4));
    }
  }

  /** Several expressions stand in one statement, since a cluster takes its time for each. */
  @TestFactory
  List<DynamicTest> functionsAgreeWithDuckDb() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    try (Fixture fixture = new Fixture()) {
      Relation.Scan trips = fixture.scan(Fixture.TRIPS);
      Map<String, Expr> batch = new LinkedHashMap<>();
      Map<String, Expr> all = DialectCases.expressions(trips);
      for (Map.Entry<String, Expr> e : all.entrySet()) {
        batch.put(e.getKey(), e.getValue());
        if (batch.size() == TOGETHER) {
          tests.add(agreement(trips, Map.copyOf(batch)));
          batch.clear();
        }
      }
      tests.add(agreement(trips, Map.copyOf(batch)));
    }
    return tests;
  }

  private static DynamicTest agreement(Relation.Scan trips, Map<String, Expr> batch) {
    return DynamicTest.dynamicTest(
        String.join(", ", new TreeSet<>(batch.keySet())),
        () ->
            assertEquals(
                DialectCases.values(duck, new DuckDb(), trips, batch),
                DialectCases.values(trino, new Trino(), trips, batch)));
  }

  @Test
  void endsOfTheCalendarDoNotRaise() throws Exception {
    Cluster.execute(trino, "CREATE TABLE ends (id BIGINT, day DATE, at TIMESTAMP(6))");
    Cluster.execute(
        trino,
        "INSERT INTO ends SELECT id, date_add('day', days, DATE '1970-01-01'), CAST(date_add('day',"
            + " days, DATE '1970-01-01') AS TIMESTAMP(6)) FROM (VALUES (1, 2147483647),"
            + " (2, -2147483648), (3, 106751991), (4, -106751991), (5, 0)) AS v(id, days)");
    Table table =
        new Table(
            "ends",
            false,
            List.of(
                ColumnSpec.of("id", Type.BIGINT),
                ColumnSpec.of("day", Type.DATE),
                ColumnSpec.of("at", Type.TIMESTAMP)),
            List.of(),
            List.of());
    Relation.Scan ends =
        new Relation.Scan(
            table,
            List.of(
                new Column(1, "id", Type.BIGINT, true),
                new Column(2, "day", Type.DATE, true),
                new Column(3, "at", Type.TIMESTAMP, true)),
            Position.START);
    Map<String, Expr> onDates = new LinkedHashMap<>();
    for (String name : List.of("day", "at")) {
      Expr value = Fixture.ref(ends, name);
      for (String unit : List.of("YEAR", "QUARTER", "WEEK", "DAY", "HOUR", "EPOCH", "ISOYEAR")) {
        Expr word = Fixture.text(unit);
        onDates.put(
            "extract " + unit + name, Fixture.call(Function.EXTRACT, Type.BIGINT, word, value));
        if (!unit.equals("EPOCH") && !unit.equals("ISOYEAR")) {
          onDates.put(
              "trunc " + unit + name, Fixture.call(Function.DATE_TRUNC, value.type(), word, value));
          onDates.put(
              "diff " + unit + name,
              Fixture.call(Function.DATE_DIFF, Type.BIGINT, word, value, Fixture.ref(ends, "day")));
        }
      }
      for (long months : List.of(1L, -1L, Long.MAX_VALUE)) {
        Expr by = new Expr.Literal(months, Type.INTERVAL_MONTHS);
        onDates.put(
            "months " + months + name, Fixture.call(Function.DATE_ADD, value.type(), value, by));
      }
      for (long micros : List.of(86_400_000_000L, -86_400_000_000L, Long.MIN_VALUE)) {
        Expr by = new Expr.Literal(micros, Type.INTERVAL_MICROS);
        onDates.put(
            "micros " + micros + name, Fixture.call(Function.DATE_ADD, value.type(), value, by));
      }
      onDates.put("as date " + name, new Expr.Cast(value, Type.DATE));
      onDates.put("as timestamp " + name, new Expr.Cast(value, Type.TIMESTAMP));
      onDates.put("as text " + name, new Expr.Cast(value, Type.VARCHAR));
    }
    Map<String, List<String>> values = DialectCases.values(trino, new Trino(), ends, onDates);
    values.forEach((name, rows) -> assertEquals(5, rows.size(), name));
    assertEquals(List.of("null", "null", "null", "null", "1970"), values.get("extract YEARday"));
  }
}
