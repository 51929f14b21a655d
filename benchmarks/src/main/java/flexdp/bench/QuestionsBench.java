package flexdp.bench;

import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How useful answers are: questions as analysts ask them, about data whose people are protected.
 * Each is explained, then asked several times, with its charge on disk, in turns with the same text
 * sent to the same database. Takes the folder for results, the scale of the data and where they
 * are. A question is useful if half of its cells are within 5 % of the truth, half of its intervals
 * reach no further than 25 %, and asking takes at most ten times as long as the plain query, or a
 * second.
 */
public final class QuestionsBench {
  private static final int DRAWS = Integer.getInteger("flexdp.bench.rounds", 5);
  private static final List<String> ONLY =
      List.of(System.getProperty("flexdp.bench.only", "").split(","));

  /** Whether the owner has released profiles of people, for what one question costs. */
  private static final boolean PROFILES =
      !System.getProperty("flexdp.bench.profiles", "true").equals("false");

  private static final String SERVER = System.getProperty("flexdp.bench.postgresql", "");

  /** What a question may spend. */
  private enum Budget {
    ONE("ε = 1", "1", "basic"),
    /** ρ = 0.0261 = ε²/2: a fiftieth of what (10, 10⁻⁶) holds, half of its δ being the filter's. */
    SHARE("zCDP, one of 50 questions from (10, 10⁻⁶)", "0.228", "zcdp");

    private final String title;
    private final BigDecimal epsilon;
    private final String composition;

    Budget(String title, String epsilon, String composition) {
      this.title = title;
      this.epsilon = new BigDecimal(epsilon);
      this.composition = composition;
    }

    QueryRequest ask(String sql) {
      QueryOptions options =
          new QueryOptions(
              MechanismChoice.AUTO, Optional.of(epsilon), Optional.empty(), Optional.empty());
      return new QueryRequest(sql, options, "bench", Set.of()).withIntervals(true);
    }
  }

  private final Results results;
  private final Path work;
  private final double scale;
  private final Map<String, List<Scored>> all = new LinkedHashMap<>();
  private final Map<String, List<String>> refusals = new TreeMap<>();

