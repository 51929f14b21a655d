package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.metrics.Metrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MetricRelease.Kind;
import flexdp.plan.MetricRelease.Metric;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics released for a kind of people: whom they cost, and for which rows they hold. */
class ReleasedPeopleTest {
  private static final String TEXT =
      """
      privacy: {budget: {epsilon: 10, delta: 1e-3}}
      people: {user: {key: users.id}}
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
        orders:
          owners: {user: user_id}
          rowsPerPerson: 2
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer}
            shop: {type: integer}
        other:
          unit: row
          columns:
            shop: {type: integer}
      """;

  private static final Metric SHOP = new Metric("orders", Kind.MAX_FREQUENCY, Set.of("shop"));
  private static final Metric OTHER = new Metric("other", Kind.MAX_FREQUENCY, Set.of("shop"));

  @TempDir Path folder;

  private static Policy policy(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private static CollectedMetrics collected(Policy policy) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE users(id INTEGER PRIMARY KEY)");
      statement.execute(
          "CREATE TABLE orders AS SELECT range::INTEGER AS id, (range % 10)::INTEGER AS user_id,"
              + " 7::INTEGER AS shop FROM range(100)");
      statement.execute("CREATE TABLE other AS SELECT 7::INTEGER AS shop FROM range(30)");
      return new Collector(
              policy,
              RequiredFrequencies.of(policy)
                  .and(ColumnNames.parse("orders.shop, other.shop", policy)),
              Progress.NONE,
              Clock.systemUTC())
          .collect(connection);
    }
  }

  private static BigDecimal spent(Ledger ledger, Account account) {
    return ledger.standing(account).spent().epsilon();
  }

  @Test
  void theKindPaysAndTheFileSaysWhichRowsWereMeasured() throws Exception {
    Policy policy = policy(TEXT);
    CollectedMetrics collected = collected(policy);
    assertEquals(
        Optional.of(BigInteger.valueOf(20)),
        collected.metrics().table("orders").frequencies().get(Set.of("shop")).max());
    assertTrue(
        MetricsPublication.usual(policy, collected.metrics()).containsAll(List.of(SHOP, OTHER)));
    PrivacyParameters privacy = new PrivacyParameters(BigDecimal.ONE, new BigDecimal("1e-6"));
    Path file = folder.resolve("p.metrics.json");
    try (Ledger ledger =
        LedgerPlace.of(folder.resolve("p.yaml"), Optional.empty())
            .open(Allowances.of(policy), false)) {
      Map<String, ReleasedTable> released =
          MetricsPublication.secure(policy, ledger)
              .publish(
                  collected,
                  List.of(SHOP, OTHER),
                  privacy,
                  "owner",
                  r -> MetricsFile.write(file, policy, collected, r));
      assertEquals(Set.of("orders", "other"), released.keySet());
      assertEquals(0, BigDecimal.ONE.compareTo(spent(ledger, new Account.People("user"))));
      assertEquals(0, BigDecimal.ONE.compareTo(spent(ledger, new Account.Table("other"))));
      assertEquals(0, spent(ledger, new Account.Table("orders")).signum());
      Metric users = new Metric("users", Kind.ROWS, Set.of());
      ConfigurationError refused =
          assertThrows(
              ConfigurationError.class,
              () ->
                  MetricsPublication.secure(policy, ledger)
                      .publish(collected, List.of(users), privacy, "owner", r -> {}));
      assertTrue(refused.getMessage().contains("any number of rows"), refused.getMessage());
    }
    Metrics read = MetricsFile.read(file, policy).metrics();
    assertEquals(
        Optional.of(BigInteger.TWO),
        read.released("orders").orElseThrow().values().rowsPerPerson());
    for (String changed :
        List.of(
            TEXT.replace("rowsPerPerson: 2", "rowsPerPerson: 3"),
            TEXT.replace("rowsPerPerson: 2", "rowsPerPerson: 2\n    unowned: keep"),
            TEXT.replace("{key: users.id}", "{key: users.id, nobody: [4]}"))) {
      Metrics other = MetricsFile.read(file, policy(changed)).metrics();
      assertTrue(other.released("orders").isEmpty(), changed);
      assertTrue(other.released("other").isPresent(), changed);
    }
  }
}
