package flexdp.gateway.mariadb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.render.DialectCases;
import flexdp.gateway.render.Fixture;
import flexdp.gateway.render.FunctionFacts;
import flexdp.gateway.render.NameCatalog;
import flexdp.gateway.render.SqlRenderer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every function on a real MariaDB gives what it gives on DuckDB, and never raises. */
class MariaDbTest {
  private static Connection maria;
  private static Connection duck;

  @BeforeAll
  static void start() throws Exception {
    MariaDbServer.create("functions");
    maria = MariaDbServer.writer("functions");
    duck = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = maria.createStatement()) {
      statement.execute(
          "CREATE TABLE trips(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE,"
              + " city VARCHAR(40) COLLATE "
              + MariaDb.EXACT
              + ", day DATE, `at` DATETIME(6))");
      // There is no NaN here, and in comparisons it counts as NULL.
      statement.execute("INSERT INTO trips VALUES " + DialectCases.ROWS.replace("'nan'", "NULL"));
    }
    Connectors.of(maria).beginSnapshot(maria);
    try (Statement statement = duck.createStatement()) {
      statement.execute(
          "CREATE TABLE trips(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE,"
              + " city VARCHAR, day DATE, \"at\" TIMESTAMP)");
      statement.execute("INSERT INTO trips VALUES " + DialectCases.ROWS);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    duck.close();
    maria.close();
  }

  @TestFactory
  Stream<DynamicTest> functionsAgreeWithDuckDb() throws Exception {
    try (Fixture fixture = new Fixture()) {
      Relation.Scan trips = fixture.scan(Fixture.TRIPS);
      return DialectCases.expressions(trips).entrySet().stream()
          .map(
              e ->
                  DynamicTest.dynamicTest(
                      e.getKey(),
                      () ->
                          assertEquals(
                              DialectCases.values(duck, new DuckDb(), trips, e.getValue()).stream()
                                  .map(v -> v.startsWith("+10000") ? "null" : v) // no such year
                                  .toList(),
                              DialectCases.values(maria, new MariaDb(), trips, e.getValue()))));
    }
  }

  @Test
  void intervalsAgreeWithDuckDb() throws Exception {
    try (Fixture fixture = new Fixture()) {
      Relation.Scan trips = fixture.scan(Fixture.TRIPS);
      for (Map.Entry<String, Expr> e : DialectCases.intervals(trips).entrySet()) {
        assertEquals(
            DialectCases.values(duck, new DuckDb(), trips, e.getValue()),
            DialectCases.values(maria, new MariaDb(), trips, e.getValue()),
            e.getKey());
      }
    }
  }

  @Test
  void nullIsWhereFunctionsSay() throws Exception {
    MariaDb dialect = new MariaDb();
    SqlRenderer renderer = new SqlRenderer(dialect, NameCatalog.plain(dialect));
    assertEquals(List.of(), new FunctionFacts().deniedBy(maria, renderer));
  }
}
