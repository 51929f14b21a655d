package flexdp.gateway.ledger.entry;

import flexdp.budget.Account;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.ledger.TableNames;
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** What an entry records. */
public sealed interface LedgerEvent {
  /** The first entry. */
  record Opened(String ledger, String note) implements LedgerEvent {}

  /**
   * A charge, made before the query runs.
   *
   * @param request its tables are named as {@link TableNames} has them, not by the policy
   * @param basis absent in entries of the first format
   */
  record Reserved(ChargeRequest request, Optional<PrivacyBasis> basis) implements LedgerEvent {}

  /**
   * How a reserved question ended.
   *
   * @param failed the meanings that are not to be run again
   */
  record Settled(long reservation, ChargeOutcome outcome, Set<String> failed)
      implements LedgerEvent {}

  /**
   * A step of a watch, which is a charge that stays open for as long as it watches.
   *
   * @param charge the entry that paid for it
   * @param note of the arming its seal and name, otherwise the turn and, of a hit, the gap
   */
  record Watch(long charge, WatchStep step, String note) implements LedgerEvent {}

  /** The owner added to an allowance. */
  record Granted(Account account, BigDecimal epsilon, BigDecimal delta, String owner, String note)
      implements LedgerEvent {}

  /** The terms that the policy sets from here on; an owner is named when they accepted it. */
  record Declared(CountingTerms terms, String owner) implements LedgerEvent {}

  /** Which tables of the database a policy's words are. */
  record Bound(SortedMap<String, TableIdentity> tables) implements LedgerEvent {}

  /**
   * The owner said how the entries before count under another policy.
   *
   * @param tables which tables its words are
   * @param merged by word, the accounts that go on as the one of its table
   */
  record Adopted(
      CountingTerms terms,
      SortedMap<String, TableIdentity> tables,
      SortedMap<String, List<String>> merged,
      String owner,
      String note)
      implements LedgerEvent {}

  /**
   * The owner accepted that rows are other people's from here on, or that rows are people's: the
   * answers before protect whom the policy named then.
   *
   * @param whose whom charges protect from here on; see {@link flexdp.budget.PrivacyUnitKey}
   * @param carried by account, the accounts whose spending counts there as well
   */
  record OwnersAdopted(
      String whose, SortedMap<String, List<String>> carried, String owner, String note)
      implements LedgerEvent {}

  /**
   * The owner has looked at the failures.
   *
   * @param analyst whose, or everybody's
   */
  record FailuresCleared(Optional<String> analyst, String owner, String note)
      implements LedgerEvent {}

  /** The owner accepted that the clock stands before earlier entries; time starts again here. */
  record ClockAccepted(String owner, String note) implements LedgerEvent {}

  /** The owner accepted that entries were lost. */
  record LossAccepted(String owner, String note) implements LedgerEvent {}
}
