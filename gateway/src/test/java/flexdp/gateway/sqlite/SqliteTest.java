package flexdp.gateway.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.render.Clamped;
import flexdp.gateway.render.DialectCases;
import flexdp.gateway.render.Fixture;
import flexdp.gateway.render.FunctionFacts;
import flexdp.gateway.render.NameCatalog;
import flexdp.gateway.render.RenderedExpression;
import flexdp.gateway.render.SqlRenderer;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every function on SQLite gives what it gives on DuckDB, and never raises. */
class SqliteTest {
  private static final SqliteConnector VENDOR = new SqliteConnector();
  private static final NameCatalog CATALOG =
      new NameCatalog() {
        @Override
        public String table(Table table) {
          return VENDOR.dialect().qualified(table.name());
        }

        @Override
        public String column(Table table, ColumnSpec column) {
          return VENDOR.read(
              new PhysicalColumn(column.name(), "", column.type(), false, false), column.type());
        }
      };

  private static Connection sqlite;
  private static Connection duck;

  @BeforeAll
  static void start() throws Exception {
    sqlite = DriverManager.getConnection("jdbc:sqlite::memory:");
    duck = DriverManager.getConnection("jdbc:duckdb:");
    for (Connection connection : List.of(sqlite, duck)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE trips(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE"
                + " PRECISION, city VARCHAR, day DATE, \"at\" TIMESTAMP)");
        statement.execute("INSERT INTO trips VALUES " + DialectCases.ROWS);
      }
    }
    try (Statement statement = sqlite.createStatement()) {
      statement.execute(
          "CREATE TABLE anything AS SELECT column1 AS x FROM (VALUES (1), (2.5), ('3'), ('word'),"
              + " (x'0102'), (NULL), (9e999), (-9e999), (9223372036854775807), ('2024-02-30'),"
              + " ('2024-02-29'), ('2024-02-29 24:00:00'), ('2024-02-29 23:59:59.1234567'),"
              + " ('2024-02-29T23:59'))");
    }
    VENDOR.prepare(sqlite, Duration.ofMinutes(10));
  }

  @AfterAll
  static void stop() throws Exception {
    duck.close();
    sqlite.close();
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
                              inCalendar(
                                  DialectCases.values(duck, new DuckDb(), trips, e.getValue())),
                              values(trips, e.getValue()))));
    }
  }

  /** SQLite's calendar ends with the year 9999. */
  private static List<String> inCalendar(List<String> values) {
    return values.stream().map(v -> v.startsWith("+1") ? "null" : v).toList();
  }

  private static List<String> values(Relation.Scan trips, Expr expr) throws Exception {
    Column value = new Column(999, "x", expr.type(), true);
    Column id = trips.columns().get(0);
    Relation computed =
        new Relation.Project(
            trips,
            List.of(
                new Relation.Project.Output(id, id.ref()),
                new Relation.Project.Output(value, expr)));
    String sql = new SqlRenderer(new Sqlite(), CATALOG).rows(computed) + " ORDER BY 1";
    List<String> rows = new ArrayList<>();
    try (Statement statement = sqlite.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(shown(result, expr.type()));
      }
    }
    return rows;
  }

  private static String shown(ResultSet result, Type type) throws Exception {
    Object value = VENDOR.value(result, 2, type);
    return switch (value) {
      case null -> "null";
      case Double d when !Double.isFinite(d) -> "null";
      case Double d ->
          new BigDecimal(d)
              .round(new MathContext(12, RoundingMode.HALF_EVEN))
              .stripTrailingZeros()
              .toString();
      case BigDecimal number -> number.stripTrailingZeros().toPlainString();
      default -> value.toString();
    };
  }

  @Test
  void valuesOfAnotherTypeThanDeclaredAreNullAndNothingRaises() throws Exception {
    assertEquals(List.of("1", "9223372036854775807"), read(Type.BIGINT));
    assertEquals(List.of("1"), read(Type.INTEGER));
    assertEquals(List.of("1.00", "2.50"), read(Type.decimal(9, 2)));
    assertEquals(List.of("2024-02-29"), read(Type.DATE));
    assertEquals(
        List.of("2024-02-29T00:00", "2024-02-29T23:59:59.123456", "2024-02-29T23:59"),
        read(Type.TIMESTAMP));
    assertEquals(List.of("true"), read(Type.BOOLEAN));
    assertEquals(List.of("1.0", "2.5", "9.223372036854776E18"), read(Type.DOUBLE));
  }

  private static List<String> read(Type type) throws Exception {
    List<String> values = new ArrayList<>();
    try (Statement statement = sqlite.createStatement();
        ResultSet rows = statement.executeQuery("SELECT " + column(type) + " FROM anything")) {
      while (rows.next()) {
        Object value = VENDOR.value(rows, 1, type);
        if (value != null) {
          values.add(value.toString());
        }
      }
    }
    return values;
  }

  private static String column(Type type) {
    return VENDOR.read(new PhysicalColumn("x", "", type, false, false), type);
  }

  @Test
  void sumsOfAnythingAreClampedAndExact() throws Exception {
    assertEquals(new BigDecimal("11"), sum(Type.BIGINT, "0", "10", "1"));
    assertEquals(new BigDecimal("350"), sum(Type.decimal(9, 2), "0", "10", "0.01"));
    assertEquals(new BigDecimal("1350"), sum(Type.DOUBLE, "0", "10", "0.01"));
    assertEquals(
        new BigDecimal("4000000000000001"), sum(Type.BIGINT, "0", "4000000000000000", "1"));
  }

  private static BigDecimal sum(Type type, String low, String high, String grid) throws Exception {
    Sqlite dialect = new Sqlite();
    Clamped clamped =
        dialect.clamped(
            new RenderedExpression(new Expr.Ref(1, type), "c1"),
            new Range(new BigDecimal(low), new BigDecimal(high)),
            new BigDecimal(grid));
    String sql =
        "SELECT "
            + dialect.sum(clamped, Optional.empty())
            + " FROM (SELECT "
            + column(type)
            + " AS c1 FROM anything)";
    try (Statement statement = sqlite.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return VENDOR.number(row, 1);
    }
  }

  @Test
  void sumsDoNotOverflow() throws Exception {
    String wide =
        "SELECT "
            + new Sqlite().sum(new Clamped("x", BigDecimal.ONE), Optional.empty())
            + " FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 9223372036854775807 UNION"
            + " ALL SELECT -1)";
    try (Statement statement = sqlite.createStatement();
        ResultSet row = statement.executeQuery(wide)) {
      row.next();
      assertEquals(new BigDecimal("18446744073709551613"), VENDOR.number(row, 1));
    }
  }

  @Test
  void nullIsWhereFunctionsSay() throws Exception {
    Sqlite dialect = new Sqlite();
    SqlRenderer renderer = new SqlRenderer(dialect, NameCatalog.plain(dialect));
    assertEquals(List.of(), new FunctionFacts().deniedBy(sqlite, renderer));
  }
}
