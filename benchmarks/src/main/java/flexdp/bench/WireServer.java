package flexdp.bench;

import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.connection.Tls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with the options that {@code ./flexdp serve} has. */
final class WireServer implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final PrintWriter in;
  private final int port;

  private WireServer(Process process) throws IOException {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    this.port = (int) said("port ");
  }

  /**
   * @param ledger one that several servers share; otherwise the policy's own
   */
  static WireServer start(Path policy, Optional<String> ledger) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WireServer.class.getName(),
                policy.toString()));
    ledger.ifPresent(words::add);
    return new WireServer(
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The child: a policy, and the ledger if it is not the policy's own. */
  public static void main(String[] args) throws IOException {
    Optional<String> ledger = args.length > 1 ? Optional.of(args[1]) : Optional.empty();
    Service service = Service.start(options(Path.of(args[0]), ledger), System.err::println);
    System.out.println("port " + service.port());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (commands.readLine() != null) {
      System.gc();
      System.out.println("memory " + resident());
    }
    service.close();
  }

  /** As the demo is served, on any free port. */
  static ServiceOptions options(Path policy, Optional<String> ledger) {
    return new ServiceOptions(
        List.of(policy),
        ServiceOptions.usersBeside(policy),
        ledger,
        "127.0.0.1",
        0,
        Optional.of(Tls.selfSigned()),
        Duration.ofSeconds(60));
  }

  /** What the system has given to this process, in bytes. */
  private static long resident() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("this system does not tell how much memory a process has");
  }

  private long said(String word) throws IOException {
    String line = out.readLine();
    if (line == null || !line.startsWith(word)) {
      throw new IOException("the server says " + line);
    }
    return Long.parseLong(line.substring(word.length()));
  }

  /** Megabytes that the process has, after a collection. */
  double megabytes() throws IOException {
    in.println("memory");
    return said("memory ") / 1e6;
  }

  int port() {
    return port;
  }

  /**
   * @param simple whether statements go by the simple protocol, as psql sends them
   */
  static Connection connect(int port, String user, String password, boolean simple)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("preferQueryMode", simple ? "simple" : "extended");
    return DriverManager.getConnection(
        String.format(Locale.ROOT, "jdbc:postgresql://127.0.0.1:%d/rides", port), properties);
  }

  @Override
  public void close() throws IOException {
    in.close();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the server does not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
