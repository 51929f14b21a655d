package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.release.LabelTable;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How many blocks one row of a table moves, found by removing each: as many as the rule of touched
 * keys says, over joins too. Blocks by the number of a row are the mutant.
 */
class BlockOracleTest {
  private static final int BLOCKS = 8;
  private static final int DATABASES = 12;

  private final Policy policy =
      PolicyReader.read(YamlText.tree(SmallRides.POLICY, ConfigurationError.Code.BAD_POLICY));
  private Connection writer;
  private JdbcDatabase database;

  @BeforeEach
  void create() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    writer = ((org.duckdb.DuckDBConnection) connection).duplicate();
    execute(
        "CREATE TABLE trips(id BIGINT PRIMARY KEY, driver_id INTEGER, city_id INTEGER,"
            + " fare DECIMAL(9,2), distance DOUBLE, status VARCHAR, day DATE)");
    execute("CREATE TABLE drivers(id INTEGER PRIMARY KEY, name VARCHAR, city_id INTEGER)");
    execute("CREATE TABLE cities(id INTEGER PRIMARY KEY, name VARCHAR)");
    database = JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), (what, cause) -> {});
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute(sql);
    }
  }

  private void fill(Random random) throws SQLException {
    execute("DELETE FROM trips");
    execute("DELETE FROM drivers");
    for (int d = 1; d <= 5; d++) {
      execute("INSERT INTO drivers VALUES (" + d + ", NULL, " + random.nextInt(3) + ")");
    }
    for (int t = 1; t <= 25; t++) {
      String driver = random.nextInt(8) == 0 ? "NULL" : "" + (1 + random.nextInt(6));
      execute(
          "INSERT INTO trips VALUES (%d, %s, 1, %d, %s, NULL, NULL)"
              .formatted(
                  random.nextInt(1000) * 100 + t,
                  driver,
                  1 + random.nextInt(400),
                  random.nextInt(6) == 0 ? "NULL" : "" + random.nextDouble() * 99));
    }
  }

  private NoisyAggregate point(String sql) {
    return new Analyzer(
            policy,
            MetricsReader.read(
                JsonText.tree(SmallRides.METRICS, ConfigurationError.Code.BAD_METRICS), policy),
            LocalDateTime.of(2024, 7, 1, 12, 0))
        .plan(sql, AnalysisOptions.DEFAULT)
        .query()
        .releases()
        .getFirst();
  }

  /** What the database says of each block, as it is rendered. */
  private List<List<BigInteger>> cells(NoisyAggregate point) {
    try (Session session = database.session()) {
      SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
      StatementExecution execution = new StatementExecution(session, renderer);
      ExactHistogram histogram =
          ExactHistogram.of(point, new LabelTable(point, execution::labels, 1000).rows());
      execution.fill(point, renderer.statements(point), histogram);
      List<List<BigInteger>> all = new ArrayList<>();
      for (int m = 0; m < point.measurements().size(); m++) {
        all.add(histogram.numbers(m));
      }
      return all;
    }
  }

  private interface Cells {
    List<?> now() throws SQLException;
  }

  private static int changed(List<?> one, List<?> other) {
    int count = 0;
    for (int i = 0; i < one.size(); i++) {
      count += one.get(i).equals(other.get(i)) ? 0 : 1;
    }
    return count;
  }

  /** The most blocks that removing one row of a table changes. */
  private int most(String table, Cells cells) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = writer.createStatement();
        ResultSet all = statement.executeQuery("SELECT id FROM " + table)) {
      while (all.next()) {
        rows.add(List.of(all.getLong(1)));
      }
    }
    List<?> before = cells.now();
    int most = 0;
    for (List<Object> row : rows) {
      execute("CREATE TEMP TABLE kept AS SELECT * FROM " + table + " WHERE id = " + row.get(0));
      execute("DELETE FROM " + table + " WHERE id = " + row.get(0));
      most = Math.max(most, changed(before, cells.now()));
      execute("INSERT INTO " + table + " SELECT * FROM kept");
      execute("DROP TABLE kept");
    }
    return most;
  }

  private List<List<BigInteger>> byBlock(NoisyAggregate point) {
    List<List<BigInteger>> columns = cells(point);
    List<List<BigInteger>> blocks = new ArrayList<>();
    for (int b = 0; b < columns.getFirst().size(); b++) {
      List<BigInteger> block = new ArrayList<>();
      for (List<BigInteger> column : columns) {
        block.add(column.get(b));
      }
      blocks.add(block);
    }
    return blocks;
  }

  private int moved(String sql, String table) throws SQLException {
    NoisyAggregate point = point(sql);
    return most(table, () -> byBlock(point));
  }

  @Test
  void oneRowMovesOneBlockOverJoinsTooWhenTheyAreMadeByTheJoinKey() throws SQLException {
    int byAnotherKey = 0;
    int byNumber = 0;
    for (int n = 0; n < DATABASES; n++) {
      fill(new Random(n));
      String alone =
          "SELECT DP_BLOCK(id, 8) AS b, COUNT(*), SUM(fare), SUM(distance) FROM trips GROUP BY b";
      assertEquals(1, moved(alone, "trips"), alone);
      String joined =
          "SELECT DP_BLOCK(t.driver_id, 8) AS b, COUNT(*), SUM(t.fare) FROM trips t JOIN drivers d"
              + " ON t.driver_id = d.id GROUP BY b";
      assertTrue(moved(joined, "trips") <= 1, joined);
      assertTrue(moved(joined, "drivers") <= 1, joined);
      String other =
          "SELECT DP_BLOCK(t.id, 8) AS b, COUNT(*), SUM(t.fare) FROM trips t JOIN drivers d"
              + " ON t.driver_id = d.id GROUP BY b";
      byAnotherKey = Math.max(byAnotherKey, moved(other, "drivers"));
      byNumber = Math.max(byNumber, most("trips", this::byNumber));
    }
    assertTrue(byAnotherKey > 1, "a driver's trips are in several blocks");
    assertEquals(BLOCKS, byNumber, "the mutant: the first row moves all that follow");
  }

  /** ROW_NUMBER() % n, as others make blocks. */
  private List<String> byNumber() throws SQLException {
    List<String> blocks = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      try (Statement statement = writer.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "SELECT SUM(fare) FROM (SELECT fare, ROW_NUMBER() OVER (ORDER BY id) % 8 AS b"
                      + " FROM trips) WHERE b = "
                      + b)) {
        rows.next();
        blocks.add(String.valueOf(rows.getBigDecimal(1)));
      }
    }
    return blocks;
  }
}
