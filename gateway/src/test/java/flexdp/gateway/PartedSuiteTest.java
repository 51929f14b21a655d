package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.budget.ChargedPartitions;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.partition.PartitionPruning;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.policy.Table.Partition;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactRelease;
import flexdp.release.LabelTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Every question of the shared suite, with its tables partitioned by each of their columns: where
 * it reads some parts only, all rows of the others may go, or stand there twice, and no number
 * changes.
 */
class PartedSuiteTest {
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  private Policy policy;
  private Metrics metrics;
  private JdbcDatabase database;
  private Connection writer;

  @Test
  void rowsOfOtherPartsMayComeAndGo(TestReporter reporter) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      prepare(connection);
      int narrow = 0;
      for (SuiteCase asked : SuiteCase.read("/suite/queries.test")) {
        narrow += check(asked.sql());
      }
      int found = narrow;
      reporter.publishEntry("parts", found + " questions and partitions");
      assertTrue(found >= 60, () -> "only " + found + " read some parts only");
    }
  }

  private void prepare(Connection connection) throws Exception {
    policy =
        PolicyReader.read(
            YamlText.tree(
                SuiteCase.text("/suite/policy.yaml"), ConfigurationError.Code.BAD_POLICY));
    writer = ((org.duckdb.DuckDBConnection) connection).duplicate();
    for (Table table : policy.tables().values()) {
      execute(
          table.columns().stream()
              .map(c -> c.name() + " " + new DuckDb().typeName(c.type()))
              .collect(Collectors.joining(", ", "CREATE TABLE " + table.name() + " (", ")")));
    }
    for (String insert : SuiteCase.text("/suite/fixture.sql").split(";\\s*")) {
      execute(insert);
    }
    for (Table table : policy.tables().values()) {
      execute("CREATE TABLE all_" + table.name() + " AS SELECT * FROM " + table.name());
    }
    metrics =
        new Collector(
                policy,
                RequiredFrequencies.of(policy)
                    .and(ColumnNames.parse("people.name, teams.name", policy)),
                Progress.NONE,
                Clock.systemUTC())
            .collect(writer)
            .metrics();
    database = JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), (what, cause) -> {});
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute(sql);
    }
  }

  /** How many partitions there are of which the question reads some parts only. */
  private int check(String sql) throws SQLException {
    DpQuery query;
    try {
      query = new Analyzer(policy, metrics, NOW).plan(sql, AnalysisOptions.DEFAULT).query();
    } catch (Rejection e) {
      return 0;
    }
    int narrow = 0;
    for (Table table : policy.tables().values()) {
      for (ColumnSpec column : table.isPublic() ? List.<ColumnSpec>of() : table.columns()) {
        for (Optional<Partition.Each> each : stretches(column.type())) {
          Partition partition = new Partition(column.name(), column.type(), each);
          PartitionPruning pruning = new PartitionPruning();
          query.releases().forEach(p -> pruning.add(partitioned(p.input(), table, partition)));
          ChargedPartitions parts = pruning.parts().get(table.name());
          if (parts != null) {
            narrow++;
            compare(query, sql, partition, parts, table.name());
          }
        }
      }
    }
    return narrow;
  }

  private static Relation partitioned(Relation relation, Table table, Partition partition) {
    return relation instanceof Relation.Scan scan && scan.table().name().equals(table.name())
        ? new Relation.Scan(
            scan.table().partitioned(Optional.of(partition)), scan.columns(), scan.at())
        : InputReplacement.replaced(relation, r -> partitioned(r, table, partition));
  }

  private static List<Optional<Partition.Each>> stretches(Type type) {
    List<Optional<Partition.Each>> all = new ArrayList<>();
    if (type.isDateTime()) {
      for (Partition.Each each : Partition.Each.values()) {
        all.add(Optional.of(each));
      }
    } else if (type.isInteger()
        || type.kind() == Type.Kind.VARCHAR
        || type.kind() == Type.Kind.BOOLEAN) {
      all.add(Optional.empty());
    }
    return all;
  }

  private void compare(
      DpQuery query, String sql, Partition partition, ChargedPartitions parts, String name)
      throws SQLException {
    String outside =
        " WHERE COALESCE("
            + part(partition)
            + ", 'NULL') NOT IN ("
            + parts.names().stream()
                .map(n -> "'" + n.replace("'", "''") + "'")
                .collect(Collectors.joining(", "))
            + ")";
    Map<String, String> before = exact(query);
    execute("DELETE FROM " + name + outside);
    assertEquals(before, exact(query), () -> sql + "\n" + name + " without " + outside);
    execute("DELETE FROM " + name);
    execute("INSERT INTO " + name + " SELECT * FROM all_" + name);
    execute(
        "INSERT INTO " + name + " SELECT * REPLACE (id + 1000 AS id) FROM all_" + name + outside);
    assertEquals(before, exact(query), () -> sql + "\n" + name + " twice " + outside);
    execute("DELETE FROM " + name);
    execute("INSERT INTO " + name + " SELECT * FROM all_" + name);
  }

  /** The name of a row's part, as the database says it. */
  private static String part(Partition partition) {
    String column = partition.column();
    if (partition.each().isEmpty()) {
      return partition.type().kind() == Type.Kind.VARCHAR
          ? "'''' || " + column + " || ''''"
          : "CAST(" + column + " AS VARCHAR)";
    }
    return switch (partition.each().get()) {
      case YEAR -> "CAST(year(" + column + ") AS VARCHAR)";
      case QUARTER -> "year(" + column + ") || '-Q' || quarter(" + column + ")";
      case MONTH -> "strftime(" + column + ", '%Y-%m')";
      case WEEK -> "strftime(" + column + ", '%G-W%V')";
      case DAY -> "strftime(" + column + ", '%Y-%m-%d')";
    };
  }

  /** The numbers of all release points before noise. */
  private Map<String, String> exact(DpQuery query) {
    Map<String, String> all = new TreeMap<>();
    try (Session session = database.session()) {
      SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
      StatementExecution execution = new StatementExecution(session, renderer);
      for (NoisyAggregate point : query.releases()) {
        List<List<Object>> labels = new LabelTable(point, execution::labels, 1000).rows();
        ExactHistogram histogram = ExactHistogram.of(point, labels);
        execution.fill(point, renderer.statements(point), histogram);
        Map<String, Integer> rows = new HashMap<>();
        ExactRelease.of(point, histogram)
            .rows()
            .forEach(row -> rows.merge(row.toString(), 1, Integer::sum));
        all.put("p" + point.id(), new TreeMap<>(rows).toString());
      }
    }
    return all;
  }
}
