package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.answer.Gateway;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Opening;
import flexdp.gateway.live.LiveMetrics;
import flexdp.gateway.text.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A gateway over metrics that were collected just now, which stays open while the world moves. */
final class OpenGateway implements AutoCloseable {
  final JdbcDatabase database;
  final Ledger ledger;
  final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Gateway gateway;

  OpenGateway(String url, Policy policy, Path folder) throws SQLException, java.io.IOException {
    Path file = folder.resolve("x.metrics.json");
    collect(url, policy, file);
    OwnerLog owner = (what, cause) -> log.add(what + ": " + cause);
    try {
      database = JdbcDatabase.open(url, policy, Duration.ofSeconds(60), owner);
    } catch (flexdp.failure.DatabaseError e) {
      throw new AssertionError(log.toString(), e);
    }
    ledger = Opening.file(folder.resolve("x.ledger"), Allowances.of(policy), false);
    gateway =
        new Gateway(
            policy,
            LiveMetrics.of(
                policy,
                MetricsFile.read(file, policy),
                database.vendor(),
                database.catalog(),
                database.version()),
            "test",
            database,
            ledger,
            owner,
            Clock.systemUTC());
  }

  static void collect(String url, Policy policy, Path file)
      throws SQLException, java.io.IOException {
    try (Connection connection = Databases.readOnly(url)) {
      Collected collected =
          new Collector(policy, Wanted.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      MetricsFile.write(file, policy, collected, Map.of());
    }
  }

  static Policy policy(String yaml) {
    return PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
  }

  static void write(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  AnalystView ask(String sql) {
    return gateway.ask(new Ask(sql, AskOptions.DEFAULT, "ann", Set.of(), true));
  }

  /** The one number of an answer. */
  long number(String sql) {
    return ((Number) ask(sql).rows().getFirst().getFirst()).longValue();
  }

  /** What a question is refused with; nothing is charged for it. */
  String refused(String sql) {
    String before = spent();
    ConfigurationError error = assertThrows(ConfigurationError.class, () -> ask(sql));
    assertEquals(before, spent());
    return error.message() + " " + error.hint();
  }

  String spent() {
    return ledger.standing(new Account.Table("t")).spent().epsilon().toPlainString();
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
