package flexdp.bench;

import flexdp.bench.PeopleQuestions.Asked;
import flexdp.bench.PeopleQuestions.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What protecting a person with everything she owns costs in time: `ask`, from text to noisy answer
 * with its charge on disk, against the same text sent to the same DuckDB, in turns, in one run.
 * Takes the folder for results, the scale of TPC-H, and a database file that is kept: made if it is
 * not there.
 */
public final class PeopleBench {
  private static final int ROUNDS = Integer.getInteger("flexdp.bench.rounds", 7);
  private static final int WARM_UP = 2;
  private static final long WARM_NANOS = 15_000_000_000L;
  private static final List<String> ONLY =
      List.of(System.getProperty("flexdp.bench.only", "").split(","));
  private static final double MEDIAN = 2.5;
  private static final double GRAPH_SECONDS = 5;
  private static final Path GRAPH =
      Path.of("experiments/src/main/resources/flexdp/experiments/triangles/ca-HepTh.csv.gz");

  private final Results results;
  private final Path work;
  private final Map<OwnedWorld, Asking> open = new LinkedHashMap<>();

  private PeopleBench(Results results, Path work) {
    this.results = results;
    this.work = work;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 0.1;
    Results results =
        new Results(
            "people-" + scale, "People: asking against the plain query, TPC-H scale " + scale);
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "people");
    try {
      if (args.length > 2) {
        Path kept = Path.of(args[2]);
        if (!Files.exists(kept)) {
          Files.move(Path.of(TpchHome.duckDb(work, scale).url().substring(12)), kept);
        }
        new PeopleBench(results, work).run("jdbc:duckdb:" + kept);
      } else {
        try (TpchHome home = TpchHome.duckDb(work, scale)) {
          new PeopleBench(results, work).run(home.url());
        }
      }
    } finally {
      try (var files = Files.list(work)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(work);
    }
    results.write(folder);
  }

  private void run(String url) throws Exception {
    results.say(
        "DuckDB. Milliseconds by the clock, medians of "
            + ROUNDS
            + " rounds in turns, after a warm-up.");
    results.say("");
    try {
      // DuckDB opens a file for one way of using it at a time.
      measure(OwnedWorld.SUPPLIERS, url);
      for (Group group : PeopleQuestions.ALL) {
        for (Asked question : chosen(group)) {
          measure(question.world(), url);
        }
      }
      warm(asking(OwnedWorld.SUPPLIERS, url));
      for (Group group : PeopleQuestions.ALL) {
        run(group, url);
      }
    } finally {
      for (Asking asking : open.values()) {
        asking.close();
      }
    }
    graph();
  }

  /** A gateway that has run for a while, as one that people use has. */
  private static void warm(Asking asking) {
    long end = System.nanoTime() + WARM_NANOS;
    while (System.nanoTime() < end) {
      asking.ask("SELECT COUNT(*) FROM supplier JOIN nation ON s_nationkey = n_nationkey");
      asking.ask("SELECT SUM(ps_availqty) FROM partsupp WHERE ps_supplycost < 10");
    }
  }

  private void run(Group group, String url) throws Exception {
    List<Asked> chosen = chosen(group);
    if (chosen.isEmpty()) {
      return;
    }
    results.section(group.title());
    results.table("question", "plain", "ask", "ratio");
    List<Double> ratios = new ArrayList<>();
    for (Asked question : chosen) {
      double[] medians = medians(asking(question.world(), url), question.sql());
      ratios.add(medians[1] / medians[0]);
      results.row(
          question.name(),
          Aim.times(group.times(), medians[0], medians[1]),
          medians[0],
          medians[1],
          ratios.getLast());
      results.figure(question.name(), medians[1], medians[1], 1.2);
    }
    if (group.equals(PeopleQuestions.OWNED) && chosen.size() == group.questions().size()) {
      double shapes = median(ratios.subList(0, PeopleQuestions.SHAPES));
      double all = median(ratios);
      results.row("median, Q3 to Q10", Aim.atMost(MEDIAN, shapes), "", "", shapes);
      results.row("median of all", Aim.atMost(MEDIAN, all), "", "", all);
    }
    results.end();
  }

  private static boolean isChosen(String name) {
    return ONLY.stream().anyMatch(name::contains);
  }

  private static List<Asked> chosen(Group group) {
    return group.questions().stream()
        .filter(q -> isChosen(group.title()) || isChosen(q.name()))
        .toList();
  }

  private void measure(OwnedWorld world, String url) throws Exception {
    Path file = work.resolve(world.name() + ".yaml");
    if (!Files.exists(file)) {
      AskedPolicy policy = AskedPolicy.write(world.yaml(), file);
      if (world.isCut()) {
        policy.collect(url, OwnedWorld.CUT_KEYS);
      }
    }
  }

  private Asking asking(OwnedWorld world, String url) throws Exception {
    if (!open.containsKey(world)) {
      open.put(world, new Asking(url, work.resolve(world.name() + ".yaml")));
    }
    return open.get(world);
  }

  private static double[] medians(Asking asking, String sql) throws Exception {
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
    return new double[] {median(without), median(with)};
  }

  /** An author with every row that names her; all in, and no less on the first question. */
  private void graph() throws Exception {
    if (!isChosen("ca-HepTh")) {
      return;
    }
    CoAuthors authors = CoAuthors.load(GRAPH, work);
    results.section("ca-HepTh, an author with every row that names her");
    results.table("question", "plain", "ask", "seconds");
    try (Asking asking = new Asking(authors.url(), authors.policy().file())) {
      for (Map.Entry<String, String> question : CoAuthors.QUESTIONS.entrySet()) {
        double[] medians = medians(asking, question.getValue());
        results.row(
            question.getKey(),
            Aim.atMost(GRAPH_SECONDS, medians[1] / 1000),
            medians[0],
            medians[1],
            medians[1] / 1000);
      }
    }
    results.end();
  }

  private static double median(List<Double> values) {
    return median(values.stream().mapToDouble(v -> v).toArray());
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
