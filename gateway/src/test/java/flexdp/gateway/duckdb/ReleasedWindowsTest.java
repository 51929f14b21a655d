package flexdp.gateway.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.Column;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.release.Interpreter;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random windows with random frames over the same noisy rows, NULLs and ties among them: what the
 * interpreter computes is what DuckDB computes.
 */
class ReleasedWindowsTest {
  private static final int QUESTIONS = 400;
  private static final String POLICY =
      """
      flexdp: 1
      privacy: {epsilon: 1, delta: 1e-10, maxLabels: 1000}
      tables:
        t:
          columns:
            k: {type: integer, nullable: false, range: [1, 200]}
            x: {type: "decimal(9,2)", range: [0, 500]}
            y: {type: double, range: [0, 500]}
            z: {type: integer, range: [0, 100]}
      """;
  private static final String RELEASED =
      "(SELECT k, NULLIF(COUNT(*), 3) AS c, NULLIF(SUM(x), 2) AS s, SUM(y) AS f,"
          + " CASE WHEN SUM(x + 1) > 4 THEN 'b' WHEN SUM(x + 1) > 1 THEN 'a' END AS g,"
          + " TIMESTAMP '2024-01-31 00:00:00' + SUM(z) * INTERVAL '1' DAY AS d"
          + " FROM t GROUP BY k) q";

  private final Random random = new Random(20261115);
  private final Policy policy =
      PolicyReader.read(YamlText.tree(POLICY, ConfigurationError.Code.BAD_POLICY));

  @Test
  void theInterpreterAgreesWithDuckDb() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      for (int i = 0; i < QUESTIONS; i++) {
        agree(RandomWindows.call(random), connection);
      }
    }
  }

  private void agree(String window, Connection connection) throws SQLException {
    String sql = "SELECT k, c, s, f, g, d, " + window + " AS w FROM ";
    DpQuery query =
        new Analyzer(policy, Metrics.NONE, LocalDateTime.of(2026, 1, 1, 0, 0))
            .plan(sql + RELEASED, AnalysisOptions.DEFAULT)
            .query();
    Interpreter.check(query.top());
    NoisyAggregate point = query.releases().getFirst();
    Interpreter interpreter =
        new Interpreter(
            Map.of(point.id(), noisy(point)),
            r -> {
              throw new AssertionError("nothing public here: " + r);
            });
    RowTable ours = interpreter.run(query.top());
    fill(connection, ours.rows());
    try (Statement statement = connection.createStatement();
        ResultSet theirs =
            statement.executeQuery("SELECT k, " + window + " AS w FROM q ORDER BY k")) {
      List<List<Object>> sorted = new ArrayList<>(ours.rows());
      sorted.sort((a, b) -> ((BigDecimal) a.get(0)).compareTo((BigDecimal) b.get(0)));
      for (List<Object> row : sorted) {
        theirs.next();
        assertEquals(
            text(theirs.getObject(2)), text(row.get(6)), () -> window + " at " + row + sorted);
      }
    }
  }

  /** Made up: the labels in some order, small numbers so that many tie. */
  private RowTable noisy(NoisyAggregate point) {
    List<Column> columns = ExactHistogram.columns(point);
    List<List<Object>> rows = new ArrayList<>();
    int count = random.nextInt(24);
    for (int k = count; k > 0; k--) {
      List<Object> row = new ArrayList<>();
      row.add(BigDecimal.valueOf(k));
      for (Column column : columns.subList(1, columns.size())) {
        int n = random.nextInt(10) - 2;
        row.add(
            column.type().kind() == Type.Kind.DOUBLE
                ? (Object) (n / 4.0)
                : BigDecimal.valueOf(n).setScale(column.type().scale()));
      }
      rows.add(row);
    }
    return new RowTable(columns, rows);
  }

  private static void fill(Connection connection, List<List<Object>> rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE OR REPLACE TABLE q (k INTEGER, c BIGINT, s DECIMAL(38,2), f DOUBLE, g VARCHAR,"
              + " d TIMESTAMP)");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO q VALUES (?, ?, ?, ?, ?, ?)")) {
      for (List<Object> row : rows) {
        for (int i = 0; i < 6; i++) {
          insert.setObject(i + 1, row.get(i));
        }
        insert.execute();
      }
    }
  }

  /** Numbers to twelve digits: DuckDB adds floating-point numbers one after the other. */
  private static String text(Object value) {
    return switch (value) {
      case null -> "NULL";
      case Number n -> {
        double d = new BigDecimal(n.toString()).doubleValue();
        yield Double.toString(Math.rint(d * 1e9) / 1e9 + 0.0);
      }
      case java.sql.Timestamp t -> t.toLocalDateTime().toString();
      default -> value.toString();
    };
  }
}
