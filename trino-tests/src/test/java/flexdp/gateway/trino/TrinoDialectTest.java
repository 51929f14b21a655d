package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.render.DialectCases;
import flexdp.gateway.render.Fixture;
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
        "SELECT COUNT(*), COUNT(TRY(%1$s)), COUNT(TRY(%1$s + 1)), SUM(TRY(%1$s * 2 + %1$s)) FROM"
            + " trips WHERE TRY(%1$s > 1) IS NULL AND TRY(%1$s + %1$s) IS NULL";
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
      Map<String, Expr> all = new LinkedHashMap<>(DialectCases.expressions(trips));
      all.putAll(DialectCases.intervals(trips));
      for (Map.Entry<String, Expr> e : all.entrySet()) {
        batch.put(e.getKey(), e.getValue());
        if (batch.size() == TOGETHER) {
          tests.add(agreement(trips, Map.copyOf(batch)));
          batch.clear();
        }
      }
      if (!batch.isEmpty()) {
        tests.add(agreement(trips, Map.copyOf(batch)));
      }
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
}
