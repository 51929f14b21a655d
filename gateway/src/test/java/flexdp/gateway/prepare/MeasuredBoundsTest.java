package flexdp.gateway.prepare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.decompose.QueryDecomposer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.release.Reading;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clamps are left out for values that lie in their range by themselves, and only for those. */
class MeasuredBoundsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              tables:
                t:
                  columns:
                    good: {type: 'decimal(15,2)', range: [0, 100]}
                    bad: {type: 'decimal(15,2)', range: [0, 100]}
                    few: {type: integer, range: [0, 10]}
                    none: {type: integer, range: [0, 10]}
                    approx: {type: double, range: [0, 10]}
                    rate: {type: 'decimal(15,2)', range: [0, 1]}
              """,
              Code.BAD_POLICY));

  @TempDir Path folder;

  private JdbcDatabase open() throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("t.duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (good DECIMAL(15,2), bad DECIMAL(15,2), few INTEGER, none INTEGER,"
              + " approx DOUBLE, rate DECIMAL(15,2))");
      statement.execute(
          "INSERT INTO t VALUES (0, -7, 3, NULL, 1, 0.5), (100, 50, 10, NULL, 2, 1),"
              + " (NULL, 1000, 0, NULL, 3, 0.1)");
    }
    return JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
  }

  private static NoisyAggregate point(String sql) {
    return QueryDecomposer.of(
            new SqlBinder(POLICY, LocalDateTime.MIN).bind(sql), POLICY, Optional.empty())
        .releases()
        .get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "SUM(good); false; 100",
        "SUM(few); false; 13",
        "SUM(bad); true; 150",
        "SUM(none); true;",
        "SUM(approx); true; 6",
        "SUM(good + few); false; 113",
        "SUM(good * rate); false; 100",
        "SUM(good * (1 - rate)); false; 0",
        "SUM(bad * rate); true; 150",
        "SUM(LEAST(GREATEST(few, 1), 5)); true; 9",
        "SUM(CASE WHEN few > 1 THEN good ELSE bad END); true; 200"
      })
  void clampsWhatMayLieOutside(String aggregate, boolean clamps, BigDecimal expected)
      throws Exception {
    try (JdbcDatabase database = open();
        Session session = database.session()) {
      ReleaseStatement statement =
          new RenderedStatements(database)
              .of(
                  reading("SELECT " + aggregate + " FROM t WHERE good >= 0 OR good IS NULL"),
                  session)
              .get(0);
      String outermost = statement.sql().substring(0, statement.sql().indexOf(" AS a0"));
      assertEquals(clamps, outermost.contains("CASE"), statement.sql());
      List<BigDecimal> sums = new ArrayList<>();
      session.run(
          statement.sql(),
          row ->
              sums.add(
                  session
                      .number(row, 1)
                      .map(n -> n.multiply(statement.cells().get(0).clamped().orElseThrow().step()))
                      .orElse(null)));
      if (expected == null) {
        assertEquals(null, sums.get(0));
      } else {
        assertEquals(0, expected.compareTo(sums.get(0)), sums + " by " + statement.sql());
      }
    }
  }

  @Test
  void aMeanLooksAtItsColumn() throws Exception {
    try (JdbcDatabase database = open();
        Session session = database.session()) {
      String sql =
          new RenderedStatements(database)
              .of(reading("SELECT AVG(few) FROM t"), session)
              .get(0)
              .sql();
      assertEquals(false, sql.contains("CASE"), sql);
    }
  }

  private static Reading.Cells reading(String sql) {
    return new Reading.Cells(point(sql), Reading.Cells.Use.AGGREGATE);
  }
}
