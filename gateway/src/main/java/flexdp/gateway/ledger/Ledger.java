package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.failure.LedgerError;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The budget's book. No answer leaves without a charge on durable record: reserve before the query
 * runs, settle after. Whatever happens in between, the charge stays.
 */
public interface Ledger extends AnswerStore, AutoCloseable {
  /**
   * Charges every account of the request, or none. When this returns, the charge is durable.
   *
   * @throws BudgetExhausted when an account cannot pay
   * @throws TooManyFailures when the analyst is stopped
   * @throws flexdp.failure.DatabaseError when the question failed before, in whatever words
   * @throws flexdp.failure.Rejection when an account's composition does not take the mechanism
   * @throws LedgerError when the ledger cannot be trusted or written
   */
  Reservation reserve(ChargeRequest request);

  /**
   * Throws what {@link #reserve} would throw for want of budget. Nothing is charged, and what is
   * left may be another's by the time that it is.
   */
  default void requireRoom(ChargeRequest request) {
    for (Account account : request.accounts()) {
      Admission.check(standing(account), request);
    }
  }

  /** Records how it ended. */
  default void settle(Reservation reservation, ChargeOutcome outcome) {
    settle(reservation, outcome, List.of());
  }

  /**
   * Records how it ended and, in the same stroke, keeps what was released, so that it can be shown
   * again for free. On disk a moment later, or with the next charge: a crash in between loses the
   * ending and never the charge.
   *
   * @throws IllegalStateException when it was not reserved here, or has ended already
   * @throws TooManyFailures when the analyst was stopped while it ran: nothing is released
   */
  void settle(Reservation reservation, ChargeOutcome outcome, List<ReleasedAnswer> answers);

  /**
   * Records that a question did not come to an answer. On disk when this returns: what failed in
   * the database is not run again.
   *
   * @param meanings of what failed; see {@link ChargeRequest#meanings}
   * @throws TooManyFailures when the analyst was stopped while it ran: that it failed is not told
   */
  void fail(Reservation reservation, ChargeOutcome outcome, Set<String> meanings);

  /** The watches, and what became of them. */
  WatchRegister watches();

  /**
   * The owner has looked at the failures of an analyst, or of all; what failed may be tried again.
   */
  void clearFailures(Optional<String> analyst, String by, String note);

  /** The analysts of whose questions some failed lately, or who are stopped. */
  Map<String, FailureCount> failures();

  /** The owner adds to an account's allowance. */
  void grant(Account account, BigDecimal epsilon, BigDecimal delta, String by, String note);

  Balance standing(Account account);

  /** Every account that was ever charged or granted something, tables first. */
  default List<Balance> standings() {
    return standings(Set.of());
  }

  /** These accounts, and every other that was ever charged or granted something. */
  List<Balance> standings(Set<Account> first);

  /**
   * What was spent while rows were whose they are not under this policy, in words: it would be
   * forgotten.
   */
  List<String> moved(Policy policy);

  /**
   * Says which tables the policy's names are, so that charges go to what is charged and not to what
   * it is called. To be done before anything is charged.
   *
   * @throws LedgerError when a table may be one that was charged under another name
   */
  void bind(TableIdentities tables);

  /** Reads every entry in order, its place in the chain verified. */
  void read(Consumer<LedgerEntry> reader);

  /** Whether nothing was ever charged to it: it begins with the full budget. */
  boolean isNew();

  /** How long its users wait for a server that is away; not at all unless this says so. */
  void patience(Duration most);

  /** What keeps it from taking charges now, as far as can be told without writing anything. */
  Optional<LedgerError> fault();

  /** The identity of this ledger. */
  String id();

  @Override
  void close();

  /**
   * How an analyst stands whose questions failed in the database.
   *
   * @param recent within the policy's window, since the owner looked last
   * @param atMost so many stop the analyst
   */
  record FailureCount(int recent, int atMost, boolean stopped) {}

  /** A charge that is on record: the question may run now. */
  record Reservation(String ledger, long entry) {}
}
