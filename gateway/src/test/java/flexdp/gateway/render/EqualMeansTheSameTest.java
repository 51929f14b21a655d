package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.database.Connectors;
import flexdp.sql.bind.SqlBinder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Equal means the same (guarantee §12): whatever is computed of equal values is equal, as text too,
 * and has the one form that its type has. Every function, on the values that databases hold equal
 * and can tell apart, or that have no form.
 */
class EqualMeansTheSameTest {
  private static final SqlBinder BINDER =
      new SqlBinder(HostileRows.POLICY, LocalDateTime.of(2020, 1, 1, 0, 0));

  /** What no text of a value may be. */
  private static final Pattern FORMLESS =
      Pattern.compile(
          "-0(\\.0*)?|-?nan|-?inf(inity)?|24:00.*|.*BC\\)?|-\\d+-\\d\\d-.*|\\d{5,}-.*",
          Pattern.CASE_INSENSITIVE);

  private static FreshPostgres server;
  private static Connection postgres;
  private static Connection duck;
  private static SqlRenderer ofPostgres;
  private static SqlRenderer ofDuck;

  @BeforeAll
  static void start() throws Exception {
    server = FreshPostgres.create();
    postgres = server.connect();
    duck = DriverManager.getConnection("jdbc:duckdb:");
    HostileRows.create(duck, postgres);
    ofDuck = renderer(duck);
    ofPostgres = renderer(postgres);
  }

  private static SqlRenderer renderer(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    return new SqlRenderer(
        connector.dialect(),
        PhysicalCatalog.of(HostileRows.POLICY, connector, connector.tables(connection)));
  }

