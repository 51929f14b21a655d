package flexdp.server;

import flexdp.gateway.pause.Pause;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/** A server in a process of its own, which can be killed. */
final class ServerProcess implements AutoCloseable {
  private final Path policy;
  private final Optional<String> ledger;
  private final List<String> around;
  private int port;
  private Process process;
  private BufferedReader out;
  private PrintWriter in;

  ServerProcess(Path policy, Optional<String> ledger) throws IOException {
    this(policy, ledger, List.of());
  }

  /**
   * @param around a command that is given the server's as its last arguments
   */
  ServerProcess(Path policy, Optional<String> ledger, List<String> around) throws IOException {
    this.policy = policy;
    this.ledger = ledger;
    this.around = List.copyOf(around);
    start();
  }

  /** The child: policy, port, and the ledger if it is not the usual one. */
  public static void main(String[] args) throws IOException {
    Path policy = Path.of(args[0]);
    ServiceOptions options =
        new ServiceOptions(
            List.of(policy),
            ServiceOptions.usersBeside(policy),
            args.length > 2 ? Optional.of(args[2]) : Optional.empty(),
            "127.0.0.1",
            Integer.parseInt(args[1]),
            Optional.empty(),
            Duration.ofMinutes(5));
    Service service = Service.start(options, System.err::println);
    System.out.println("port " + service.port());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Path ballast = policy.resolveSibling("ballast");
    for (String word = commands.readLine(); word != null; word = commands.readLine()) {
      System.out.println(word + " " + obeyed(word, ballast));
    }
    service.close();
  }

  /** What the child does when it is told to. */
  private static long obeyed(String word, Path ballast) throws IOException {
    switch (word) {
      case "memory" -> {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
      }
      case "fill" -> {
        return filled(ballast);
      }
      case "free" -> {
        return Files.deleteIfExists(ballast) ? 1 : 0;
      }
      default -> throw new IllegalArgumentException(word);
    }
  }

  /** Writes until the disk is full; how much that was. */
  private static long filled(Path ballast) throws IOException {
    long size = 0;
    try (var out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(new byte[512]);
        size += 512;
      }
    } catch (IOException e) {
      return size;
    }
  }

  /** The classes of this test, whoever loads them. */
  static String classes() {
    return ServerProcess.class.getClassLoader() instanceof URLClassLoader loader
        ? Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(":"))
        : System.getProperty("java.class.path");
  }

  private void start() throws IOException {
    List<String> words = new ArrayList<>(around);
    // A process that is killed leaves its libraries there; a small disk has no room for them.
    String scratch =
        around.isEmpty()
            ? policy.toAbsolutePath().getParent().toString()
            : System.getProperty("java.io.tmpdir");
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + scratch,
            "-D" + Pause.PROPERTY + "=" + Pause.pace(),
            "-cp",
            classes(),
            ServerProcess.class.getName(),
            policy.toString(),
            Integer.toString(port)));
    ledger.ifPresent(words::add);
    process =
        new ProcessBuilder(words)
            .redirectError(ProcessBuilder.Redirect.appendTo(policy.resolveSibling("err").toFile()))
            .start();
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    in = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    port = (int) said("port ");
  }

  private long said(String word) throws IOException {
    String line = out.readLine();
    if (line == null || !line.startsWith(word)) {
      throw new IOException(
          "the server says " + line + " " + Files.readString(policy.resolveSibling("err")));
    }
    return Long.parseLong(line.substring(word.length()));
  }

  /** Bytes in use after a collection. */
  long memory() throws IOException {
    return told("memory");
  }

  /** Fills the disk that the policy is on. */
  void fill() throws IOException {
    told("fill");
  }

  /** Makes room on it again. */
  void free() throws IOException {
    told("free");
  }

  private long told(String word) throws IOException {
    in.println(word);
    return said(word + " ");
  }

  /** The processes that it has started. */
  List<ProcessHandle> children() {
    return process.children().toList();
  }

  /** As by kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** On the same port; a database that is starting up itself is waited for. */
  void startAgain() throws IOException, InterruptedException {
    for (int i = 0; ; i++) {
      try {
        start();
        return;
      } catch (IOException e) {
        process.waitFor();
        if (i == 100) {
          throw e;
        }
        Pause.of(Duration.ofMillis(500));
      }
    }
  }

  Connection connect(String user, String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", Demo.PASSWORD);
    properties.setProperty("connectTimeout", "60");
    properties.setProperty("socketTimeout", "300");
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port + "/" + database, properties);
  }

  /** A graceful stop. */
  @Override
  public void close() throws Exception {
    in.close();
    if (!process.waitFor(5, java.util.concurrent.TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("the server does not stop");
    }
  }
}
