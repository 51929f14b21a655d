package flexdp.gateway;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.pause.Breaker;
import flexdp.policy.InputDialect;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the questions about a policy's tables go, when it is not what stands in the policy and
 * beside it. Whoever may choose these is an owner.
 *
 * <pre>{@code
 * try (FlexDp flexdp = Setup.of(policy).timeout(Duration.ofSeconds(20)).open()) {
 *   …
 * }
 * }</pre>
 *
 * @param database instead of the one that the policy names
 * @param metrics instead of NAME.metrics.json beside the policy
 * @param ledger instead of NAME.ledger beside the policy: a file, or a URL of PostgreSQL
 * @param timeout how long the database may take for one question
 * @param clock what CURRENT_DATE and now() mean in questions
 * @param analyst who asks, when a question does not say it
 * @param sqlDialect whose SQL questions are written in, instead of what the policy says
 * @param patience how long questions wait for a database or a ledger whose server is away
 */
public record Setup(
    Path policy,
    Optional<String> database,
    Optional<Path> metrics,
    Optional<String> ledger,
    Duration timeout,
    Clock clock,
    String analyst,
    Optional<InputDialect> sqlDialect,
    Duration patience) {
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(300);

  public Setup {
    Objects.requireNonNull(policy);
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
      throw ConfigurationError.of(Code.BAD_USAGE, "timeout: at least one second");
    }
  }

  /** In the dialect that the policy or the database has. */
  public Setup(
      Path policy,
      Optional<String> database,
      Optional<Path> metrics,
      Optional<String> ledger,
      Duration timeout,
      Clock clock,
      String analyst) {
    this(
        policy,
        database,
        metrics,
        ledger,
        timeout,
        clock,
        analyst,
        Optional.empty(),
        Breaker.PATIENCE);
  }

  /** Everything as the policy says and in its usual place. */
  public static Setup of(Path policy) {
    return new Setup(
        policy,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        DEFAULT_TIMEOUT,
        Clock.systemUTC(),
        System.getProperty("user.name", "analyst"),
        Optional.empty(),
        Breaker.PATIENCE);
  }

  public Setup database(String url) {
    return new Setup(
        policy, Optional.of(url), metrics, ledger, timeout, clock, analyst, sqlDialect, patience);
  }

  public Setup metrics(Path file) {
    return new Setup(
        policy, database, Optional.of(file), ledger, timeout, clock, analyst, sqlDialect, patience);
  }

  public Setup ledger(String place) {
    return new Setup(
        policy,
        database,
        metrics,
        Optional.of(place),
        timeout,
        clock,
        analyst,
        sqlDialect,
        patience);
  }

  public Setup timeout(Duration most) {
    return new Setup(policy, database, metrics, ledger, most, clock, analyst, sqlDialect, patience);
  }

  public Setup clock(Clock other) {
    return new Setup(
        policy, database, metrics, ledger, timeout, other, analyst, sqlDialect, patience);
  }

  public Setup analyst(String name) {
    return new Setup(policy, database, metrics, ledger, timeout, clock, name, sqlDialect, patience);
  }

  public Setup sqlDialect(InputDialect dialect) {
    return new Setup(
        policy, database, metrics, ledger, timeout, clock, analyst, Optional.of(dialect), patience);
  }

  public Setup patience(Duration most) {
    return new Setup(policy, database, metrics, ledger, timeout, clock, analyst, sqlDialect, most);
  }

  /**
   * Opens all of it.
   *
   * @throws flexdp.failure.Failure when a part of it cannot be used
   */
  public FlexDp open() {
    return FlexDp.open(this);
  }
}