  @AfterAll
  static void stop() throws Exception {
    duck.close();
    postgres.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f",
        "-f",
        "f * 0",
        "f * -1",
        "f * f",
        "f * f * f - f * f * f",
        "f * 1e308 * 1e308",
        "f + 1e308",
        "f - f",
        "f / 3",
        "1e308 / f",
        "f % 3",
        "0 - f",
        "ABS(f)",
        "SIGN(f)",
        "FLOOR(f)",
        "CEIL(f)",
        "CEIL(f / 1e9)",
        "ROUND(f)",
        "ROUND(f, 2)",
        "ROUND(f, -2)",
        "TRUNC(f)",
        "SQRT(f)",
        "LN(f)",
        "LOG10(f)",
        "EXP(f)",
        "EXP(EXP(EXP(EXP(f))))",
        "POWER(f, 3)",
        "POWER(f, -1)",
        "POWER(2, f)",
        "POWER(f, 0.5)",
        "COALESCE(f, -f)",
        "NULLIF(f, 1)",
        "LEAST(f, -f)",
        "GREATEST(f, -f)",
        "CASE WHEN f >= 0 THEN f ELSE -f END",
        "CAST(f AS smallint)",
        "CAST(f AS bigint)",
        "CAST(f AS decimal(38,10))",
        "CAST(CAST(f AS varchar) AS double)",
        "CAST(f AS varchar) || 'x'",
        "CHAR_LENGTH(CAST(f AS varchar))",
        "w",
        "w * d",
        "w / d",
        "-w",
        "CAST(w AS double)",
        "d % w",
      })
  void numbers(String expression) throws SQLException {
    check(expression, expression.contains("w") || expression.contains("d %") ? "w, d" : "f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f + CAST(w AS double)",
        "f * b",
        "f / i",
        "b / f",
        "f % i",
        "POWER(f, i)",
        "POWER(i, f)",
        "LEAST(f, i)",
        "GREATEST(f, d)",
      })
  void pairsOfNumbers(String expression) throws SQLException {
    check(expression, "f, i, b, d, w");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "day",
        "DATE_TRUNC('month', day)",
        "DATE_TRUNC('week', day)",
        "LAST_DAY(day)",
        "day + INTERVAL '1' DAY",
        "day - INTERVAL '1' DAY",
        "day - INTERVAL '3000' YEAR",
        "day + INTERVAL '8000' YEAR",
        "ADD_MONTHS(day, 1)",
        "CAST(day AS timestamp)",
        "CAST(CAST(day AS varchar) AS date)",
        "CAST(day AS varchar)",
        "EXTRACT(year FROM day)",
        "EXTRACT(epoch FROM day)",
        "DATE_DIFF('day', DATE '2000-01-01', day)",
        "DATE_DIFF('week', DATE '2000-01-01', day)",
        "COALESCE(day, DATE '2000-01-01')",
        "GREATEST(day, DATE '2000-01-01')",
        "at",
        "DATE_TRUNC('second', at)",
        "DATE_TRUNC('year', at)",
        "at + INTERVAL '1' SECOND",
        "at - INTERVAL '1' YEAR",
        "CAST(at AS date)",
        "CAST(at AS time)",
        "CAST(at AS varchar)",
        "EXTRACT(epoch FROM (at - day))",
        "EXTRACT(epoch FROM (at - day) * b)",
        "EXTRACT(epoch FROM (at - TIMESTAMP '2024-01-01 00:00:00') - INTERVAL '1' DAY)",
        "DATE '2024-01-01' + (at - day)",
        "zoned",
        "CAST(zoned AS date)",
        "zoned - INTERVAL '1' DAY",
        "clock",
        "CAST(clock AS varchar)",
        "COALESCE(clock, TIME '00:00:00')",
      })
  void moments(String expression) throws SQLException {
    check(expression, "day, \"at\", zoned, clock, b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "t",
        "LOWER(t)",
        "UPPER(t2)",
        "t || t2",
        "REVERSE(t)",
        "TRIM(t)",
        "LEFT(t, 3)",
        "LEAST(t, t2)",
        "GREATEST(t, t2)",
        "NULLIF(t, t2)",
        "COALESCE(t, t2)",
        "REPLACE(t, 'a', t2)",
        "POSITION(t IN t2)",
        "t = t2",
        "t < t2",
        "LOWER(t) = t2",
        "t || t2 IN (t, t2)",
        "t ILIKE '%ﬃ'",
        "CAST(t AS double)",
        "CAST(t AS decimal(38,10))",
        "CAST(t AS bigint)",
        "CAST(t AS date)",
        "CAST(t AS timestamp)",
        "CAST(t AS time)",
        "CAST(t AS boolean)",
        "CAST(t AS uuid)",
        "-CAST(t AS double)",
      })
  void texts(String expression) throws SQLException {
    check(expression, "t, t2");
  }

  private static void check(String expression, String columns) throws SQLException {
    List<String> faults = new ArrayList<>();
    for (Connection connection : List.of(duck, postgres)) {
      String where = connection == duck ? "DuckDB" : "PostgreSQL";
      String distinct = "SELECT DISTINCT " + columns;
      long values = rows(connection, distinct + " FROM h").size();
      for (String form : List.of(expression, "CAST(" + expression + " AS varchar)")) {
        List<String> results = rows(connection, distinct + ", " + form + " AS y FROM h");
        if (results.size() != values) {
          faults.add(where + " has " + results.size() + " of " + values + ": " + form);
        }
        if (form != expression && !expression.matches("t|t2|.*\\(t.*|t .*|NULLIF.*|COALESCE.*")) {
          results.stream()
              .filter(r -> FORMLESS.matcher(r).matches())
              .forEach(r -> faults.add(where + ": " + form + " is " + r));
        }
        // Through groups, which keep any one of the values that they hold equal.
        String groups = "SELECT COUNT(*) FROM (SELECT " + form + " AS y, ok FROM h) q GROUP BY y";
        String again = "SELECT COUNT(*) FROM (SELECT DISTINCT " + form + " AS y FROM h) q";
        assertEquals(
            rows(connection, again).getFirst(), "" + rows(connection, groups).size(), form);
      }
    }
    assertEquals(List.of(), faults);
  }

  /** The last value of each row, as text. */
  private static List<String> rows(Connection connection, String sql) throws SQLException {
    String text;
    try {
      text = (connection == duck ? ofDuck : ofPostgres).rows(BINDER.bind(sql));
    } catch (Rejection e) {
      assertTrue(sql.endsWith("AS varchar) AS y FROM h"), sql + " " + e.getMessage());
      return List.of();
    }
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(text)) {
      int width = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        values.add(String.valueOf(rows.getString(width)));
      }
    } catch (SQLException e) {
      throw new SQLException(sql + "\n" + text, e);
    }
    return values;
  }
}
