package flexdp.gateway.ledger;

import flexdp.gateway.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link LedgerLoad} seen from outside: counts the answers that it gives. */
final class LoadProcess {
  private final Process process;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CompletableFuture<Void> reader;
  private volatile boolean done;
  private BigDecimal answered = BigDecimal.ZERO;
  private final AtomicInteger answers = new AtomicInteger();

  LoadProcess(String place, Path anchor, String budget, int threads, long seed) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                Await.paceOption(),
                "--enable-native-access=ALL-UNNAMED",
                // A process that is killed leaves its libraries there.
                "-Djava.io.tmpdir=" + anchor.toAbsolutePath().getParent(),
                "-cp",
                System.getProperty("java.class.path"),
                LedgerLoad.class.getName(),
                place,
                anchor.toString(),
                budget,
                Integer.toString(threads),
                Long.toString(seed)));
    process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    reader = CompletableFuture.runAsync(this::count, Thread::startVirtualThread);
  }

  private void count() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        switch (line) {
          case "started" -> started.countDown();
          case "ready" -> ready.countDown();
          case "done" -> done = true;
          default -> {
            // A line cut off by the kill still begins with digits: it counts for no more.
            answered = answered.add(new BigDecimal(line));
            answers.incrementAndGet();
          }
        }
      }
    } catch (IOException e) {
      // The pipe broke with the process.
    }
  }

  /** Until it is about to open the ledger. */
  void awaitStarted() {
    Await.until(() -> started.getCount() == 0 || !process.isAlive(), "a gateway has started");
  }

  /** Whether it opened the ledger. */
  boolean awaitReady() {
    Await.until(() -> ready.getCount() == 0 || !process.isAlive(), "a gateway is ready");
    return ready.getCount() == 0;
  }

  /** Lets the load begin. */
  void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Until so many answers reached the client, however slow the machine is. */
  void awaitAnswers(int many) {
    Await.until(() -> answers.get() >= many || !process.isAlive(), many + " answers came");
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  /** Waits for the end and for the last line. */
  void await() throws Exception {
    process.waitFor();
    reader.join();
  }

  /** Whether it ended by itself. */
  boolean isDone() {
    return done;
  }

  BigDecimal answered() {
    return answered;
  }

  int answers() {
    return answers.get();
  }
}
