package flexdp.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What each type of value costs: ordinary questions through `ask` and plainly, in turns, on every
 * database. Takes the folder for results, the scale (1 is ten million rows; SQLite and MariaDB have
 * a fifth of that), and the databases, all by default.
 */
public final class TypesBench {
  private static final int MOST_ROWS = 10_000_000;
  private static final int ROUNDS = Integer.getInteger("flexdp.bench.rounds", 5);
  private static final int WARM_UP = 2;
  private static final int FEW_ROWS = 1000;
  private static final long WARM_NANOS = 10_000_000_000L;

  private final Results results;
  private final String policy;
  private final String chosen;

  private TypesBench(Results results, String policy, String chosen) {
    this.results = results;
    this.policy = policy;
    this.chosen = chosen;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 0.1;
    List<String> databases =
        List.of((args.length > 2 ? args[2] : "duckdb,postgresql,sqlite,mariadb").split(","));
    int rows = (int) (scale * MOST_ROWS);
    Results results = new Results("types", "Asking on columns of every type, " + rows + " rows");
    results.say(
        "Milliseconds of processor time (of the server too), medians of "
            + ROUNDS
            + " rounds in turns; the last ratio is by the clock. SQLite and MariaDB: a fifth of the"
            + " rows.");
    results.say("");
    String policy;
    try (var in = TypesBench.class.getResourceAsStream("types.yaml")) {
      policy = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    TypesBench bench = new TypesBench(results, policy, System.getProperty("flexdp.bench.only", ""));
    Files.createDirectories(folder);
    bench.warm(folder);
    for (String database : databases) {
      Path work = Files.createTempDirectory(folder, "types");
      try (TypesHome home = home(database, work, rows)) {
        bench.run(home, work);
      } finally {
        delete(work);
      }
    }
    results.write(folder);
  }

  private static TypesHome home(String database, Path work, int rows) throws Exception {
    return switch (database) {
      case "duckdb" -> TypesHome.duckDb(work, rows);
      case "postgresql" -> TypesHome.postgreSql(rows);
      case "sqlite" -> TypesHome.sqlite(work, rows / 5);
      case "mariadb" -> TypesHome.mariaDb(work, rows / 5);
      default -> throw new IllegalArgumentException("no such database: " + database);
    };
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A gateway that has run for a while, as one that people use has. */
  private void warm(Path folder) throws Exception {
    Path work = Files.createTempDirectory(folder, "types");
    try (TypesHome home = TypesHome.duckDb(work, FEW_ROWS);
        Asking asking = asking(home, work)) {
      long end = System.nanoTime() + WARM_NANOS;
      while (System.nanoTime() < end) {
        for (TypeQuestions.Typed question : TypeQuestions.all()) {
          asking.ask(question.sql());
        }
      }
    } finally {
      delete(work);
    }
  }

  private Asking asking(TypesHome home, Path work) throws Exception {
    AskedPolicy asked = AskedPolicy.write(policy, work.resolve("types.yaml"));
    asked.collect(home.url(), "t.k, t.name");
    return new Asking(home.url(), asked.file());
  }

  private void run(TypesHome home, Path work) throws Exception {
    results.section(home.name());
    results.table("question", "plain", "ask", "ratio", "by the clock");
    try (Asking asking = asking(home, work)) {
      for (TypeQuestions.Typed question : TypeQuestions.all()) {
        if (question.name().contains(chosen)) {
          compare(home, asking, question);
        }
      }
    }
    results.end();
  }

  private void compare(TypesHome home, Asking asking, TypeQuestions.Typed question)
      throws Exception {
    Spent plain = new Spent(home);
    Spent asked = new Spent(home);
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      plain.round(i, () -> asking.plainly(home.data().plainly(question.sql())));
      asked.round(i, () -> asking.ask(question.sql()));
    }
    double one = median(plain.processor);
    double two = median(asked.processor);
    double clock = median(asked.clock);
    results.row(
        question.name(),
        Aim.times(question.aim(), one, two).or(3, one, two),
        one,
        two,
        two / one,
        clock / median(plain.clock));
    results.figure(question.name(), two, clock, question.limit());
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Milliseconds of every round but those for warming up. */
  private static final class Spent {
    private final TypesHome home;
    private final double[] processor = new double[ROUNDS];
    private final double[] clock = new double[ROUNDS];

    Spent(TypesHome home) {
      this.home = home;
    }

    void round(int round, Work work) throws Exception {
      long start = System.nanoTime();
      long before = ProcessorTime.nanos(home.server());
      work.run();
      long after = ProcessorTime.nanos(home.server());
      if (round >= 0) {
        processor[round] = (after - before) / 1e6;
        clock[round] = (System.nanoTime() - start) / 1e6;
      }
    }
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
