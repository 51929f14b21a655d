package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.hostile.RangeParts;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.NeighborDistance;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every part of an answer whose range is found, on made-up tables of hostile values and their
 * neighbours: noisy counts, those outside and the answer itself, the last two for ranges of every
 * kind that can come out. None moves by more than its noise is made for, and nothing fails.
 */
class FoundRangesOracleTest {
  private static final int TABLES = 40;

  private enum World {
    ROWS("neighbors: add-remove-one, ", "", ""),
    REPLACED("neighbors: replace-one, ", "", ""),
    PEOPLE(
        "neighbors: add-remove-one, ",
        "people: {rider: {key: riders.id}}\n",
        "owners: {rider: rider}\n");

    private final String policy;

    World(String neighbors, String people, String owners) {
      String rest =
          owners.isEmpty()
              ? ""
              : "  riders:\n    owners: {rider: id}\n"
                  + "    columns: {id: {type: integer, unique: true, nullable: false}}\n";
      this.policy =
          "privacy: {"
              + neighbors
              + "epsilon: 1, budget: {epsilon: 1000000, delta: 0}}\n"
              + people
              + "tables:\n"
              + rest
              + "  t:\n"
              + (owners.isEmpty() ? "" : "    " + owners)
              + "    columns:\n"
              + "      id: {type: integer, unique: true, nullable: false}\n"
              + "      rider: {type: integer}\n"
              + "      x: {type: double}\n"
              + "      n: {type: bigint}\n"
              + "      d: {type: \"decimal(9,2)\"}\n"
              + "      k: {type: varchar, domain: [a, b]}\n";
    }
  }

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT SUM(x) FROM t",
          "SELECT AVG(x), SUM(d) FROM t WHERE n <> 3",
          "SELECT STDDEV(n) FROM t",
          "SELECT MIN(d), MAX(n) FROM t",
          "SELECT MEDIAN(x) FROM t",
          "SELECT k, SUM(n) FROM t GROUP BY k",
          "SELECT SUM(CASE WHEN k = 'a' THEN d ELSE x END) FROM t",
          "SELECT SUM(x) FILTER (WHERE k = 'b') FROM t",
          "SELECT SUM(s) FROM (SELECT rider, SUM(d) AS s FROM t GROUP BY rider) AS g",
          "SELECT SUM(n) FROM (SELECT DISTINCT rider, n FROM t) AS g");

  private static final List<String> DOUBLES =
      List.of(
          "NULL",
          "0",
          "-0.0",
          "1",
          "-1",
          "2.5",
          "'NaN'::DOUBLE",
          "'inf'::DOUBLE",
          "'-inf'::DOUBLE",
          "1e308",
          "-1e308",
          "5e-324",
          "-5e-324",
          "1e-9",
          "1.0000000001e-9",
          "1e15",
          "1.1e15");
  private static final List<String> LONGS =
      List.of(
          "NULL",
          "0",
          "1",
          "-1",
          "3",
          "7",
          "50",
          "51",
          "1000000000000000",
          "1000000000000001",
          "9223372036854775807",
          "-9223372036854775808");
  private static final List<String> DECIMALS =
      List.of("NULL", "0", "0.01", "-0.01", "2.5", "-3.3", "50", "9999999.99", "-9999999.99");

  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    execute(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, rider INTEGER, x DOUBLE, n BIGINT, d DECIMAL(9,2),"
            + " k VARCHAR)");
    execute("CREATE TABLE riders(id INTEGER PRIMARY KEY)");
    execute("INSERT INTO riders SELECT range FROM range(4)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A row without its key. */
  private record Row(int rider, String values) {}

  private static Row row(Random random) {
    return new Row(
        random.nextInt(4),
        one(random, DOUBLES)
            + ", "
            + one(random, LONGS)
            + ", "
            + one(random, DECIMALS)
            + ", "
            + one(random, List.of("'a'", "'b'", "'c'", "NULL")));
  }

  private static String one(Random random, List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private void write(List<Row> rows) throws SQLException {
    execute("DELETE FROM t");
    int id = 0;
    for (Row row : rows) {
      execute("INSERT INTO t VALUES (" + id++ + ", " + row.rider() + ", " + row.values() + ")");
    }
  }

  private static List<Row> neighbour(World world, List<Row> rows, Random random) {
    List<Row> others = new ArrayList<>(rows);
    switch (world) {
      case ROWS -> others.add(row(random));
      case REPLACED -> {
        if (others.isEmpty()) {
          return others;
        }
        others.set(random.nextInt(others.size()), row(random));
      }
      case PEOPLE -> {
        int person = random.nextInt(4);
        others.removeIf(row -> row.rider() == person);
      }
    }
    return others;
  }

  @ParameterizedTest
  @EnumSource(World.class)
  void noPartMovesFurtherThanItsNoiseIsMadeFor(World world) throws Exception {
    Policy policy =
        PolicyReader.read(YamlText.tree(world.policy, ConfigurationError.Code.BAD_POLICY));
    List<String> log = new ArrayList<>();
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    Random random = new Random(11);
    int checks = 0;
    Map<String, Double> tightest = new HashMap<>();
    try (JdbcDatabase database =
        JdbcDatabase.over(
            ((org.duckdb.DuckDBConnection) connection).duplicate(),
            policy,
            Duration.ofMinutes(10),
            owner)) {
      RenderedStatements rendered = new RenderedStatements(database);
      for (int n = 0; n < TABLES; n++) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
          rows.add(row(random));
        }
        List<Row> others = neighbour(world, rows, random);
        String sql = QUESTIONS.get(n % QUESTIONS.size());
        Map<String, Plan> plans =
            RangeParts.of(
                new Planning(
                    policy, Metrics.NONE, new Analyzer(policy, Metrics.NONE, LocalDateTime.MIN)),
                sql,
                random,
                rendered);
        assertTrue(plans.size() > 2, sql);
        write(rows);
        Map<String, ExactResults> here = read(policy, plans, database, rendered);
        write(others);
        Map<String, ExactResults> there = read(policy, plans, database, rendered);
        for (String part : plans.keySet()) {
          for (NeighborDistance moved : here.get(part).against(there.get(part))) {
            checks++;
            assertTrue(!moved.isTooFar(), sql + ", " + part + ": " + moved + rows + others);
            double ratio =
                moved.most().signum() == 0
                    ? 0
                    : moved.moved().doubleValue() / moved.most().doubleValue();
            tightest.merge(part.substring(0, 6), ratio, Math::max);
          }
        }
        assertEquals(List.of(), log);
      }
    }
    assertTrue(checks > 10 * TABLES, "checks: " + checks);
    // Or noise for half of it would do as well, and no twin would be noticed.
    assertEquals(1, tightest.get("counts".substring(0, 6)), 0.01, tightest.toString());
    assertTrue(tightest.get("the an") > 0.4, tightest.toString());
    assertTrue(tightest.get("outsid") > 0.4, tightest.toString());
  }

  private static Map<String, ExactResults> read(
      Policy policy, Map<String, Plan> plans, JdbcDatabase database, RenderedStatements rendered) {
    Map<String, ExactResults> read = new HashMap<>();
    plans.forEach(
        (part, plan) ->
            read.put(
                part,
                ExactResults.read(
                    policy,
                    plan,
                    ExactResults.labels(policy, plan, database, rendered),
                    database,
                    rendered)));
    return read;
  }
}
