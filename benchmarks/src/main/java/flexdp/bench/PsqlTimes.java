package flexdp.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How long the psql of this machine takes to describe a table, over a connection that is kept. */
final class PsqlTimes {
  private static final int FEW = 5;
  private static final int MANY = 45;
  private static final int ROUNDS = 9;
  private static final String COMMAND = "\\d trips\n";

  private PsqlTimes() {}

  /** Where psql connects to. */
  record Target(int port, String user, String password) {}

  /** Milliseconds for one description by each of both, asked in turns: medians. */
  static double[] of(Target one, Target other) throws IOException, InterruptedException {
    double[][] times = new double[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      times[0][round] = described(one);
      times[1][round] = described(other);
    }
    return new double[] {
      WireCrowd.quantile(times[0], 0.5), WireCrowd.quantile(times[1], 0.5),
    };
  }

  /** What many take more than few is without the start and the login. */
  private static double described(Target target) throws IOException, InterruptedException {
    return (run(target, MANY) - run(target, FEW)) / (MANY - FEW);
  }

  private static double run(Target target, int times) throws IOException, InterruptedException {
    List<String> words =
        Arrays.asList(
            "psql",
            "-X",
            "-h",
            "127.0.0.1",
            "-p",
            Integer.toString(target.port()),
            "-U",
            target.user(),
            "rides");
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().putAll(Map.of("PGPASSWORD", target.password(), "LC_ALL", "C.UTF-8"));
    long start = System.nanoTime();
    Process process = builder.start();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
                    in.write(COMMAND.repeat(times));
                  } catch (IOException e) {
                    return; // psql has ended, and says why
                  }
                });
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    writer.join();
    if (process.waitFor() != 0 || said.split("trips_pkey", -1).length != times + 1) {
      throw new IOException("psql says " + said.lines().limit(5).toList());
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
