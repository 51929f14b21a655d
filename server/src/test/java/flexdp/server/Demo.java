package flexdp.server;

import flexdp.budget.Allowances;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.MetricsPublication;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MetricRelease;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.server.connection.Tls;
import flexdp.server.login.SecretVerifier;
import flexdp.server.login.Secrets;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;

/** A server on a small demo database, with two analysts and an owner. */
final class Demo implements AutoCloseable {
  static final String PASSWORD = "correct-horse";

  final Path policy;
  final Path users;
  private final Service service;

  private Demo(Path policy, Path users, Service service) {
    this.policy = policy;
    this.users = users;
    this.service = service;
  }

  static Demo start(Path folder) throws Exception {
    return start(folder, Optional.of(Tls.selfSigned()), "10000");
  }

  static Demo start(Path folder, Optional<Tls> tls, String budget) throws Exception {
    return start(folder, tls, budget, ignored -> {});
  }

  /** Its server says to the owner what it does. */
  static Demo start(Path folder, Optional<Tls> tls, String budget, Consumer<String> say)
      throws Exception {
    return serve(rides(folder, budget), tls, say);
  }

  /** The demo with the number of trips released, as about 2,000. */
  static Demo releasing(Path folder) throws Exception {
    Path file = rides(folder, "10000");
    Policy policy = policy(file);
    CollectedMetrics collected = measured(file);
    try (Ledger ledger = LedgerPlace.of(file, Optional.empty()).open(Allowances.of(policy), false);
        Connection connection = Databases.readOnly(policy.database().orElseThrow())) {
      TableIdentities tables = TableIdentities.of(policy, Connectors.of(connection), connection);
      MetricsPublication.secure(policy, ledger, tables)
          .publish(
              collected,
              List.of(MetricRelease.Metric.rows("trips")),
              new PrivacyParameters(BigDecimal.ONE, new BigDecimal("1e-9")),
              "owner",
              released -> MetricsFile.write(MetricsFile.beside(file), policy, collected, released));
    }
    return serve(file, Optional.of(Tls.selfSigned()), ignored -> {});
  }

  private static Demo serve(Path policy, Optional<Tls> tls, Consumer<String> say) throws Exception {
    Path users = ServiceOptions.usersBeside(policy);
    new Users(
            List.of(
                user("ann", User.Right.ANALYST, Set.of()),
                user("ben", User.Right.ANALYST, Set.of()),
                user("eve", User.Right.ANALYST, Set.of("other")),
                user("owner", User.Right.OWNER, Set.of())))
        .write(users);
    ServiceOptions options =
        new ServiceOptions(
            List.of(policy),
            users,
            Optional.empty(),
            "127.0.0.1",
            0,
            tls,
            Duration.ofMinutes(10),
            new ServiceOptions.Web(Optional.of(0), false, Map.of()));
    return new Demo(policy, users, Service.start(options, say));
  }

  /** The small demo database with its policy, measured. */
  static Path rides(Path folder, String budget) throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(2_000, 7).create(file);
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(
        policy,
        RideSharing.policy("jdbc:duckdb:" + file)
            .replace("budget: {epsilon: 10,", "budget: {epsilon: " + budget + ","));
    measure(policy);
    return policy;
  }

  static void measure(Path file) throws Exception {
    MetricsFile.write(MetricsFile.beside(file), policy(file), measured(file), Map.of());
  }

  private static Policy policy(Path file) {
    return PolicyReader.read(
        TextFiles.tree(file, flexdp.failure.ConfigurationError.Code.BAD_POLICY));
  }

  private static CollectedMetrics measured(Path file) throws SQLException {
    Policy policy = policy(file);
    try (Connection connection = Databases.readOnly(policy.database().orElseThrow())) {
      return new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
          .collect(connection);
    }
  }

  static User user(String name, User.Right right, Set<String> databases) {
    byte[] salt = Secrets.random(Secrets.SALT);
    Map<String, SecretVerifier> secrets = Map.of(User.PASSWORD, SecretVerifier.of(PASSWORD, salt));
    return new User(name, right, salt, secrets, databases);
  }

  int port() {
    return service.port();
  }

  /** A browser of nobody's. */
  WebClient web() {
    return new WebClient(service.page().orElseThrow());
  }

  Service service() {
    return service;
  }

  /** A connection by pgjdbc. */
  Connection connect(String user, String... settings) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", PASSWORD);
    for (int i = 0; i < settings.length; i += 2) {
      properties.setProperty(settings[i], settings[i + 1]);
    }
    String database = properties.getProperty("database", "rides");
    properties.remove("database");
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port() + "/" + database, properties);
  }

  @Override
  public void close() {
    service.close();
  }
}
