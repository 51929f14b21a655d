package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.Setup;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where what is asked goes, and who asks. Whoever may choose the files is an owner. */
abstract class PlaceOptions {
  @Option(names = "--policy", paramLabel = "FILE", description = "The policy.")
  Path policy;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = "The database; otherwise the one that the policy names.")
  String database;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "The metrics; otherwise NAME.metrics.json beside the policy.")
  Path metrics;

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description = "The ledger; otherwise NAME.ledger beside the policy.")
  Optional<String> ledger = Optional.empty();

  @Option(names = "--analyst", paramLabel = "NAME", description = "Who asks, for the ledger.")
  String analyst = System.getProperty("user.name", "analyst");

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long the database may take (default: ${DEFAULT-VALUE}).")
  int timeout = 300;

  final void requirePolicy() {
    if (policy == null) {
      throw ConfigurationError.of(Code.BAD_USAGE, "Missing required option: '--policy=FILE'");
    }
  }

  final Setup setup() {
    requirePolicy();
    if (timeout < 1) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--timeout: at least one second");
    }
    return new Setup(
        policy,
        Optional.ofNullable(database),
        Optional.ofNullable(metrics),
        ledger,
        Duration.ofSeconds(timeout),
        Clock.systemUTC(),
        analyst);
  }
}
