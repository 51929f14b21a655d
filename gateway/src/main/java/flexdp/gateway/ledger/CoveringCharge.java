package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError;
import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A charge that stands for charges that were lost: every table and every kind of people pays it,
 * whether there is budget for it or not.
 *
 * @param epsilon what each of them pays
 */
public record CoveringCharge(Policy policy, BigDecimal epsilon, BigDecimal delta, String owner) {
  public CoveringCharge {
    if (epsilon.signum() <= 0 || delta.signum() < 0 || delta.compareTo(BigDecimal.ONE) >= 0) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "a charge for lost entries has an epsilon above 0 and a delta from 0 to below 1",
          "Write --charge EPSILON, as large as all that is missing together.");
    }
  }

  /**
   * A ledger that is being written.
   *
   * @param append takes the next event
   */
  public record Place(LedgerState state, Consumer<LedgerEvent> append) {}

  /** Writes it down. */
  public void charge(Place place) {
    LedgerState state = place.state();
    Set<String> tables = new HashSet<>(state.chargedTables());
    policy.tables().values().stream()
        .filter(Table::isProtected)
        .flatMap(table -> table.units().stream())
        .map(Account::of)
        .forEach(account -> tables.add(name(account, state)));
    state.accounts(Set.of()).stream()
        .filter(account -> account instanceof Account.People)
        .forEach(account -> tables.add(name(account, state)));
    Cost cost = new Cost.Pure(epsilon, epsilon.multiply(epsilon), delta);
    ChargeRequest request =
        new ChargeRequest(
            owner, Set.of(), "charged for entries that were lost", tables, "lost", cost, "");
    place.append().accept(new Admission(Allowances.of(policy)).cover(state, request));
    place.append().accept(new LedgerEvent.Settled(state.seq(), ChargeOutcome.LOST, Set.of()));
  }

  private static String name(Account account, LedgerState state) {
    return account instanceof Account.People people
        ? ChargeRequest.people(people.name())
        : state.recorded(account.name());
  }

  /** The newest entry that is known of a ledger, by its anchor, by sight and by the metrics. */
  static Optional<Anchor.Mark> newest(
      Path anchor, Optional<String> ledger, Optional<KnownLedger> measured) {
    Optional<Anchor.Mark> kept;
    try {
      kept = Anchor.read(anchor);
    } catch (LedgerError e) {
      kept = Optional.empty();
    }
    Optional<Anchor.Mark> seen = ledger.flatMap(SeenLedgers::read);
    return Stream.of(seen, kept, measured.flatMap(KnownLedger::mark))
        .flatMap(Optional::stream)
        .filter(mark -> ledger.isEmpty() || ledger.get().equals(mark.ledger()))
        .reduce((a, b) -> b.seq() > a.seq() ? b : a);
  }
}
