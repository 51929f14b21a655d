package flexdp.gateway.hostile;

import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.ledger.TooManyFailures;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Edits of a policy after which its ledger once forgot what was spent. */
final class LedgerSchemes {
  private static final BigDecimal TINY = new BigDecimal("1e-9");

  /** A policy as it stands for a while, and what is asked under it. */
  private record Edition(String privacy, String table, String epsilon) {}

  static final List<Scheme> ALL =
      List.of(
          new Scheme(
              "Ledger: a table respelt",
              p ->
                  gains(
                      new Edition("budget: {epsilon: 1}", "t", "1"),
                      new Edition("budget: {epsilon: 1}", "T", "1"),
                      new Edition("budget: {epsilon: 1}", "main.t", "1"))),
          new Scheme(
              "Ledger: other neighbours",
              p ->
                  gains(
                      new Edition("budget: {epsilon: 3}", "t", "2"),
                      new Edition("neighbors: replace-one, budget: {epsilon: 3}", "t", "1"))),
          new Scheme(
              "Ledger: another composition, by way of no budget",
              p ->
                  gains(
                      new Edition(
                          "budget: {epsilon: 5, delta: 1e-6, composition: adaptive}", "t", "0.5"),
                      new Edition("epsilon: 0.1", "t", "0.1"),
                      new Edition(
                          "budget: {epsilon: 5, delta: 1e-6, composition: basic}", "t", "0.1"))),
          new Scheme("Ledger: questions that run out of time", p -> bits()));

  private static final String SLOW =
      "SELECT COUNT(*) FROM t CROSS JOIN m a CROSS JOIN m b CROSS JOIN m c CROSS JOIN m d WHERE"
          + " t.id = 7 AND a.n < ";

  private LedgerSchemes() {}

  /** The first edition is answered; whatever a later one answers is too much. */
  private static List<String> gains(Edition... editions) throws Exception {
    Path folder = Files.createTempDirectory("ledger");
    try {
      String url = database(folder);
      List<String> gains = new ArrayList<>();
      for (Edition edition : editions) {
        Path policy = folder.resolve("p.yaml");
        Files.writeString(
            policy,
            "database: %s\nprivacy: {%s}\ntables:\n  %s: {columns: {id: {type: bigint}}}\n"
                .formatted(url, edition.privacy(), edition.table()));
        boolean answered = isAnswered(policy, edition);
        if (edition == editions[0]) {
          require(answered);
        } else if (answered) {
          gains.add("answered under " + edition);
        }
      }
      return gains;
    } finally {
      delete(folder);
    }
  }

  private static String database(Path folder) throws SQLException {
    String url = "jdbc:duckdb:" + folder.resolve("d.duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t AS SELECT range AS id FROM range(100)");
      statement.execute("CREATE TABLE m AS SELECT range AS n FROM range(3000)");
    }
    return url;
  }

  /** Each question that takes too long tells that a row is there: one of them is too many. */
  private static List<String> bits() throws Exception {
    Path folder = Files.createTempDirectory("ledger");
    try {
      Path policy = folder.resolve("p.yaml");
      Files.writeString(
          policy,
          """
          database: %s
          privacy: {budget: {epsilon: 9}}
          failures: {atMost: 1, window: 1h}
          tables:
            t: {columns: {id: {type: bigint}}}
            m: {public: true, static: true, columns: {n: {type: bigint}}}
          """
              .formatted(database(folder)));
      measure(policy);
      int bits = 0;
      try (FlexDp flexdp = Setup.of(policy).timeout(Duration.ofSeconds(1)).open()) {
        for (String most : List.of("2990", "2991")) {
          try {
            flexdp.ask(
                new QueryRequest(SLOW + most, QueryOptions.DEFAULT.at(TINY), "mallory", Set.of()));
          } catch (DatabaseError e) {
            bits++;
          } catch (TooManyFailures e) {
            // that is how it should end
          }
        }
      }
      require(bits > 0);
      return bits > 1 ? List.of(bits + " questions ran out of time") : List.of();
    } finally {
      delete(folder);
    }
  }

  private static void measure(Path policy) throws SQLException, IOException {
    Policy read = PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
    try (Connection connection = Databases.readOnly(read.database().orElseThrow())) {
      MetricsFile.write(
          MetricsFile.beside(policy),
          read,
          new Collector(read, RequiredFrequencies.of(read), Progress.NONE, Clock.systemUTC())
              .collect(connection),
          Map.of());
    }
  }

  private static void require(boolean begun) {
    if (!begun) {
      throw new AssertionError("the attack does not begin");
    }
  }

  private static boolean isAnswered(Path policy, Edition edition) {
    QueryOptions options = QueryOptions.DEFAULT.at(new BigDecimal(edition.epsilon()));
    try (FlexDp flexdp = FlexDp.open(policy)) {
      flexdp.ask(
          new QueryRequest(
              "SELECT COUNT(*) FROM " + edition.table(), options, "mallory", Set.of()));
      return true;
    } catch (Failure e) {
      return false;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
