package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload of docs/dashboard.sql: how many answers one budget gives, and what the docs say. */
class DashboardTest {
  private static final Path DOCS = Path.of("..", "docs");

  @TempDir Path folder;

  private record Answered(int all, int repeats) {}

  private static List<String> workload() throws IOException {
    return Files.readAllLines(DOCS.resolve("dashboard.sql")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("--"))
        .toList();
  }

  private static Policy policy() throws IOException {
    try (var in = RideSharing.class.getResourceAsStream("rides.yaml")) {
      String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PolicyReader.read(
          YamlText.tree(
              yaml.replace("budget: {epsilon: 10,", "budget: {epsilon: 2,"),
              ConfigurationError.Code.BAD_POLICY));
    }
  }

  /** Goes through the workload once; what the budget does not cover is left out. */
  private Answered answered(boolean fresh, List<String> paid) throws Exception {
    Policy policy = policy();
    ErrorLog owner = (what, cause) -> {};
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    new RideSharing(2_000, 1).fill(connection);
    Metrics metrics =
        new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
            .collect(connection)
            .metrics();
    int all = 0;
    int repeats = 0;
    Path file = folder.resolve(fresh + ".ledger");
    try (JdbcDatabase database =
            JdbcDatabase.over(connection, policy, Duration.ofMinutes(10), owner);
        Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
      QueryEngine engine =
          new QueryEngine(
              policy,
              LiveMetrics.vouched(policy, metrics),
              "dashboard",
              database,
              ledger,
              owner,
              Clock.fixed(Instant.parse("2017-01-02T12:00:00Z"), ZoneOffset.UTC));
      for (String sql : workload()) {
        try {
          AnalystView view =
              engine.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), fresh));
          all++;
          if (view.repeat()) {
            repeats++;
          } else {
            paid.add(sql);
          }
        } catch (BudgetError e) {
          // Not covered any more; a later one may be free.
        }
      }
    }
    return new Answered(all, repeats);
  }

  @Test
  void freeRepeatsGiveThreeTimesTheAnswers() throws Exception {
    List<String> workload = workload();
    int textual = workload.size() - new HashSet<>(workload).size();
    assertTrue(textual * 10 <= workload.size() * 3, textual + " of " + workload.size());
    List<String> paid = new ArrayList<>();
    Answered with = answered(false, paid);
    Answered without = answered(true, new ArrayList<>());
    String figures =
        String.format("| %d | %d | %d | %d |", workload.size(), textual, without.all(), with.all());
    assertEquals(0, without.repeats());
    assertTrue(with.all() >= 3 * without.all(), figures + "\npaid:\n" + String.join("\n", paid));
    String page = Files.readString(DOCS.resolve("dashboard.md"));
    assertTrue(page.contains(figures), "docs/dashboard.md has to say " + figures);
  }
}