  private QuestionsBench(Results results, Path work, double scale) {
    this.results = results;
    this.work = work;
    this.scale = scale;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
    List<String> databases = List.of((args.length > 2 ? args[2] : "postgresql").split(","));
    Results results = new Results("useful", "How useful answers about people are");
    results.say(
        "Scale "
            + scale
            + "; "
            + DRAWS
            + " draws of each question, in turns with the plain query. Error and half width: medians"
            + " over cells and draws, of the truth. Covered: intervals that hold the truth. The truth of events is that of the rows that name a user, as answers say; \"of all rows too\" takes the others in. Told: an"
            + " error of every number was told before paying, or about which, as far as what is"
            + " released tells; foretold: about which half width; warned: that it will be noise."
            + (PROFILES ? " Profiles of people were released, for what one question costs." : ""));
    results.say("");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder.toAbsolutePath(), "questions");
    try {
      QuestionsBench bench = new QuestionsBench(results, work, scale);
      if (databases.contains("postgresql")) {
        bench.postgreSql();
      }
      if (databases.contains("duckdb")) {
        bench.duckDb();
      }
      bench.summary();
    } finally {
      remove(work);
    }
    results.write(folder);
  }

  private static void remove(Path work) throws IOException {
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void duckDb() throws Exception {
    for (QuestionSet set : chosen()) {
      String url = "jdbc:duckdb:" + work.resolve(set.name() + ".duckdb");
      try (Connection connection = DriverManager.getConnection(url)) {
        set.create(connection, work, scale);
        connection.createStatement().execute(QuestionsDocument.TO_CHAR);
      }
      run("DuckDB", set, url);
    }
  }

  private void postgreSql() throws Exception {
    if (!SERVER.isEmpty()) {
      postgreSql(SERVER);
      return;
    }
    try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
      postgreSql(server.getJdbcUrl("postgres", "postgres"));
    }
  }

  private void postgreSql(String url) throws Exception {
    for (QuestionSet set : chosen()) {
      try (Connection connection = DriverManager.getConnection(url)) {
        set.create(connection, work, scale);
      }
      run("PostgreSQL", set, url);
    }
  }

  private static List<QuestionSet> chosen() {
    return Stream.of(QuestionSet.values()).filter(set -> !chosen(set).isEmpty()).toList();
  }

  private static List<QuestionSet.Question> chosen(QuestionSet set) {
    return set.questions().stream()
        .filter(
            q ->
                ONLY.stream().anyMatch(n -> set.name().equalsIgnoreCase(n) || q.text().contains(n)))
        .toList();
  }

  private void run(String database, QuestionSet set, String url) throws Exception {
    for (Budget budget : Budget.values()) {
      String title = set.title() + ", " + database + ", " + budget.title;
      Path file = work.resolve(database + set + budget + ".yaml");
      AskedPolicy.write(set.policy(url), file, budget.composition).collect(url, set.keys());
      if (PROFILES) {
        try (Asking owner = new Asking(url, file)) {
          owner.flexdp().releaseProfiles(budget.ask(""));
        }
      }
      results.section(title);
      results.table(
          "question",
          "error %",
          "half width %",
          "foretold %",
          "covered %",
          "told",
          "warned",
          "plain ms",
          "ask ms",
          "×");
      List<Scored> scored = new ArrayList<>();
      try (Asking asking = new Asking(url, file)) {
        warm(asking, set, budget);
        for (QuestionSet.Question question : chosen(set)) {
          Scored one = Scored.of(asking, question, budget.ask(question.sql()), DRAWS);
          scored.add(one);
          row(question, one);
          one.refusal()
              .ifPresent(
                  failure ->
                      refusals
                          .computeIfAbsent(failure.codeName(), code -> new ArrayList<>())
                          .add(question.text() + ": " + failure.message() + " " + failure.hint()));
        }
      }
      results.end();
      all.put(title, scored);
    }
  }

  /** A gateway that has run for a while: the first question of a process is slow whatever it is. */
  private static void warm(Asking asking, QuestionSet set, Budget budget) throws SQLException {
    for (QuestionSet.Question question : set.questions().subList(0, 4)) {
      Scored.of(asking, question, budget.ask(question.sql()), 2);
    }
  }

  private void row(QuestionSet.Question question, Scored one) {
    Cells cells = one.cells();
    Aim aim = new Aim(one.verdict(), one.isUseful());
    String text = question.text().replace("|", "\\|");
    if (!one.isAnswered()) {
      results.row(text, aim, "", "", "", "", "", "", "", "", "");
      return;
    }
    results.row(
        text,
        aim,
        percent(cells.error()),
        percent(cells.width()),
        percent(one.foretold()),
        cells.bars() == 0 ? "" : percent((double) cells.covered() / cells.bars()),
        one.told() ? "yes" : "",
        one.warned() ? "yes" : "",
        rounded(one.plain()),
        rounded(one.asked()),
        String.format(Locale.ROOT, "%.1f", one.ratio()));
  }

  private static String percent(double share) {
    double percent = 100 * share;
    return Double.isInfinite(percent) || Double.isNaN(percent)
        ? "–"
        : String.format(Locale.ROOT, percent < 10 ? "%.1f" : "%.0f", percent);
  }

  private static String rounded(double millis) {
    return String.format(Locale.ROOT, millis < 10 ? "%.1f" : "%.0f", millis);
  }

  private void summary() {
    results.section("In all");
    results.table(
        "set",
        "questions",
        "answered",
        "useful",
        "of all rows too",
        "told",
        "useless unwarned",
        "useful warned",
        "too slow",
        "covered %",
        "median ×");
    all.forEach(
        (title, scored) -> {
          long useful = scored.stream().filter(Scored::isUseful).count();
          long unwarned = scored.stream().filter(Scored::isUnwarned).count();
          double[] ratios =
              scored.stream().filter(Scored::isAnswered).mapToDouble(Scored::ratio).toArray();
          double bars = scored.stream().mapToInt(s -> s.cells().bars()).sum();
          results.row(
              title,
              new Aim("≥ 80 %, 0 unwarned", useful >= 0.8 * scored.size() && unwarned == 0),
              scored.size(),
              scored.stream().filter(Scored::isAnswered).count(),
              useful,
              scored.stream().filter(Scored::isUsefulOfAll).count(),
              scored.stream().filter(s -> s.isAnswered() && s.told()).count(),
              unwarned,
              scored.stream().filter(s -> s.isUseful() && s.warned()).count(),
              scored.stream().filter(s -> s.isAnswered() && !s.isQuick()).count(),
              percent(scored.stream().mapToInt(s -> s.cells().covered()).sum() / bars),
              String.format(Locale.ROOT, "%.1f", Cells.median(ratios)));
        });
    results.end();
    verdicts();
    if (!refusals.isEmpty()) {
      results.say("## Refusals");
      results.say("");
      refusals.forEach(
          (code, texts) -> {
            results.say("- " + code);
            texts.stream().distinct().forEach(text -> results.say("  - " + text));
          });
    }
  }

  /** What stands in the way most often. */
  private void verdicts() {
    results.section("Why not");
    results.table(Stream.concat(Stream.of("what"), all.keySet().stream()).toArray(String[]::new));
    Map<String, long[]> counts = new TreeMap<>();
    int place = 0;
    for (List<Scored> scored : all.values()) {
      for (Scored one : scored) {
        counts.computeIfAbsent(one.verdict(), verdict -> new long[all.size()])[place]++;
      }
      place++;
    }
    counts.forEach(
        (verdict, times) ->
            results.row(verdict, Aim.NONE, java.util.Arrays.stream(times).boxed().toArray()));
    results.end();
  }
}
