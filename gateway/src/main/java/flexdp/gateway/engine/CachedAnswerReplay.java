package flexdp.gateway.engine;

import flexdp.budget.Cost;
import flexdp.decompose.QueryWithIntervals;
import flexdp.failure.BudgetError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.cache.AnswerCache;
import flexdp.gateway.cache.CacheHit;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.plan.Plan;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives what was released before, where a question asks for no more. */
final class CachedAnswerReplay {
  private final AnswerCache cache;
  private final Preparation preparation;
  private final Charging charging;

  CachedAnswerReplay(AnswerCache cache, Preparation preparation, Charging charging) {
    this.cache = cache;
    this.preparation = preparation;
    this.charging = charging;
  }

  /**
   * What was released before.
   *
   * @throws flexdp.failure.Rejection when it was not this very question, and the database cannot be
   *     asked it
   */
  Optional<CacheHit> find(QueryRequest ask, Plan plan, PreparedQuery prepared) {
    Optional<CacheHit> found = cache.find(ask, plan.query(), prepared);
    if (found.filter(CacheHit::isSame).isEmpty()) {
      preparation.check(plan);
    }
    return found;
  }

  /**
   * A released answer given again: free to whoever paid for it, otherwise charged to the analyst's
   * own account and not to the tables. Nothing when that account covers a new answer at most.
   *
   * @param notes what is said of the question, whoever answers it
   */
  Optional<AnalystView> give(
      QueryRequest ask,
      PreparedQuery prepared,
      StatementExecution read,
      CacheHit hit,
      SnapshotGuard guard,
      List<String> notes) {
    DpQuery query = prepared.plan().query();
    PreparedQuery kept = prepared.with(prepared.plan(), hit.errors().in(query));
    if (!QueryWithIntervals.asked(query).stream().allMatch(kept.errors()::measures)) {
      return Optional.empty();
    }
    if (hit.own()) {
      return Optional.of(
          hit.noted(
              guard.steady(
                  () ->
                      AnswerViews.of(
                          ask,
                          kept,
                          read.branch(),
                          hit.rows(),
                          BigDecimal.ZERO,
                          BigDecimal.ZERO,
                          true)),
              notes));
    }
    Cost cost = hit.cost();
    try {
      return Optional.of(
          charging.charged(
              preparation.request(ask, hit.mechanism(), Set.of(), cost),
              course -> {
                course.releases(hit.bought());
                return hit.noted(
                    guard.steady(
                        () ->
                            AnswerViews.of(
                                ask,
                                kept,
                                read.branch(),
                                hit.rows(),
                                cost.epsilon(),
                                cost.delta(),
                                true)),
                    notes);
              }));
    } catch (BudgetError e) {
      return Optional.empty();
    }
  }
}
