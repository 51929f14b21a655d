package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueOrdering;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.LabelTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Labels that are listed are those of a table that has every row its declarations allow: none is
 * missing, and none is there that no row can have.
 */
class KeysOfOneColumnTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, budget: {epsilon: 1000000}, maxLabels: 20000}
              tables:
                visits:
                  columns:
                    moment: {type: timestamp, nullable: false,
                         range: ["2023-03-30", "2024-05-02 23:59:59"]}
                    maybe: {type: timestamp, range: ["2023-03-30", "2024-05-02 23:59:59"]}
                    day: {type: date, nullable: false, range: ["2022-12-30", "2025-01-02"]}
                    perhaps: {type: date, range: ["2022-12-30", "2025-01-02"]}
                    age: {type: integer, nullable: false, range: [0, 35]}
                    kind: {type: varchar, nullable: false, domain: [a, b, c]}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private Connection connection;
  private JdbcDatabase database;

  @BeforeEach
  void everyRow() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE visits(moment TIMESTAMP NOT NULL, maybe TIMESTAMP, day DATE NOT NULL, perhaps"
              + " DATE, age INTEGER NOT NULL, kind VARCHAR NOT NULL)");
      statement.execute(
          "INSERT INTO visits SELECT TIMESTAMP '2023-03-30' + (i % 9600) * INTERVAL 1 HOUR, CASE"
              + " WHEN i % 9601 = 9600 THEN NULL ELSE TIMESTAMP '2023-03-30' + (i % 9601) *"
              + " INTERVAL 1 HOUR END, DATE '2022-12-30' + CAST(i % 735 AS INTEGER), CASE WHEN i %"
              + " 736 = 735 THEN NULL ELSE DATE '2022-12-30' + CAST(i % 736 AS INTEGER) END,"
              + " CAST(i % 36 AS INTEGER), ['a', 'b', 'c'][1 + i % 3] FROM range(50000) r(i)");
    }
    database = JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), (what, cause) -> {});
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
    connection.close();
  }

  private static NoisyAggregate point(String keys, String where) {
    return new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
        .plan(
            "SELECT " + keys + ", COUNT(*) AS n FROM visits" + where + " GROUP BY ALL",
            AnalysisOptions.DEFAULT)
        .query()
        .releases()
        .getFirst();
  }

  private Set<List<Object>> inTheData(NoisyAggregate point) {
    SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
    ExactHistogram histogram = ExactHistogram.open(point);
    try (Session session = database.session()) {
      new StatementExecution(session, renderer).fill(point, renderer.statements(point), histogram);
    }
    Set<List<Object>> labels = new HashSet<>();
    histogram.bins().forEach(bin -> labels.add(ValueOrdering.canonical(bin.labels())));
    return labels;
  }

  private static Set<List<Object>> listed(NoisyAggregate point) {
    Set<List<Object>> labels = new HashSet<>();
    new LabelTable(
            point,
            source -> {
              throw new AssertionError("labels of constants");
            },
            20_000)
        .rows()
        .forEach(row -> labels.add(ValueOrdering.canonical(row)));
    return labels;
  }

  private void isEvery(int labels, String keys, String where) {
    NoisyAggregate point = point(keys, where);
    Set<List<Object>> listed = listed(point);
    assertEquals(inTheData(point), listed, keys + where);
    assertEquals(labels, listed.size(), keys + where);
  }

  @Test
  void keysOfOneColumnAreListedTogether() {
    isEvery(7, "EXTRACT(DOW FROM day), TO_CHAR(day, 'Day')", "");
    isEvery(8, "EXTRACT(DOW FROM perhaps), TO_CHAR(perhaps, 'Day')", "");
    isEvery(168, "EXTRACT(DOW FROM moment), EXTRACT(HOUR FROM moment)", "");
    isEvery(15, "EXTRACT(YEAR FROM moment), EXTRACT(MONTH FROM moment)", "");
    isEvery(16, "EXTRACT(YEAR FROM maybe), DATE_TRUNC('month', maybe)", "");
    isEvery(
        15,
        "EXTRACT(YEAR FROM moment), EXTRACT(QUARTER FROM moment), DATE_TRUNC('month', moment)",
        "");
    isEvery(735, "day, TO_CHAR(day, 'Day'), DATE_TRUNC('week', day)", "");
    isEvery(36, "age, age / 10", "");
    isEvery(106, "EXTRACT(ISOYEAR FROM day), EXTRACT(WEEK FROM day)", "");
  }

  @Test
  void cellsAreLeftOutByConditionsOnKeys() {
    isEvery(20, "age, age / 10", " WHERE age BETWEEN 10 AND 29");
    isEvery(
        5,
        "EXTRACT(YEAR FROM moment), EXTRACT(YEAR FROM day)",
        " WHERE EXTRACT(YEAR FROM day) <= EXTRACT(YEAR FROM moment)");
    isEvery(
        12,
        "EXTRACT(YEAR FROM day), EXTRACT(MONTH FROM day)",
        " WHERE day >= '2024-01-01'" + " AND day < '2025-01-01'");
  }

  @Test
  void whatIsNeverNullHasNoSuchLabel() {
    isEvery(7, "TO_CHAR(day, 'Day')", "");
    isEvery(8, "TO_CHAR(perhaps, 'Day')", "");
    isEvery(1440 / 60, "TO_CHAR(moment, 'HH24')", "");
    isEvery(15, "DATE_TRUNC('month', moment)", "");
  }

  /** The wrong twin: every value of one key with every value of the other. */
  @Test
  void listsOfEachKeyByItselfWouldShowWhatNoRowHas() {
    NoisyAggregate point = point("EXTRACT(YEAR FROM moment), DATE_TRUNC('month', moment)", "");
    Labels.Enumerated labels = (Labels.Enumerated) point.labels();
    LabelSource.Constants together = (LabelSource.Constants) labels.sources().getFirst();
    assertEquals(List.of(0, 1), together.keys());
    Set<Object> years = new HashSet<>();
    Set<Object> months = new HashSet<>();
    together.rows().forEach(row -> years.add(row.getFirst()));
    together.rows().forEach(row -> months.add(row.getLast()));
    assertTrue(years.size() * months.size() > inTheData(point).size());
  }
}
