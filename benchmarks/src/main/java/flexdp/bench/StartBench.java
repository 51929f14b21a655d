package flexdp.bench;

import flexdp.gateway.demo.RideSharing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What somebody waits for at a prompt: ./flexdp from its start to its end, on the demo's DuckDB
 * file, in turns. Every answer is paid for anew. Writes a dated file into the folder given.
 */
public final class StartBench {
  private static final int ROUNDS = 15;
  private static final double ASKED = 1_300;

  private StartBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "start");
    try {
      measure(work).write(folder);
    } finally {
      try (var files = Files.walk(work)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static Results measure(Path work) throws Exception {
    Path database = work.resolve("rides.duckdb");
    RideSharing.usual().create(database);
    Path policy = work.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
    Map<String, List<String>> commands = new LinkedHashMap<>();
    String groups = "SELECT status, COUNT(*) FROM trips GROUP BY status";
    commands.put("ask", words(policy, "ask", "--fresh", "--epsilon", "0.001", groups));
    commands.put("explain", words(policy, "explain", groups));
    commands.put("analyze", words(policy, "analyze", "SELECT COUNT(*) FROM trips"));
    Results results = new Results("start", "Commands from their start to their end");
    results.say(
        "Milliseconds by the clock, medians of "
            + ROUNDS
            + " rounds in turns; "
            + RideSharing.DEFAULT_TRIPS
            + " trips in a DuckDB file, the ledger on disk.");
    results.say("");
    results.table("command", "ms", "fastest", "slowest");
    Map<String, double[]> times = new LinkedHashMap<>();
    for (int i = -1; i < ROUNDS; i++) {
      for (Map.Entry<String, List<String>> command : commands.entrySet()) {
        double ms = run(command.getValue());
        if (i >= 0) {
          times.computeIfAbsent(command.getKey(), c -> new double[ROUNDS])[i] = ms;
        }
      }
    }
    times.forEach(
        (command, all) -> {
          Arrays.sort(all);
          double median = all[ROUNDS / 2];
          Aim aim = command.equals("ask") ? Aim.atMost(ASKED, median) : Aim.NONE;
          results.row(command, aim, median, all[0], all[ROUNDS - 1]);
          results.figure(command, median, median, 1.1);
        });
    results.end();
    return results;
  }

  private static List<String> words(Path policy, String command, String... more) {
    List<String> words = new ArrayList<>(List.of("./flexdp", command, "--policy"));
    words.add(policy.toString());
    words.addAll(List.of(more));
    return words;
  }

  private static double run(List<String> words) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(words.get(1) + " says " + said.lines().limit(5).toList());
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
