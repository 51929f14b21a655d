package flexdp.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The questions of TPC-H that cwida/privacy, an extension of DuckDB, publishes times of, customers
 * being protected with all that they ordered: how many times as long as the plain query each takes,
 * here in turns in one run, there as published. Takes the folder for results and the scale of
 * TPC-H.
 */
public final class PeersBench {
  private static final Path QUERIES = Path.of("core/src/test/resources/tpch");
  private static final int ROUNDS = Integer.getInteger("flexdp.bench.rounds", 7);
  private static final int WARM_UP = 2;

  /**
   * One of the questions.
   *
   * @param bounded their ratio at scale 30 with sums bounded by the analyst
   * @param elastic the same with elastic sensitivity
   */
  private record Published(String name, double bounded, double elastic) {
    String sql() throws IOException {
      return Files.readString(QUERIES.resolve(name + ".sql")).strip().replaceFirst(";$", "");
    }

    Aim aim(double ratio) {
      double least = Math.min(bounded, elastic);
      return new Aim(String.format(Locale.ROOT, "< %.1f", least), ratio < least);
    }
  }

  private static final List<Published> ALL =
      List.of(
          new Published("q01", 11.2, 8.1),
          new Published("q05", 1.8, 3.0),
          new Published("q06", 2.8, 5.3),
          new Published("q14", 3.1, 3.6),
          new Published("q19", 1.9, 2.9));

  private PeersBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 0.1;
    Results results =
        new Results("peers-" + scale, "Beside cwida/privacy: people on TPC-H, scale " + scale);
    results.say(
        "DuckDB. Milliseconds by the clock, medians of "
            + ROUNDS
            + " rounds in turns with the plain query, with the charge on disk. Bounded and elastic"
            + " are what cwida/privacy publishes for its two ways at scale 30.");
    results.say("");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "peers");
    try (TpchHome home = TpchHome.duckDb(work, scale)) {
      Path policy = work.resolve("customers.yaml");
      AskedPolicy.write(OwnedWorld.CUSTOMERS.yaml(), policy);
      try (Asking asking = new Asking(home.url(), policy)) {
        race(asking, results);
      }
    } finally {
      try (Stream<Path> files = Files.list(work)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(work);
    }
    results.write(folder);
  }

  private static void race(Asking asking, Results results) throws Exception {
    results.table("question", "plain", "ask", "×", "bounded ×", "elastic ×");
    for (Published question : ALL) {
      String sql = question.sql();
      double[] without = new double[ROUNDS];
      double[] with = new double[ROUNDS];
      for (int i = -WARM_UP; i < ROUNDS; i++) {
        long start = System.nanoTime();
        asking.plainly(sql);
        long middle = System.nanoTime();
        asking.ask(sql);
        long end = System.nanoTime();
        if (i >= 0) {
          without[i] = (middle - start) / 1e6;
          with[i] = (end - middle) / 1e6;
        }
      }
      double plain = Cells.median(without);
      double asked = Cells.median(with);
      results.row(
          question.name().toUpperCase(Locale.ROOT),
          question.aim(asked / plain),
          plain,
          asked,
          asked / plain,
          question.bounded(),
          question.elastic());
    }
    results.end();
  }
}
