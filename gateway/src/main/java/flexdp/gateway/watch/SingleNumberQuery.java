package flexdp.gateway.watch;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.budget.Account;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.gateway.database.Session;
import flexdp.gateway.livedata.LiveMetrics.Refresh;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.PrivacyUnit;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.HistogramRelease;
import flexdp.sensitivity.MonotoneDirection;
import flexdp.sensitivity.Sensitivity;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A question that shows one number as it is measured, so that it can be compared before there is
 * noise: no labels, nothing computed above, a public sensitivity.
 *
 * @param sensitivity Δ, in the measurement's own units
 * @param direction which way it goes when something is added
 * @param lasting whether the sensitivity has to hold for every state of the data to come
 * @param refresh plans it in the state that is read: public tables may have changed since they were
 *     measured
 */
record SingleNumberQuery(
    Plan plan,
    NoisyAggregate point,
    Measurement measurement,
    BigDecimal sensitivity,
    MonotoneDirection direction,
    boolean lasting,
    Refresh refresh) {

  /**
   * @param settled what is known of tables that do not change, and of those that are private
   * @param lasting whether the sensitivity has to hold for every state of the data to come:
   *     released metrics are of one
   * @throws Rejection when it is something else
   */
  static SingleNumberQuery of(Plan plan, Metrics settled, boolean lasting, Refresh refresh) {
    DpQuery query = plan.query();
    if (plan.measurements().isEmpty()) {
      throw notBare("Nothing of a protected table is counted.", Position.START);
    }
    PlannedMeasurement planned = plan.measurements().getFirst();
    NoisyAggregate point = planned.release();
    boolean one =
        plan.measurements().size() == 1
            && query.columns().size() == 1
            && query.columns().getFirst().kind() == DpQuery.ResultColumn.Kind.AGGREGATE
            && planned.measurement() instanceof Measurement.Additive
            && planned.measurement().origin().column().isPresent();
    if (!one || !point.keys().isEmpty() || !isShownAsItIs(query.top())) {
      throw notBare("What is compared is one count or sum, as it is.", point.at());
    }
    Optional<BigDecimal> sensitivity =
        plan.isByPeople(point) ? Optional.empty() : sensitivity(planned, lasting);
    if (sensitivity.isEmpty()) {
      throw Rejection.of(
          RejectionCode.SENSITIVITY_NOT_PUBLIC,
          lasting
              ? "How far one row moves this number is not the same for every state of the data."
              : "How far one row moves this number is not public.",
          "Join by a unique key, have the owner enforce maxFrequencyAtMost on the join key, or"
              + " count different values of a key.",
          point.at());
    }
    if (sensitivity.get().signum() == 0) {
      throw notBare("No protected row changes this number.", point.at());
    }
    return new SingleNumberQuery(
        plan,
        point,
        planned.measurement(),
        sensitivity.get(),
        direction(plan, planned, settled),
        lasting,
        refresh);
  }

  /** What rests on rows that may come and go has no direction that could be relied on. */
  private static MonotoneDirection direction(
      Plan plan, PlannedMeasurement planned, Metrics settled) {
    try {
      return Sensitivity.direction(
          planned.release(), planned.measurement(), settled, plan.neighbors());
    } catch (Rejection e) {
      return MonotoneDirection.MIXED;
    }
  }

  /** This number with the sensitivity that it has in the state that a session reads. */
  SingleNumberQuery in(Session session) {
    Plan now = refresh.in(session);
    if (now == plan) {
      return this;
    }
    PlannedMeasurement planned = now.measurements().getFirst();
    BigDecimal moves =
        sensitivity(planned, lasting)
            .orElseThrow(() -> new IllegalStateException("a public bound became private"));
    return new SingleNumberQuery(
        now,
        planned.release(),
        planned.measurement(),
        moves.max(sensitivity),
        direction,
        lasting,
        refresh);
  }

  private static Rejection notBare(String message, Position at) {
    return Rejection.of(
        RejectionCode.UNSUPPORTED,
        message,
        "Write SELECT COUNT(*) or SELECT SUM(column), without GROUP BY, HAVING, LIMIT and"
            + " arithmetic.",
        at);
  }

  private static boolean isShownAsItIs(Relation top) {
    Relation at = top;
    while (at instanceof Relation.Project project) {
      at = project.input();
    }
    return at instanceof Relation.Released;
  }

  private static Optional<BigDecimal> sensitivity(PlannedMeasurement planned, boolean lasting) {
    if (lasting) {
      return planned.bound().ceiling().map(n -> new BigDecimal(n).multiply(planned.unit()));
    }
    return planned
        .noise()
        .flatMap(CalibratedMechanism::added)
        .filter(noise -> noise.isPlain() && noise.mechanism().isPure())
        .map(CalibratedMechanism::sensitivity);
  }

  BigDecimal grid() {
    return measurement.grid();
  }

  /** How it is read; what it is compared with has the noise. */
  HistogramRelease release() {
    return new HistogramRelease(point, plan.read(point), plan.of(point), Optional.empty());
  }

  /** The accounts that pay, as requests name them. */
  Set<String> tables() {
    return AlgebraWalker.units(point.input()).stream()
        .map(
            unit ->
                switch (unit) {
                  case PrivacyUnit.Row row -> row.table();
                  case PrivacyUnit.Person person -> Account.of(person).toString();
                  case PrivacyUnit.Any ignored ->
                      throw new IllegalStateException("no account counts everything");
                })
        .collect(Collectors.toSet());
  }

  /** What it measures, in one form for all its wordings. */
  String meaning() {
    return QueryFingerprint.key(QueryFingerprint.of(point));
  }
}
