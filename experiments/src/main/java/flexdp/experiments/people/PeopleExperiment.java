package flexdp.experiments.people;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.report.Section;
import flexdp.experiments.tpch.TpchDatabase;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.InstalledSolver;
import flexdp.noise.BitSource;
import flexdp.noise.SecureBits;
import flexdp.policy.Policy;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.duckdb.DuckDBConnection;

/** What answers that protect people are off by, beside a race to the top and a fixed level. */
public final class PeopleExperiment implements Experiment {
  static final List<Double> EPSILONS = List.of(0.1, 0.8, 3.2);

  @Override
  public String name() {
    return "people";
  }

  @Override
  public String title() {
    return "People, not rows: TPC-H and ca-HepTh against R2T";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(8L, 40L, 420L));
  }

  /**
   * What one question gave.
   *
   * @param plain seconds that the plain query took
   * @param read seconds for analysis, the pass over the data and one answer
   * @param programs of the race, where there are any
   */
  record Row(
      String name,
      String owners,
      String mechanism,
      double truth,
      Map<Double, DrawnErrors> ours,
      Map<Double, DrawnErrors> race,
      Map<Double, DrawnErrors> fixed,
      Optional<Double> published,
      double design,
      double plain,
      double read,
      List<RacePrograms.Solved> programs) {}

  @Override
  public Section run(Run run) throws IOException, SQLException {
    double size = run.scale().of(0.01, 0.05, 1.0);
    int draws = run.scale().of(60, 500, 2_000);
    List<Row> rows = new ArrayList<>();
    try (Connection connection = new TpchDatabase(run.scratch(), size).open()) {
      for (OwnedQuestion asked : OwnedQuestions.all()) {
        run.say(asked.name() + " at scale factor " + size);
        rows.add(tpch(connection, asked, draws, new SplittableRandom(run.seed())));
        run.say(said(rows.getLast()));
      }
    }
    int share = run.scale().of(8, 2, 1);
    try (Connection connection = Authors.open(share)) {
      for (Authors.Shape shape : Authors.SHAPES) {
        if (shape.owners().size() <= 2 || InstalledSolver.find().isPresent()) {
          run.say("ca-HepTh, " + shape.name());
          rows.add(graph(connection, shape, draws, new SplittableRandom(run.seed())));
          run.say(said(rows.getLast()));
        } else {
          run.say("ca-HepTh, " + shape.name() + ": left out, no solver is installed");
        }
      }
    }
    return new PeopleText(size, draws, share, rows).section(name(), title());
  }

  private static String said(Row row) {
    StringBuilder text = new StringBuilder(row.name() + " off by");
    for (double epsilon : EPSILONS) {
      text.append(
          String.format(
              Locale.ROOT,
              " %.2g %% (R2T %.2g %%) at ε = %s;",
              row.ours().get(epsilon).trimmed(),
              row.race().get(epsilon).trimmed(),
              epsilon));
    }
    text.append(
        String.format(
            Locale.ROOT,
            " best level %s; plain %.2f s, ours %.2f s",
            String.format(Locale.ROOT, "%.2g %%", row.fixed().get(0.8).trimmed()),
            row.plain(),
            row.read()));
    return text.toString();
  }

  private static Row tpch(
      Connection connection, OwnedQuestion asked, int draws, SplittableRandom random)
      throws SQLException {
    List<Degrees> degrees = new ArrayList<>();
    for (String kind : asked.kinds()) {
      degrees.add(Degrees.read(connection, asked.degrees(kind), asked.unit()));
    }
    // With two kinds this is above what a linear program gives, so it favours the race.
    Race race =
        new Race(level -> degrees.stream().mapToDouble(d -> d.clipped(level)).min().orElse(0));
    try (Timed timed = Timed.of(connection, OwnedTpch.policy(asked), asked.sql())) {
      double truth = timed.truth() / asked.unit();
      return new Row(
          asked.name(),
          String.join(", ", asked.kinds()),
          timed.draws().mechanism(),
          timed.truth(),
          each(e -> drawn(timed, timed.truth(), e, draws)),
          each(e -> DrawnErrors.of(truth, 10 * draws, () -> race.draw(e, random))),
          each(timed::fixed),
          asked.published(),
          asked.design(),
          timed.plain(),
          timed.read(),
          List.of());
    }
  }

  private static Row graph(
      Connection connection, Authors.Shape shape, int draws, SplittableRandom random)
      throws SQLException {
    RacePrograms programs = Authors.truncated(connection, shape);
    Race race = new Race(programs);
    try (Timed timed = Timed.of(connection, Authors.policy(), shape.sql())) {
      return new Row(
          shape.name(),
          "author",
          timed.draws().mechanism(),
          timed.truth(),
          each(e -> drawn(timed, timed.truth(), e, draws)),
          each(e -> DrawnErrors.of(timed.truth(), 10 * draws, () -> race.draw(e, random))),
          each(timed::fixed),
          Optional.of(shape.published()),
          shape.design(),
          timed.plain(),
          timed.read(),
          programs.solved());
    }
  }

  private static DrawnErrors drawn(Timed timed, double truth, double epsilon, int draws) {
    BitSource bits = new SecureBits();
    BigDecimal exact = BigDecimal.valueOf(epsilon);
    return DrawnErrors.of(truth, draws, () -> timed.draws().draw(exact, bits).doubleValue());
  }

  private interface AtEpsilon {
    DrawnErrors at(double epsilon);
  }

  private static Map<Double, DrawnErrors> each(AtEpsilon errors) {
    Map<Double, DrawnErrors> all = new LinkedHashMap<>();
    EPSILONS.forEach(e -> all.put(e, errors.at(e)));
    return all;
  }

  /** A question as it is, and as it is answered. */
  private record Timed(
      double truth, double plain, double read, PeopleDraws draws, JdbcDatabase database)
      implements AutoCloseable {
    static Timed of(Connection connection, Policy policy, String sql) throws SQLException {
      TrueAnswers.number(connection, sql);
      long start = System.nanoTime();
      double truth = TrueAnswers.number(connection, sql);
      double plain = seconds(start);
      Connection own = connection.unwrap(DuckDBConnection.class).duplicate();
      JdbcDatabase database =
          JdbcDatabase.over(own, policy, Duration.ofMinutes(20), (what, cause) -> {});
      start = System.nanoTime();
      PeopleDraws draws = PeopleDraws.of(policy, database, sql);
      draws.draw(BigDecimal.valueOf(0.8), new SecureBits());
      return new Timed(truth, plain, seconds(start), draws, database);
    }

    DrawnErrors fixed(double epsilon) {
      return Fixed.best(
          draws.levels(),
          level -> draws.level(level).doubleValue(),
          level -> draws.value(level).doubleValue(),
          truth,
          epsilon);
    }

    private static double seconds(long start) {
      return (System.nanoTime() - start) / 1e9;
    }

    @Override
    public void close() {
      draws.close();
      database.close();
    }
  }
}
