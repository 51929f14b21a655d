package flexdp.experiments.people;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.DatabaseRows;
import flexdp.gateway.engine.InstalledSolver;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.metrics.Metrics;
import flexdp.noise.BitSource;
import flexdp.noise.Noise;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.release.ReleasePlan;
import flexdp.release.ReleasePlan.Exact;
import flexdp.release.ReleasePlan.LevelRelease;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Many answers to one question about people, each drawn as an answer is, from what was read once.
 * For measuring errors only: every draw would cost its ε.
 */
final class PeopleDraws implements AutoCloseable {
  private final Session session;
  private final LevelRelease release;
  private final Exact exact;

  private PeopleDraws(Session session, LevelRelease release, Exact exact) {
    this.session = session;
    this.release = release;
    this.exact = exact;
  }

  /**
   * Reads what a question needs.
   *
   * @param database is to stay open
   * @param sql one COUNT or SUM without groups that is answered by people
   */
  static PeopleDraws of(Policy policy, Database database, String sql) {
    Plan plan =
        new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2020, 1, 1, 0, 0))
            .plan(sql, AnalysisOptions.DEFAULT);
    ReleasePlan release =
        ReleasePlan.of(
            plan,
            plan.query().releases().getFirst(),
            new ReleasePlan.Means(Optional.empty(), InstalledSolver.lazily()));
    if (!(release instanceof LevelRelease level)) {
      throw new IllegalArgumentException("not answered by people: " + sql);
    }
    Session session = database.session();
    DatabaseRows rows = new DatabaseRows(new RenderedStatements(database), session, true);
    return new PeopleDraws(session, level, level.read(rows, Optional.of(List.of(List.of()))));
  }

  /** {@code clip} or {@code descent}. */
  String mechanism() {
    return release.draws().getFirst().name();
  }

  /** One answer at this ε. */
  BigDecimal draw(BigDecimal epsilon, BitSource source) {
    Object drawn =
        release.at(epsilon).draw(exact, new Noise(source)).rows().rows().getFirst().getFirst();
    return new BigDecimal(drawn.toString());
  }

  /** How many levels a contribution may be clipped at. */
  int levels() {
    return release.levels();
  }

  /** τ of a level, in units of the measurement. */
  BigDecimal level(int level) {
    return release.level(level);
  }

  /** The true value when nobody counts for more than τ; private. */
  BigDecimal value(int level) {
    return release.value(exact, level);
  }

  @Override
  public void close() {
    session.close();
  }
}
