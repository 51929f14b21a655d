package flexdp.gateway.engine;

import flexdp.budget.Cost;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.livedata.LiveMetrics.Refresh;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.noise.BitSource;
import flexdp.noise.ProposeTestRelease.Confirmation;
import flexdp.plan.Plan;
import flexdp.plan.ProposalTest;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Tests what a question proposes, in the state of the data that it reads, before it is answered.
 * The test is charged by itself: who guesses wrong pays for no more.
 */
final class ProposalConfirmation {
  private final Preparation preparation;
  private final Charging charging;
  private final Supplier<BitSource> bits;

  ProposalConfirmation(Preparation preparation, Charging charging, Supplier<BitSource> bits) {
    this.preparation = preparation;
    this.charging = charging;
    this.bits = bits;
  }

  /**
   * What is left to do.
   *
   * @param cost of the answer
   * @param refresh makes the plan hold in the session's state
   */
  record Confirmed(Cost cost, Refresh refresh) {}

  /**
   * @param meanings of all that the question measures
   * @throws Rejection when the proposal is not confirmed; the test stays charged
   */
  Confirmed confirm(
      QueryRequest ask,
      PreparedQuery prepared,
      Refresh refresh,
      SnapshotGuard guard,
      Set<String> meanings) {
    Optional<ProposalTest> proposed = ProposalTest.of(prepared.plan());
    if (proposed.isEmpty()) {
      return new Confirmed(prepared.cost(), refresh);
    }
    charging.requireRoom(request(ask, prepared, prepared.cost()));
    Confirmation test = proposed.get().test();
    BigDecimal epsilon = test.epsilon();
    Cost cost = new Cost.Pure(epsilon, epsilon.multiply(epsilon), test.delta());
    Optional<Plan> confirmed =
        charging.charged(
            request(ask, prepared, cost).measuring(meanings),
            course ->
                guard.steady(
                    () -> ProposalTest.of(refresh.in(guard)).orElseThrow().confirmed(bits.get())));
    return confirmed
        .map(plan -> new Confirmed(prepared.rest(cost), s -> plan))
        .orElseThrow(() -> unconfirmed(test));
  }

  private ChargeRequest request(QueryRequest ask, PreparedQuery prepared, Cost cost) {
    return preparation.request(ask, prepared.mechanism(), prepared.tables(), cost);
  }

  /** The one refusal that depends on the data; it was made private, and paid for. */
  private static Rejection unconfirmed(Confirmation test) {
    return Rejection.of(
        RejectionCode.PROPOSAL_NOT_CONFIRMED,
        "The proposal was not confirmed.",
        "The test cost epsilon "
            + test.epsilon().stripTrailingZeros().toPlainString()
            + ", delta "
            + test.delta().stripTrailingZeros()
            + ". It fails when a number is too small, or not far enough above the true one: propose"
            + " larger numbers, or test with a larger epsilon.");
  }
}
