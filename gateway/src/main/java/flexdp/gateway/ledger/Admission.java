package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.ChargedPartitions;
import flexdp.budget.TotalCost;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.ledger.AccountTally.PaidSums;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Whether a question may be charged, on sums that nobody else changes meanwhile. */
final class Admission {
  private final Allowances allowances;
  private final PrivacyBasis basis;

  Admission(Allowances allowances) {
    this.allowances = allowances;
    this.basis =
        new PrivacyBasis(
            allowances.neighbors(),
            allowances.tables().orElse(Allowance.NOTHING).composition(),
            allowances.whose());
  }

  /** The charge, or the reason why there is none. */
  LedgerEvent reserve(LedgerState sums, Instant now, ChargeRequest request) {
    refuse(sums.failures(), now, request);
    for (Account account : request.accounts()) {
      // Most accounts are only counted: what they have spent is not looked at.
      sums.allowance(account).ifPresent(a -> check(sums, now, account, a, request));
    }
    return new LedgerEvent.Reserved(
        request.charging(name -> ChargeRequest.isPeople(name) ? name : sums.recorded(name)),
        Optional.of(basis(sums, request)));
  }

  /** A charge that stands for others, whether there is budget for it or not. */
  LedgerEvent cover(LedgerState sums, ChargeRequest request) {
    return new LedgerEvent.Reserved(request, Optional.of(basis(sums, request)));
  }

  /** What failed is not run again, and whose questions fail is stopped; neither costs anything. */
  void refuse(QueryFailures failures, Instant now, ChargeRequest request) {
    if (request.meanings().isEmpty()) {
      return;
    }
    if (failures.isStopped(request.analyst())) {
      throw new TooManyFailures(request.analyst(), allowances.failures());
    }
    failures
        .before(request, now)
        .ifPresent(
            outcome -> {
              throw DatabaseError.of(
                  // The words of the first time.
                  outcome == ChargeOutcome.TIMED_OUT
                      ? DatabaseError.TOO_LATE
                      : DatabaseError.NO_ANSWER,
                  "It failed before and is not run again, so it costs nothing. The owner can let it"
                      + " be tried again: ./flexdp budget clear-failures --policy FILE");
            });
  }

  /** Under a policy without a limit the owner's grants are judged as what was charged before. */
  private PrivacyBasis basis(LedgerState sums, ChargeRequest request) {
    return allowances.tables().isPresent()
        ? basis
        : request.tables().stream()
            .map(ChargeRequest::account)
            .flatMap(account -> sums.allowance(account).stream())
            .map(
                allowance ->
                    new PrivacyBasis(basis.neighbors(), allowance.composition(), basis.unit()))
            .findFirst()
            .orElse(basis);
  }

  /** As a whole: what every row can pay, whichever part it is in. */
  static void check(Balance balance, ChargeRequest request) {
    balance
        .allowance()
        .ifPresent(
            a -> {
              check(a, request);
              if (!a.filter().admits(balance.spent().plus(request.cost()))) {
                throw new BudgetExhausted(balance, request.cost(), Optional.empty());
              }
            });
  }

  private static void check(Allowance allowance, ChargeRequest request) {
    if (!allowance.filter().takes(request.cost())) {
      throw Rejection.of(
          RejectionCode.MECHANISM_UNSUITABLE,
          "The mechanism '" + request.mechanism() + "' cannot be counted under zcdp composition.",
          "Use a pure or Gaussian mechanism, such as laplace, lomax or released.");
    }
  }

  /** All rows that it reads have to be able to pay, whichever part they are in. */
  private static void check(
      LedgerState sums, Instant now, Account account, Allowance allowance, ChargeRequest request) {
    check(allowance, request);
    Predicate<TotalCost> admits = spent -> allowance.filter().admits(spent.plus(request.cost()));
    PaidSums paid = sums.sums(account, allowance, now);
    Optional<ChargedPartitions> parts = request.parts(account);
    if (parts.isPresent()) {
      paid.of(parts.get())
          .forEach(
              (part, spent) -> {
                if (!admits.test(spent)) {
                  throw new BudgetExhausted(
                      sums.standing(account, now).of(spent), request.cost(), Optional.of(part));
                }
              });
    } else if (!paid.admits(admits)) {
      throw new BudgetExhausted(sums.standing(account, now), request.cost(), Optional.empty());
    }
  }

  /** What was left to the answers' own δ has to hold the slack of the filter that ends. */
  private static void requireDelta(Balance balance, BigDecimal epsilon, BigDecimal delta) {
    Allowance before = balance.allowance().orElseThrow();
    Allowance after = before.plus(epsilon, delta);
    TotalCost spent = balance.spent();
    if (before.composition() == Policy.Composition.BASIC || spent.answers() == 0) {
      return;
    }
    BigDecimal own =
        before.composition() == Policy.Composition.ZCDP ? spent.failure() : spent.delta();
    BigDecimal least = own.multiply(BigDecimal.TWO);
    if (delta.compareTo(least) < 0) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "Under this composition a grant ends one filter and begins another, and half of the"
              + " delta so far counts as spent: "
              + balance.account()
              + " could answer nothing more with a budget of epsilon "
              + after.epsilon().toPlainString()
              + " and delta "
              + after.delta()
              + ".",
          "Grant a delta of at least " + least.stripTrailingZeros() + " with it.");
    }
  }

  static LedgerEvent grant(
      LedgerState sums,
      Instant now,
      Account account,
      BigDecimal epsilon,
      BigDecimal delta,
      String by,
      String note) {
    Balance balance = sums.standing(account, now);
    if (balance.allowance().isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          account + " has no limit in the policy, so there is nothing to add to.",
          "Give it one in the policy: privacy: {"
              + (account instanceof Account.Role ? "roles" : "analysts")
              + ": {"
              + account.name()
              + ": {budget: {epsilon: 1}}}}");
    }
    requireDelta(balance, epsilon, delta);
    Account recorded =
        account instanceof Account.Table table
            ? new Account.Table(sums.recorded(table.name()))
            : account;
    return new LedgerEvent.Granted(recorded, epsilon, delta, by, note);
  }
}
