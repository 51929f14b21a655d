package flexdp.gateway.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.gateway.FreshPostgres;
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

/** Every function on a real PostgreSQL gives what it gives on DuckDB, and never raises. */
class PostgreSqlTest {
  private static FreshPostgres server;
  private static Connection postgres;
  private static Connection duck;

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.create();
    postgres = server.connect();
    duck = DriverManager.getConnection("jdbc:duckdb:");
    for (Connection connection : List.of(postgres, duck)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE trips(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE"
                + " PRECISION, city VARCHAR, day DATE, \"at\" TIMESTAMP)");
        statement.execute("INSERT INTO trips VALUES " + DialectCases.ROWS);
      }
    }
  }

  @AfterAll
  static void stop() throws Exception {
    duck.close();
    postgres.close();
    server.close();
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
                              DialectCases.values(duck, new DuckDb(), trips, e.getValue()),
                              DialectCases.values(
                                  postgres, new PostgreSql(), trips, e.getValue()))));
    }
  }

  @Test
  void intervalsAgreeWithDuckDb() throws Exception {
    try (Fixture fixture = new Fixture()) {
      Relation.Scan trips = fixture.scan(Fixture.TRIPS);
      for (Map.Entry<String, Expr> e : DialectCases.intervals(trips).entrySet()) {
        assertEquals(
            DialectCases.values(duck, new DuckDb(), trips, e.getValue()),
            DialectCases.values(postgres, new PostgreSql(), trips, e.getValue()),
            e.getKey());
      }
    }
  }

  @Test
  void nullIsWhereFunctionsSay() throws Exception {
    PostgreSql dialect = new PostgreSql();
    SqlRenderer renderer = new SqlRenderer(dialect, NameCatalog.plain(dialect));
    assertEquals(List.of(), new FunctionFacts().deniedBy(postgres, renderer));
  }
}
