package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.ledger.entry.Basis;
import flexdp.gateway.ledger.entry.Event;
import flexdp.gateway.ledger.entry.Outcome;
import flexdp.gateway.ledger.entry.Request;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a question may be charged, on sums that nobody else changes meanwhile. */
final class Admission {
  private final Allowances allowances;
  private final Basis basis;

  Admission(Allowances allowances) {
    this.allowances = allowances;
    this.basis =
        new Basis(
            allowances.neighbors(),
            allowances.tables().orElse(Allowance.NOTHING).composition(),
            allowances.whose());
  }

  /** The charge, or the reason why there is none. */
  Event reserve(Books sums, Instant now, Request request) {
    refuse(sums.failures(), now, request);
    for (Account account : request.accounts()) {
      check(sums.standing(account, now), request.cost(), request.mechanism());
    }
    return new Event.Reserved(
        request.charging(
            request.tables().stream()
                .map(name -> Request.isPeople(name) ? name : sums.recorded(name))
                .collect(Collectors.toSet())),
        Optional.of(basis(sums, request, now)));
  }

  /** What failed is not run again, and whose questions fail is stopped; neither costs anything. */
  void refuse(Failures failures, Instant now, Request request) {
    if (request.meanings().isEmpty()) {
      return;
    }
    if (failures.isStopped(request.analyst())) {
      throw new TooManyFailures(request.analyst(), allowances.failures());
    }
    failures
        .before(request.meanings(), now)
        .ifPresent(
            outcome -> {
              throw DatabaseError.of(
                  outcome == Outcome.TIMED_OUT ? DatabaseError.TOO_LATE : DatabaseError.NO_ANSWER,
                  "It failed before and is not run again, so it costs nothing. The owner can let it"
                      + " be tried again: ./flexdp budget clear-failures --policy FILE");
            });
  }

  /** Under a policy without a limit the owner's grants are judged as what was charged before. */
  private Basis basis(Books sums, Request request, Instant now) {
    return allowances.tables().isPresent()
        ? basis
        : request.tables().stream()
            .map(Request::account)
            .flatMap(account -> sums.standing(account, now).allowance().stream())
            .map(allowance -> new Basis(basis.neighbors(), allowance.composition(), basis.unit()))
            .findFirst()
            .orElse(basis);
  }

  static void check(Standing standing, Cost cost, String mechanism) {
    standing
        .allowance()
        .ifPresent(
            allowance -> {
              if (!allowance.filter().takes(cost)) {
                throw Rejection.of(
                    RejectionCode.MECHANISM_UNSUITABLE,
                    "The mechanism '" + mechanism + "' cannot be counted under zcdp composition.",
                    "Use a pure or Gaussian mechanism, such as laplace, lomax or released.");
              }
              if (!allowance.filter().admits(standing.spent().plus(cost))) {
                throw new BudgetExhausted(standing, cost);
              }
            });
  }

  static Event grant(
      Books sums,
      Instant now,
      Account account,
      BigDecimal epsilon,
      BigDecimal delta,
      String by,
      String note) {
    Standing standing = sums.standing(account, now);
    if (standing.allowance().isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          account + " has no limit in the policy, so there is nothing to add to.",
          "Give it one in the policy: privacy: {"
              + (account instanceof Account.Role ? "roles" : "analysts")
              + ": {"
              + account.name()
              + ": {budget: {epsilon: 1}}}}");
    }
    standing.allowance().get().plus(epsilon, delta);
    Account recorded =
        account instanceof Account.Table table
            ? new Account.Table(sums.recorded(table.name()))
            : account;
    return new Event.Granted(recorded, epsilon, delta, by, note);
  }
}
