package flexdp.server.catalogue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A worker as the server sees it. The operating system limits its memory where it can; its
 * environment is empty, and its folder its own.
 */
final class WorkerProcess implements AutoCloseable {
  /** All that it may map, in kilobytes: what it needs is about two thirds of it. */
  private static final String MOST_KILOBYTES = "1500000";

  /** Twice what a worker lets itself find, since numbers and lengths stand beside the values. */
  private static final long MOST_ANSWER = 2 * OpenCatalogue.MOST_BYTES;

  private static final Path SHELL = Path.of("/bin/sh");

  /** If memory runs out, it goes first. */
  private static final String LIMITS =
      "ulimit -c 0; ulimit -v \"$0\"; echo 1000 > /proc/self/oom_score_adj; exec \"$@\"";

  private final Process process;
  private final Path folder;
  private final DataOutputStream to;
  private final DataInputStream from;

  /** Whose database it has open. */
  private Optional<String> user = Optional.empty();

  private WorkerProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
    this.to = new DataOutputStream(process.getOutputStream());
    this.from = new DataInputStream(process.getInputStream());
  }

  /**
   * Starts one, which is not ready yet.
   *
   * @param folder an empty one for it alone
   */
  static WorkerProcess start(Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SHELL)) {
      command.addAll(List.of(SHELL.toString(), "-c", LIMITS, MOST_KILOBYTES));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-Xss1m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ReservedCodeCacheSize=32m",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:CompressedClassSpaceSize=32m",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+SuppressFatalErrorMessage",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-Xlog:disable",
            "-Xlog:all=off",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder));
    command.addAll(recorded());
    command.addAll(List.of("-cp", classPath(), Worker.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("MALLOC_ARENA_MAX", "2");
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return new WorkerProcess(builder.start(), folder);
  }

  /** Classes that were recorded for this process start the other faster. */
  private static List<String> recorded() {
    String[] own = ProcessHandle.current().info().arguments().orElse(new String[0]);
    return Stream.of(own)
        .filter(a -> a.startsWith("-XX:SharedArchiveFile=") || a.startsWith("-XX:AOTCache="))
        .toList();
  }

  /** Parts of it may be named from the folder in which this process was started. */
  private static String classPath() {
    Stream<String> parts =
        WorkerProcess.class.getClassLoader() instanceof URLClassLoader loader
            ? Stream.of(loader.getURLs()).map(URL::getPath)
            : Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
    return parts
        .map(part -> Path.of(part).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Waits until it can be asked. */
  void awaitReady() throws IOException {
    read();
  }

  /** Asks and waits for the answer. */
  byte[] ask(byte[] request) throws IOException {
    say(Worker.STATEMENT, request);
    return read();
  }

  private byte[] read() throws IOException {
    int length = from.readInt();
    if (length < 0 || length > MOST_ANSWER) {
      throw new IOException("an answer of " + length + " bytes");
    }
    byte[] answer = from.readNBytes(length);
    if (answer.length < length) {
      throw new IOException("half an answer");
    }
    return answer;
  }

  /** Interrupts what it does, if it listens. */
  void cancel() {
    try {
      say(Worker.CANCEL, new byte[0]);
    } catch (IOException e) {
      return; // it has ended
    }
  }

  private void say(int kind, byte[] bytes) throws IOException {
    synchronized (to) {
      to.writeByte(kind);
      if (kind == Worker.STATEMENT) {
        to.writeInt(bytes.length);
        to.write(bytes);
      }
      to.flush();
    }
  }

  Optional<String> user() {
    return user;
  }

  void use(String other) {
    user = Optional.of(other);
  }

  /** How long processors have worked for it; nothing where the system does not say. */
  Optional<Duration> busy() {
    return process.info().totalCpuDuration();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it at once; whoever waits for its answer is told. */
  void kill() {
    process.destroyForcibly();
  }

  /** Ends it and removes what it leaves behind. */
  @Override
  public void close() {
    kill();
    try {
      process.waitFor(5, TimeUnit.SECONDS);
      try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
        for (Path file : left) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(folder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      return; // a temporary folder stays
    }
  }
}
