package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.cells.ExactHistogram;
import flexdp.decompose.QueryDecomposer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactRelease;
import flexdp.sql.bind.SqlBinder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Rows that rendered statements should not have, put in their place: the cells of a release point
 * are filled whatever they hold.
 */
class UnreadableRowsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {thresholding: {delta: 1e-6}}
              tables:
                t:
                  columns:
                    x: {type: double, range: [0, 10]}
                    d: {type: date}
                    i: {type: integer, range: [0, 10]}
              """,
              Code.BAD_POLICY));

  private static NoisyAggregate point(String sql) {
    return QueryDecomposer.of(
            new SqlBinder(POLICY, LocalDateTime.MIN).bind(sql), POLICY, Optional.empty())
        .releases()
        .getFirst();
  }

  private interface Reader {
    List<List<Object>> rows(NoisyAggregate point, ExactHistogram histogram, String... sql);
  }

  private static void on(JdbcDatabase database, java.util.function.Consumer<Reader> test) {
    try (database;
        Session session = database.session()) {
      SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
      test.accept(
          (point, histogram, sql) -> {
            List<ReleaseStatement> made = renderer.statements(point);
            List<ReleaseStatement> raw =
                java.util.stream.IntStream.range(0, made.size())
                    .mapToObj(i -> with(made.get(i), sql[i]))
                    .toList();
            new StatementExecution(session, renderer).fill(point, raw, histogram);
            return ExactRelease.of(point, histogram).rows();
          });
    }
  }

  private static ReleaseStatement with(ReleaseStatement statement, String sql) {
    return new ReleaseStatement(
        sql, statement.hasGrouping(), statement.keys(), statement.bucket(), statement.cells());
  }

  private static void onDuckDb(java.util.function.Consumer<Reader> test) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (x DOUBLE, d DATE, i INTEGER)");
      on(JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE), test);
    }
  }

  private static final String BY_X =
      "SELECT * FROM (VALUES ('nan'::DOUBLE, 5), (-0.0::DOUBLE, 2), ('inf'::DOUBLE, 7),"
          + " (0.0::DOUBLE, 100), (NULL, 3), ('-inf'::DOUBLE, 1)) r(a, b)";

  @Test
  void whatCannotBeReadIsNeverShownAndWhatIsEqualAddsUp() throws Exception {
    NoisyAggregate point = point("SELECT x, COUNT(*) FROM t GROUP BY x");
    onDuckDb(
        reader ->
            assertEquals(
                "[[0.0, 102], [null, 3]]",
                reader.rows(point, ExactHistogram.open(point), BY_X).toString()));
  }

  @Test
  void inAListOfLabelsItIsAnUnlistedOne() throws Exception {
    NoisyAggregate point = point("SELECT x, COUNT(*) FROM t GROUP BY x");
    List<List<Object>> labels = List.of(List.of(1.0), List.of(0.0));
    onDuckDb(
        reader ->
            assertEquals(
                "[[1.0, 0], [0.0, 102]]",
                reader.rows(point, ExactHistogram.of(point, labels), BY_X).toString()));
  }

  @Test
  void daysThatTheDriverCannotTellDoNotEndTheQuestion() throws Exception {
    NoisyAggregate point = point("SELECT d, COUNT(*) FROM t GROUP BY d");
    onDuckDb(
        reader ->
            assertEquals(
                "[[2024-01-01, 5]]",
                reader
                    .rows(
                        point,
                        ExactHistogram.open(point),
                        "SELECT * FROM (VALUES ('infinity'::DATE, 1), (DATE '2024-01-01', 5),"
                            + " ('-infinity'::DATE, 9), ('5877642-06-25 (BC)'::DATE, 2)) r(a, b)")
                    .toString()));
  }

  @Test
  void numbersThatAreNoneAreZero() throws Exception {
    NoisyAggregate point = point("SELECT COUNT(*), SUM(i) FROM t");
    List<List<Object>> one = List.of(List.of());
    onDuckDb(
        reader -> {
          for (String none : List.of("NULL, NULL", "'nan'::DOUBLE, 'inf'::DOUBLE", "'x', ''")) {
            assertEquals(
                "[[0, 0]]",
                reader.rows(point, ExactHistogram.of(point, one), "SELECT " + none).toString(),
                none);
          }
          assertEquals(
              "[[2, 3]]",
              reader.rows(point, ExactHistogram.of(point, one), "SELECT 1.5, 3.2").toString(),
              "rounded, never an error");
        });
  }

  @Test
  void bucketsOutsideTheRangeAreTheNearestWithin() throws Exception {
    NoisyAggregate point = point("SELECT MAX(i) FROM t");
    onDuckDb(
        reader ->
            assertEquals(
                Arrays.asList(Arrays.asList(new java.math.BigDecimal("10"))).toString(),
                reader
                    .rows(
                        point,
                        ExactHistogram.of(point, List.of(List.of())),
                        "SELECT * FROM (VALUES ('nan'::DOUBLE, 5), (-7, 2), (99, 3), (NULL, 4),"
                            + " (5, -1)) r(a, b)")
                    .toString()));
  }

  /** PostgreSQL hands few rows over at once and many one by one, after it has tried the former. */
  @Test
  void rowsThatAreReadTwiceCountOnce() throws Exception {
    NoisyAggregate point = point("SELECT x, COUNT(*) FROM t GROUP BY x");
    try (FreshPostgres server = FreshPostgres.create()) {
      String url = server.url();
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (x double precision, d date, i integer)");
      }
      on(
          JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE),
          reader -> {
            for (int rows : new int[] {100, 20_000, 20_001, 50_000}) {
              assertEquals(
                  "[[1.0, " + rows + "]]",
                  reader
                      .rows(
                          point,
                          ExactHistogram.open(point),
                          "SELECT 1.0::float8 AS a, 1 AS b FROM generate_series(1, " + rows + ") g")
                      .toString());
            }
            assertEquals(
                "[[0.0, 7], [3.0, 4]]",
                reader
                    .rows(
                        point,
                        ExactHistogram.open(point),
                        "SELECT * FROM (VALUES ('-0'::float8, 2), ('NaN'::float8, 3), ('0'::float8,"
                            + " 5), ('Infinity'::float8, 1), ('3'::float8, 4)) r(a, b)")
                    .toString());
          });
    }
  }

  @Test
  void aGroupingSetThatIsAskedForTwiceIsReadOnce() throws Exception {
    NoisyAggregate point =
        point("SELECT i, COUNT(*), MAX(x) FROM t GROUP BY GROUPING SETS ((i), (i), ())");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT 2.0::DOUBLE AS x, NULL::DATE AS d, 1 AS i");
      try (JdbcDatabase database =
              JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
          Session session = database.session()) {
        SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
        ExactHistogram histogram =
            ExactHistogram.of(point, List.of(List.of(new java.math.BigDecimal("1"))));
        new StatementExecution(session, renderer)
            .fill(point, renderer.statements(point), histogram);
        List<List<Object>> rows = ExactRelease.of(point, histogram).rows();
        assertEquals(
            List.of("1", "1", "1"),
            rows.stream().map(r -> r.get(r.size() - 2).toString()).toList());
      }
    }
  }
}
