package flexdp.gateway;

import flexdp.failure.ConfigurationError;
import flexdp.failure.Failure;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.Workload;
import flexdp.gateway.json.AnswerJson;
import flexdp.gateway.json.AskLines;
import flexdp.gateway.json.WatchJson;
import flexdp.gateway.ledger.entry.LedgerEntry.EntryField;
import flexdp.marginals.StrategyChoice;
import flexdp.plan.MechanismChoice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers drawn with the same bits in every run, by every mechanism and strategy that can be asked
 * for; what a ledger holds after them; and what the line by line door says.
 */
class GoldenWaysTest {
  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*), SUM(fare) FROM trips",
          "SELECT status, COUNT(*) FROM trips GROUP BY status",
          "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id",
          "SELECT t.status, COUNT(*) FROM trips t JOIN trips u ON t.driver_id = u.driver_id"
              + " GROUP BY t.status",
          "SELECT MEDIAN(fare), MODE(status) FROM trips",
          "SELECT status, driver_id, COUNT(*) FROM trips WHERE driver_id IN (1, 2, 3)"
              + " GROUP BY CUBE(status, driver_id)",
          "SELECT driver_id, COUNT(*), SUM(fare) FROM trips GROUP BY driver_id");

  private static final Workload WORKLOAD =
      Workload.of(
          List.of(
              "SELECT status, COUNT(*) FROM trips GROUP BY status",
              // Labels that the text lists: those of a public table come in the database's order.
              "SELECT driver_id, status, COUNT(*) FROM trips WHERE driver_id IN (1, 2, 3)"
                  + " GROUP BY driver_id, status",
              "SELECT COUNT(*) FROM trips WHERE status = 'completed'",
              "SELECT COUNT(*) FROM trips WHERE day >= DATE '2024-01-01' AND day < DATE"
                  + " '2024-07-01'"));

  private static final List<String> POLICIES =
      List.of(
          SmallRides.POLICY,
          SmallRides.POLICY.replace("composition: basic", "composition: zcdp"),
          SmallRides.POLICY.replace(
              "  delta: 1e-9", "  delta: 1e-9\n  thresholding: {delta: 1e-6}"));

  @TempDir Path folder;

  private SmallRides rides(String policy, int seed) throws Exception {
    return new SmallRides(Files.createTempDirectory(folder, "g"), SmallRides.noise(seed), policy);
  }

  private static QueryRequest ask(String sql, MechanismChoice mechanism, StrategyChoice strategy) {
    QueryOptions options =
        new QueryOptions(mechanism, Optional.of(BigDecimal.ONE), Optional.empty(), Optional.empty())
            .by(strategy);
    return new QueryRequest(sql, options, "ann", Set.of(), true).withIntervals(true);
  }

  private static String said(Supplier<String> asking) {
    try {
      return asking.get();
    } catch (Failure e) {
      return "refused " + e.codeName() + ": " + e.message();
    }
  }

  @Test
  void answersByEveryMechanism() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < POLICIES.size(); n++) {
      try (SmallRides rides = rides(POLICIES.get(n), n)) {
        for (MechanismChoice choice : MechanismChoice.values()) {
          for (String sql : QUESTIONS) {
            lines.add("# " + n + " " + choice.word() + ": " + sql);
            lines.add(
                said(
                    () ->
                        AnswerJson.of(
                            rides.gateway.ask(ask(sql, choice, StrategyChoice.AUTO)), true)));
          }
        }
      }
    }
    Golden.check("golden/mechanisms", lines);
  }

  @Test
  void workloadsByEveryStrategy() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int n = 0; n < POLICIES.size(); n++) {
      try (SmallRides rides = rides(POLICIES.get(n), n)) {
        for (StrategyChoice strategy : StrategyChoice.values()) {
          lines.add("# " + n + " " + strategy);
          lines.add(
              said(
                  () ->
                      AnswerJson.of(
                          rides.gateway.ask(WORKLOAD, ask("", MechanismChoice.AUTO, strategy)),
                          true)));
        }
      }
    }
    Golden.check("golden/workloads", lines);
  }

  @Test
  void linesAndTheLedgerAfterThem() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Path ledger = folder.resolve("rides.ledger");
    try (SmallRides rides = new SmallRides(folder, SmallRides.noise(3))) {
      new AskLines(
              rides.gateway::ask,
              (request, values) -> request,
              rides.gateway::ask,
              (workload, request, above) -> {
                throw ConfigurationError.of(ConfigurationError.Code.BAD_USAGE, "not here");
              },
              QueryRequest.of("", "ann").orRepeat(),
              true)
          .run(
              new ByteArrayInputStream(
                  SuiteCase.text("/golden/requests.jsonl").getBytes(StandardCharsets.UTF_8)),
              out);
    }
    Golden.check("golden/lines", out.toString(StandardCharsets.UTF_8).lines().toList());
    Golden.check("golden/ledger", entries(ledger));
  }

  @Test
  void numbersAboveAThreshold() throws Exception {
    Workload numbers =
        Workload.of(
            List.of(
                "SELECT COUNT(*) FROM trips WHERE status = 'completed'",
                "SELECT SUM(fare) FROM trips",
                "SELECT COUNT(*) FROM drivers",
                "SELECT COUNT(*) FROM trips"));
    List<String> lines = new ArrayList<>();
    try (SmallRides rides = rides(SmallRides.POLICY, 0)) {
      for (int hits = 1; hits <= 3; hits++) {
        int most = hits;
        lines.add("# " + hits);
        lines.add(
            said(
                () ->
                    WatchJson.of(
                        rides
                            .above(SmallRides.noise(most))
                            .ask(
                                numbers,
                                ask("", MechanismChoice.AUTO, StrategyChoice.AUTO),
                                new ThresholdQuery(BigDecimal.valueOf(3), most)))));
      }
    }
    Golden.check("golden/above", lines);
  }

  /** All but the ledger's own name, the times and the hashes over these. */
  private static List<String> entries(Path file) throws Exception {
    List<EntryField> fields =
        Arrays.stream(EntryField.values())
            .filter(f -> f != EntryField.LEDGER && f != EntryField.IDENTITIES)
            .toList();
    String columns = fields.stream().map(EntryField::column).collect(Collectors.joining(", "));
    List<String> lines = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT seq, " + columns + " FROM entry ORDER BY seq")) {
      while (row.next()) {
        StringBuilder line = new StringBuilder(row.getString(1));
        for (int i = 0; i < fields.size(); i++) {
          String value = row.getString(i + 2);
          if (value != null) {
            line.append(" | ").append(fields.get(i).column()).append(": ");
            line.append(value.replace("\n", "\\n"));
          }
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }
}
