package flexdp.gateway.answer;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.metrics.Metrics;
import flexdp.noise.BitSource;
import flexdp.noise.Clip;
import flexdp.people.clip.Contributions;
import flexdp.people.descent.Descent;
import flexdp.people.descent.OwnerSets;
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
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Many answers to one question about people, each drawn as an answer is, from what was read once.
 * For measuring errors only: every draw would cost its ε.
 */
public final class PeopleDraws {
  private final String mechanism;
  private final BiFunction<BigDecimal, BitSource, BigDecimal> draw;

  private PeopleDraws(String mechanism, BiFunction<BigDecimal, BitSource, BigDecimal> draw) {
    this.mechanism = mechanism;
    this.draw = draw;
  }

  /**
   * Reads what a question needs.
   *
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
    try (Session session = database.session()) {
      return switch (noise) {
        case Calibrated.Clipped c ->
            clipped(point, c, answers.contributions(plan.read(point), c, session));
        case Calibrated.Descended d ->
            descended(
                d,
                answers
                    .sets(plan.read(point), List.of(d), one(point), session)
                    .getFirst()
                    .getFirst(),
                answers);
        case Calibrated.Added ignored -> throw new IllegalArgumentException(sql);
        case Calibrated.Chosen ignored -> throw new IllegalArgumentException(sql);
      };
    }
  }

  private static PeopleDraws clipped(
      ReleasePoint point, Calibrated.Clipped noise, Contributions<PersonCell> contributions) {
    return new PeopleDraws(
        noise.mechanism().name(),
        (epsilon, source) ->
            number(
                new PeopleReleaser(source)
                    .release(point, noise.clipping(), new Clip(epsilon), contributions, one(point))
                    .rows()
                    .rows()
                    .getFirst()
                    .getFirst()));
  }

  private static PeopleDraws descended(
      Calibrated.Descended noise, OwnerSets sets, PeopleAnswers answers) {
    Values values = new Values(sets, noise.descending().levels(), answers::solved);
    return new PeopleDraws(
        noise.mechanism().name(),
        (epsilon, source) ->
            noise
                .measurement()
                .grid()
                .multiply(
                    BigDecimal.valueOf(
                        new Descent(
                                noise.descending().levels(),
                                epsilon,
                                noise.descending().isApproximate())
                            .release(values, source)
                            .noisy()
                            .doubleValue())));
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
    return mechanism;
  }

  /** One answer at this ε. */
  public BigDecimal draw(BigDecimal epsilon, BitSource source) {
    return draw.apply(epsilon, source);
  }
}
