package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.SqlRenderer;
import flexdp.metrics.Metrics;
import flexdp.partition.PartitionPruning;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table.Partition;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Conditions on moments, each with a table partitioned by days, weeks, months, quarters and years:
 * no row of a part that is not charged makes one of them true, be it a microsecond beside the end
 * of its part.
 */
class PartedMomentsTest {
  private static final List<String> VALUES =
      List.of(
          "m",
          "d",
          "CAST(m AS DATE)",
          "CAST(CAST(m AS DATE) AS TIMESTAMP)",
          "CAST(d AS TIMESTAMP)",
          "CAST(m AS TIMESTAMP(0))",
          "CAST(CAST(m AS TIME) AS TIMESTAMP)",
          "DATE_TRUNC('day', m)",
          "DATE_TRUNC('week', m)",
          "DATE_TRUNC('month', m)",
          "DATE_TRUNC('quarter', m)",
          "DATE_TRUNC('year', m)",
          "DATE_TRUNC('hour', m)",
          "DATE_TRUNC('month', CAST(m AS DATE))",
          "CAST(DATE_TRUNC('month', m) AS DATE)",
          "DATE_TRUNC('year', DATE_TRUNC('week', m))",
          "m + INTERVAL '1' DAY",
          "COALESCE(m, TIMESTAMP '2024-01-31 12:00:00')",
          "CASE WHEN m < TIMESTAMP '2024-02-01 00:00:00' THEN m END");

  private static final List<String> CONSTANTS =
      List.of(
          "TIMESTAMP '2024-01-31 23:59:59.999999'",
          "TIMESTAMP '2024-01-31 23:59:59.9999999'",
          "TIMESTAMP '2024-02-01 00:00:00'",
          "TIMESTAMP '2024-02-01 00:00:00.0000004'",
          "TIMESTAMP '2023-12-31 23:59:59.5'",
          "DATE '2024-01-01'",
          "DATE '2024-01-29'",
          "DATE '2024-02-29'",
          "DATE '2024-02-01' - INTERVAL '1' SECOND",
          "TIMESTAMP '9999-12-31 23:59:59.999999'",
          "TIMESTAMP '0001-01-01 00:00:00'",
          "NULL");

  private static final List<String> NUMBERS =
      List.of(
          "EXTRACT(YEAR FROM m)",
          "EXTRACT(MONTH FROM m)",
          "EXTRACT(YEAR FROM d)",
          "EXTRACT(MONTH FROM CAST(m AS DATE))",
          "EXTRACT(MONTH FROM DATE_TRUNC('week', m))",
          "EXTRACT(YEAR FROM DATE_TRUNC('week', m))",
          "EXTRACT(QUARTER FROM m)",
          "EXTRACT(DAY FROM m)");

  private static final List<String> OPERATORS =
      List.of("<", "<=", "=", ">=", ">", "<>", "IS NOT DISTINCT FROM", "IS DISTINCT FROM");

  private static final List<String> MOMENTS =
      List.of(
          "2023-12-31T23:59:59.999999",
          "2023-12-31T23:59:59.500000",
          "2024-01-01T00:00:00",
          "2024-01-28T23:59:59.700000",
          "2024-01-29T00:00:00",
          "2024-01-31T23:59:59.999999",
          "2024-01-31T23:59:59.400000",
          "2024-02-01T00:00:00",
          "2024-02-01T00:00:00.000001",
          "2024-02-29T12:00:00",
          "2024-03-31T02:30:00",
          "2024-12-30T00:00:00",
          "0001-01-01T00:00:00",
          "9999-12-31T23:59:59.999999");

  private static final int SOME = Integer.getInteger("flexdp.parts.conditions", 200);

  private Policy policy;
  private int narrow;

  private static List<String> conditions() {
    List<String> all = new ArrayList<>();
    for (String operator : OPERATORS) {
      for (String value : VALUES) {
        for (String constant : CONSTANTS) {
          all.add(value + " " + operator + " " + constant);
          all.add("NOT (" + constant + " " + operator + " " + value + ")");
        }
      }
      for (String value : NUMBERS) {
        for (String constant : List.of("2023", "2024", "2023.5", "1", "2", "1.5", "0")) {
          all.add(value + " " + operator + " " + constant);
        }
      }
    }
    for (String value : VALUES) {
      all.add(value + " IS NULL");
      all.add(value + " IS NOT NULL");
      all.add("(" + value + " >= DATE '2024-02-01') IS NOT TRUE AND m IS NOT NULL");
      all.add("(" + value + " < DATE '2024-02-01') IS NOT FALSE");
      all.add(value + " BETWEEN DATE '2024-01-01' AND DATE '2024-01-31'");
      all.add(value + " IN (TIMESTAMP '2024-02-01 00:00:00', NULL)");
      all.add(value + " NOT IN (TIMESTAMP '2024-02-01 00:00:00')");
    }
    return all;
  }

  /** Days beside their moments, and the names of parts that both are in. */
  private static String rows(String infinite) {
    List<String> rows = new ArrayList<>();
    for (String text : MOMENTS) {
      LocalDateTime m = LocalDateTime.parse(text);
      StringBuilder row = new StringBuilder("(" + rows.size());
      row.append(", TIMESTAMP '" + text.replace('T', ' ') + "', DATE '" + m.toLocalDate() + "'");
      for (Partition.Each each : Partition.Each.values()) {
        row.append(", '" + name(each, m) + "'");
      }
      rows.add(row.append(")").toString());
    }
    String nulls = ", 'NULL'".repeat(Partition.Each.values().length);
    rows.add("(" + rows.size() + ", NULL, NULL" + nulls + ")");
    rows.add("(" + rows.size() + ", '" + infinite + "', '" + infinite + "'" + nulls + ")");
    rows.add("(" + rows.size() + ", '-" + infinite + "', '-" + infinite + "'" + nulls + ")");
    return String.join(", ", rows);
  }

