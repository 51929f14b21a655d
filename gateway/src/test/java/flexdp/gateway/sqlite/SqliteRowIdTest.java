package flexdp.gateway.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.NeighborDistance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A primary key of type INTEGER is the row id, which is a number in every row; with DESC it is not,
 * and any number of rows have none, and WITHOUT ROWID it may be a text, which is read as NULL.
 * Where either was taken for a number in every row, hundreds of rows moved by one were one group of
 * a key.
 */
class SqliteRowIdTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "tables: {t: {static: true, columns: {id: {type: bigint, unique: true, nullable:"
                  + " false}}}}",
              ConfigurationError.Code.BAD_POLICY));

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY id) AS c FROM t) s WHERE c >"
              + " 100",
          "SELECT COUNT(*) FROM t a JOIN t b ON a.id IS NOT DISTINCT FROM b.id",
          "SELECT COUNT(*) FROM t a WHERE id NOT IN (SELECT id FROM t WHERE id > 5)",
          "SELECT COUNT(id) FROM t");

  @TempDir Path folder;

  private String file(String name, String create, List<String> ids) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve(name);
    try (Connection writer = DriverManager.getConnection(url);
        Statement statement = writer.createStatement()) {
      statement.execute(create);
      for (String id : ids) {
        statement.execute("INSERT INTO t VALUES (" + id + ")");
      }
    }
    return url;
  }

  private void attack(String create, List<String> ids, boolean proven) throws Exception {
    String all = file("all.db", create, ids);
    String rest = file("rest.db", create, ids.subList(1, ids.size()));
    try (Connection connection = DriverManager.getConnection(all)) {
      PhysicalTable table = new SqliteConnector().tables(connection).getFirst();
      assertEquals(
          List.of(proven), table.columns().stream().map(PhysicalColumn::notNull).toList(), create);
      assertEquals(Set.of(List.of("id")), Set.copyOf(table.keys()));
    }
    for (String question : QUESTIONS) {
      Analyzer analyzer =
          new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0));
      Plan plan = analyzer.plan(question, AnalysisOptions.DEFAULT);
      assertEquals(
          List.of(),
          read(all, plan).against(read(rest, plan)).stream()
              .filter(NeighborDistance::isTooFar)
              .toList(),
          question);
    }
  }

  private static ExactResults read(String url, Plan plan) {
    try (JdbcDatabase database =
        JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE)) {
      RenderedStatements rendered = new RenderedStatements(database);
      return ExactResults.read(
          POLICY, plan, ExactResults.labels(POLICY, plan, database, rendered), database, rendered);
    }
  }

  @Test
  void aPrimaryKeyInDescendingOrderMayBeNull() throws Exception {
    attack("CREATE TABLE t(id INTEGER PRIMARY KEY DESC)", ids("NULL", "NULL"), false);
  }

  @Test
  void aPrimaryKeyWithoutRowIdMayBeText() throws Exception {
    attack("CREATE TABLE t(id INTEGER PRIMARY KEY) WITHOUT ROWID", ids("'a%d'", "'a%d'"), false);
  }

  @Test
  void theRowIdIsANumber() throws Exception {
    attack("CREATE TABLE t(id INTEGER PRIMARY KEY)", ids("NULL", "NULL"), true);
    Files.delete(folder.resolve("all.db"));
    Files.delete(folder.resolve("rest.db"));
    attack("CREATE TABLE t(id INTEGER, PRIMARY KEY (id ASC))", ids("NULL", "NULL"), true);
  }

  private static List<String> ids(String first, String others) {
    return IntStream.range(0, 101)
        .mapToObj(i -> (i == 0 ? first : others).replace("%d", String.valueOf(i)))
        .toList();
  }
}
