package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.Setup;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Interactive questions. */
@Command(
    name = "shell",
    description = "A prompt for questions, with history and completion.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp shell --policy rides.yaml",
      "  FLEXDP_TOKEN=... flexdp shell --server http://127.0.0.1:8433 --database rides"
    })
final class ShellCommand implements Callable<Integer> {
  @Option(names = "--policy", paramLabel = "FILE", description = "The policy.")
  Path policy;

  @Mixin ServerOptions server;

  @Option(
      names = "--database",
      paramLabel = "URL|NAME",
      description = "Another database than the policy's; the name of one on a server.")
  Optional<String> database = Optional.empty();

  @Option(names = "--metrics", paramLabel = "FILE", description = "The metrics.")
  Optional<Path> metrics = Optional.empty();

  @Option(names = "--ledger", paramLabel = "FILE|URL", description = "The ledger.")
  Optional<String> ledger = Optional.empty();

  @Option(names = "--analyst", paramLabel = "NAME", description = "Who asks, for the ledger.")
  String analyst = System.getProperty("user.name", "analyst");

  @Option(names = "--epsilon", description = "As \\set epsilon.")
  Optional<String> epsilon = Optional.empty();

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "Where what was typed is kept (default: ~/.flexdp_history).")
  Path history = Path.of(System.getProperty("user.home", "."), ".flexdp_history");

  @Option(names = "--no-history", description = "Keep nothing of what is typed.")
  boolean forgetful;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long the database may take (default: ${DEFAULT-VALUE}).")
  int timeout = 300;

  @Override
  public Integer call() throws IOException {
    try (ShellSource source = source();
        Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
      Shell shell = new Shell(source, terminal, kept());
      epsilon.ifPresent(e -> shell.settings().set(ShellSettings.EPSILON, epsilon));
      shell.run();
      return 0;
    }
  }

  private ShellSource source() {
    if ((policy == null) != server.isGiven()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "shell needs a policy or a server",
          "Give --policy FILE or --server URL.");
    }
    if (server.isGiven()) {
      return ShellHttp.open(server.open(), database);
    }
    if (timeout < 1) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--timeout: at least one second");
    }
    return new ShellLocal(
        new Setup(
                policy,
                database,
                metrics,
                ledger,
                Duration.ofSeconds(timeout),
                Clock.systemUTC(),
                analyst)
            .open(),
        analyst);
  }

  /** Questions may speak of people: the file is its owner's alone. */
  private Optional<Path> kept() {
    if (forgetful) {
      return Optional.empty();
    }
    try {
      Files.createFile(
          history,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      return Optional.of(history);
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty(); // nobody needs a history to ask
    }
    return Optional.of(history);
  }
}