  private static String name(Partition.Each each, LocalDateTime m) {
    return switch (each) {
      case YEAR -> Integer.toString(m.getYear());
      case QUARTER -> m.getYear() + "-Q" + (1 + (m.getMonthValue() - 1) / 3);
      case MONTH -> String.format(Locale.ROOT, "%04d-%02d", m.getYear(), m.getMonthValue());
      case WEEK ->
          String.format(
              Locale.ROOT,
              "%04d-W%02d",
              m.get(IsoFields.WEEK_BASED_YEAR),
              m.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case DAY -> m.toLocalDate().toString();
    };
  }

  private static String yaml(String column, Partition.Each each) {
    StringBuilder yaml = new StringBuilder("privacy: {epsilon: 1}\ntables:\n  t:\n");
    String word = each.name().toLowerCase(Locale.ROOT);
    yaml.append("    partition: {by: " + column + ", each: " + word + "}\n    columns:\n");
    yaml.append("      id: {type: integer, unique: true, nullable: false}\n");
    yaml.append("      m: {type: timestamp}\n      d: {type: date}\n");
    for (Partition.Each name : Partition.Each.values()) {
      yaml.append("      p" + name.ordinal() + ": {type: varchar}\n");
    }
    return yaml.toString();
  }

  private static void fill(Connection writer) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, m TIMESTAMP, d DATE, p0 VARCHAR, p1 VARCHAR, p2"
              + " VARCHAR, p3 VARCHAR, p4 VARCHAR)");
      statement.execute("INSERT INTO t VALUES " + rows("infinity"));
    }
  }

  /** Others for every partition; all of them where {@code flexdp.parts.conditions} is large. */
  private static List<String> some(Partition.Each each, String column) {
    List<String> all = conditions();
    Collections.shuffle(all, new Random(each.ordinal() * 31L + column.hashCode()));
    return all.subList(0, Math.min(all.size(), SOME));
  }

  private void check(JdbcDatabase database, String column, Partition.Each each) {
    String band = column + " >= DATE '2023-12-01' AND " + column + " < DATE '2024-04-01'";
    SortedSet<String> all = parts(band).orElseThrow();
    try (Session session = database.session()) {
      for (String some : some(each, column)) {
        String condition = "(" + some + ") AND " + band;
        Optional<SortedSet<String>> parts = parts(condition).filter(p -> p.size() < all.size());
        if (parts.isPresent()) {
          narrow++;
          String outside =
              parts.get().stream()
                  .map(n -> "'" + n + "'")
                  .collect(Collectors.joining(", ", "p" + each.ordinal() + " NOT IN (", ")"));
          DpQuery found = question(condition + " AND " + outside).orElseThrow();
          assertEquals(
              BigInteger.ZERO,
              count(database, session, found.releases().getFirst()),
              () -> column + " by " + each + ": " + condition + " is charged to " + parts.get());
        }
      }
    }
  }

  private Optional<DpQuery> question(String condition) {
    try {
      return Optional.of(
          new Analyzer(policy, Metrics.NONE, LocalDateTime.of(2024, 7, 1, 12, 0))
              .plan("SELECT COUNT(*) FROM t WHERE " + condition, AnalysisOptions.DEFAULT)
              .query());
    } catch (Rejection e) {
      return Optional.empty();
    }
  }

  private Optional<SortedSet<String>> parts(String condition) {
    return question(condition)
        .flatMap(
            query -> {
              PartitionPruning pruning = new PartitionPruning();
              pruning.add(query.releases().getFirst().input());
              return Optional.ofNullable(pruning.parts().get("t")).map(p -> p.names());
            });
  }

  private static BigInteger count(JdbcDatabase database, Session session, NoisyAggregate point) {
    SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
    ExactHistogram cells = ExactHistogram.of(point, List.of(List.of()));
    new StatementExecution(session, renderer).fill(point, renderer.statements(point), cells);
    return cells.numbers(0).getFirst();
  }

  private interface Opened {
    JdbcDatabase open() throws SQLException;
  }

  private void each(Opened opened, TestReporter reporter) throws Exception {
    for (Partition.Each each : Partition.Each.values()) {
      for (String column : List.of("m", "d")) {
        policy =
            PolicyReader.read(
                YamlText.tree(yaml(column, each), ConfigurationError.Code.BAD_POLICY));
        try (JdbcDatabase database = opened.open()) {
          check(database, column, each);
        }
      }
    }
    reporter.publishEntry("narrow", Integer.toString(narrow));
    assertTrue(narrow > SOME, "only " + narrow);
  }

  @Test
  void onDuckDb(TestReporter reporter) throws Exception {
    try (Connection writer = DriverManager.getConnection("jdbc:duckdb:")) {
      fill(writer);
      each(
          () ->
              JdbcDatabase.over(
                  ((org.duckdb.DuckDBConnection) writer).duplicate(),
                  policy,
                  Duration.ofMinutes(10),
                  (what, cause) -> {}),
          reporter);
    }
  }

  @Test
  void onPostgreSql(TestReporter reporter) throws Exception {
    try (FreshPostgres server = FreshPostgres.create()) {
      try (Connection writer = server.connect()) {
        fill(writer);
      }
      each(
          () ->
              JdbcDatabase.open(server.url(), policy, Duration.ofMinutes(10), (what, cause) -> {}),
          reporter);
    }
  }
}
