package flexdp.gateway.engine;

import flexdp.budget.Cost;
import flexdp.decompose.QueryWithIntervals;
import flexdp.failure.BudgetError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.live.Footing;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.reuse.Found;
import flexdp.gateway.reuse.Repeats;
import flexdp.plan.Plan;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives what was released before, where a question asks for no more. */
final class CachedAnswerReplay {
  private final Repeats repeats;
  private final Preparation preparation;
  private final Charging charging;

  CachedAnswerReplay(Repeats repeats, Preparation preparation, Charging charging) {
    this.repeats = repeats;
    this.preparation = preparation;
    this.charging = charging;
  }

  /**
   * What was released before.
   *
   * @throws flexdp.failure.Rejection when it was not this very question, and the database cannot be
   *     asked it
   */
  Optional<Found> find(QueryRequest ask, Plan plan, PreparedQuery prepared) {
    Optional<Found> found = repeats.find(ask, plan.query(), prepared);
    if (found.filter(Found::isSame).isEmpty()) {
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
      Found found,
      Footing footing,
      List<String> notes) {
    DpQuery query = prepared.plan().query();
    PreparedQuery kept = prepared.with(prepared.plan(), found.errors().in(query));
    if (!QueryWithIntervals.asked(query).stream().allMatch(kept.errors()::measures)) {
      return Optional.empty();
    }
    if (found.own()) {
      return Optional.of(
          found.noted(
              footing.steady(
                  () ->
                      AnswerViews.of(
                          ask,
                          kept,
                          read.branch(),
                          found.rows(),
                          BigDecimal.ZERO,
                          BigDecimal.ZERO,
                          true)),
              notes));
    }
    Cost cost = found.cost();
    try {
      return Optional.of(
          charging.charged(
              preparation.request(ask, found.mechanism(), Set.of(), cost),
              course -> {
                course.releases(found.bought());
                return found.noted(
                    footing.steady(
                        () ->
                            AnswerViews.of(
                                ask,
                                kept,
                                read.branch(),
                                found.rows(),
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
