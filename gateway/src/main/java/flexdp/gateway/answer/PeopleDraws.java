package flexdp.gateway.answer;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.metrics.Metrics;
import flexdp.noise.BitSource;
import flexdp.noise.Clip;
import flexdp.people.clip.Contributions;
import flexdp.people.clip.Levels;
import flexdp.people.descent.Descent;
import flexdp.people.descent.Holdings;
import flexdp.people.descent.Solver;
import flexdp.people.descent.Values;
import flexdp.plan.Calibrated;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.PeopleReleaser;
import flexdp.release.PersonCell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * Many answers to one question about people, each drawn as an answer is, from what was read once.
 * For measuring errors only: every draw would cost its ε.
 */
public final class PeopleDraws implements AutoCloseable {
  /** What differs between clipping and the descent; values are in units of the measurement. */
  private record Drawn(
      String mechanism,
      Levels levels,
      BigDecimal grid,
      BiFunction<BigDecimal, BitSource, BigDecimal> draw,
      IntFunction<BigDecimal> value) {}

  private final Session session;
  private final Drawn drawn;

  private PeopleDraws(Session session, Drawn drawn) {
    this.session = session;
    this.drawn = drawn;
  }

  /**
   * Reads what a question needs.
   *
   * @param database is to stay open
   * @param sql one COUNT or SUM without groups that is answered by people
   */
  public static PeopleDraws of(Policy policy, Database database, String sql) {
    Plan plan =
        new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2020, 1, 1, 0, 0))
            .plan(sql, AnalysisOptions.DEFAULT);
    ReleasePoint point = plan.question().releases().getFirst();
    Calibrated noise =
        PeopleAnswers.noise(plan, point)
            .orElseThrow(() -> new IllegalArgumentException("not answered by people: " + sql));
    PeopleAnswers answers = new PeopleAnswers(database, InstalledSolver::find, Optional.empty());
    Session session = database.session();
    Drawn drawn =
        switch (noise) {
          case Calibrated.Clipped c ->
              clipped(point, c, answers.contributions(plan.read(point), c, session));
          case Calibrated.Descended d ->
              descended(
                  d,
                  answers
                      .holdings(plan.read(point), List.of(d), one(point), session)
                      .getFirst()
                      .getFirst(),
                  answers);
          case Calibrated.Added ignored -> throw new IllegalArgumentException(sql);
          case Calibrated.Chosen ignored -> throw new IllegalArgumentException(sql);
        };
    return new PeopleDraws(session, drawn);
  }

  private static Drawn clipped(
      ReleasePoint point, Calibrated.Clipped noise, Contributions<PersonCell> contributions) {
    BigDecimal grid = noise.measurement().grid();
    return new Drawn(
        noise.mechanism().name(),
        noise.clipping().levels(),
        grid,
        (epsilon, source) ->
            number(
                new PeopleReleaser(source)
                    .release(point, noise.clipping(), new Clip(epsilon), contributions, one(point))
                    .rows()
                    .rows()
                    .getFirst()
                    .getFirst()),
        level ->
            grid.multiply(
                new BigDecimal(
                    contributions.cells().stream()
                        .map(cell -> contributions.clipped(cell, level))
                        .reduce(BigInteger.ZERO, BigInteger::add))));
  }

  private static Drawn descended(Calibrated.Descended noise, Holdings held, PeopleAnswers answers) {
    Levels levels = noise.descending().levels();
    BigDecimal grid = noise.measurement().grid();
    Values values = new Values(held, levels, answers::solved);
    return new Drawn(
        noise.mechanism().name(),
        levels,
        grid,
        (epsilon, source) ->
            grid.multiply(
                BigDecimal.valueOf(
                    new Descent(levels, epsilon, noise.descending().isApproximate())
                        .release(values, source)
                        .noisy()
                        .doubleValue())),
        level -> grid.multiply(values.inSteps(level).decimal(MathContext.DECIMAL128)));
  }

  /** The only bin of a question without groups. */
  private static Histogram one(ReleasePoint point) {
    return Histogram.of(point, List.of(List.of()));
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  /** The solver that answers use where rows have three owners; empty where it is not installed. */
  public static Optional<Solver> solver() {
    return InstalledSolver.find();
  }

  /** {@code clip} or {@code descent}. */
  public String mechanism() {
    return drawn.mechanism();
  }

  /** One answer at this ε. */
  public BigDecimal draw(BigDecimal epsilon, BitSource source) {
    return drawn.draw().apply(epsilon, source);
  }

  /** How many levels a contribution may be clipped at. */
  public int levels() {
    return drawn.levels().count();
  }

  /** τ of a level, in units of the measurement. */
  public BigDecimal level(int level) {
    return drawn.grid().multiply(new BigDecimal(drawn.levels().at(level)));
  }

  /** The true value when nobody counts for more than τ; private. */
  public BigDecimal value(int level) {
    return drawn.value().apply(level);
  }

  @Override
  public void close() {
    session.close();
  }
}
