package flexdp.gateway.watch;

import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.DatabaseRows;
import flexdp.gateway.engine.GuardedExecution;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.release.HistogramRelease;
import flexdp.release.ReleasePlan;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Plans bare numbers and reads them; what it reads is exact, and goes into comparisons only. */
public final class WatchEvaluation {
  private final Policy policy;
  private final LiveMetrics live;
  private final String snapshot;
  private final Database database;
  private final Planning planning;
  private final RenderedStatements rendered;

  /**
   * @param snapshot the state of the data that the metrics were measured at
   * @param planning of questions, whose plans are kept there
   * @param rendered statements of questions
   */
  public WatchEvaluation(
      Policy policy,
      LiveMetrics live,
      String snapshot,
      Database database,
      Planning planning,
      RenderedStatements rendered) {
    this.policy = policy;
    this.live = live;
    this.snapshot = snapshot;
    this.database = database;
    this.planning = planning;
    this.rendered = rendered;
  }

  Database database() {
    return database;
  }

  Policy policy() {
    return policy;
  }

  BigDecimal epsilon(QueryRequest ask) {
    return planning.epsilon(ask);
  }

  /**
   * @throws flexdp.failure.Rejection when it is no number that can be compared
   */
  SingleNumberQuery number(QueryRequest ask, boolean lasting) {
    return GuardedExecution.over(
        ask.sql(), database.timeout(), new CancellationToken(), () -> planned(ask, lasting));
  }

  private SingleNumberQuery planned(QueryRequest ask, boolean lasting) {
    MechanismChoice choice = ask.options().mechanism();
    if (choice != MechanismChoice.AUTO && choice != MechanismChoice.LAPLACE
        || ask.options().bins().isPresent()
        || ask.options().propose().isPresent()
        || ask.options().noiseLimit().isPresent()
        || ask.within().isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "what is compared with a threshold takes no mechanism, no proposal, no labels and no"
              + " error or noise limit of its own");
    }
    Plan plan = planning.plan(ask);
    SingleNumberQuery number =
        SingleNumberQuery.of(
            plan,
            live.settled(),
            lasting,
            live.refresh(plan, some -> planning.planned(ask, plan.query(), some)));
    number.release().readings().forEach(rendered::check);
    return number;
  }

  /** What is asked of the ledger; nothing of it is measured when it is charged. */
  ChargeRequest request(
      QueryRequest ask, String mechanism, Set<String> tables, BigDecimal epsilon) {
    Set<String> roles = new TreeSet<>(ask.roles());
    roles.addAll(policy.privacy().accounts().rolesOf(ask.analyst()));
    return new ChargeRequest(
        ask.analyst(), roles, ask.sql().strip(), tables, mechanism, Cost.pure(epsilon), snapshot);
  }

  /** What comparisons are to rest on. */
  SnapshotGuard footing() {
    return live.footing(database, new CancellationToken());
  }

  /** The number itself, in steps of a grid. Private. */
  BigInteger exact(SingleNumberQuery number, Session session, BigDecimal grid) {
    HistogramRelease release = number.release();
    ReleasePlan.Exact exact =
        release.read(new DatabaseRows(rendered, session, true), Optional.of(List.of(List.of())));
    BigInteger each = number.grid().divide(grid).toBigIntegerExact();
    return release.number(exact).multiply(each);
  }
}
