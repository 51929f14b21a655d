package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEvent;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * What reading a whole ledger shows, its chain verified entry by entry.
 *
 * @param unsettled charges whose question crashed, or is running now
 * @param parted charges to parts of tables only
 * @param head the hash of the last entry: written down elsewhere, it proves later that no earlier
 *     entry was changed
 */
public record Audit(
    long entries,
    long charges,
    long parted,
    long grants,
    long adoptions,
    Map<ChargeOutcome, Long> outcomes,
    long unsettled,
    Instant first,
    Instant last,
    String head) {

  /**
   * @throws flexdp.failure.LedgerError when an entry is not what was written
   */
  public static Audit of(Ledger ledger) {
    Count count = new Count();
    ledger.read(count::add);
    long settled = count.outcomes.values().stream().mapToLong(n -> n).sum();
    return new Audit(
        count.entries,
        count.charges,
        count.parted,
        count.grants,
        count.adoptions,
        count.outcomes,
        count.charges - settled,
        count.first,
        count.last,
        count.head);
  }

  private static final class Count {
    private long entries;
    private long charges;
    private long parted;
    private long grants;
    private long adoptions;
    private final Map<ChargeOutcome, Long> outcomes = new EnumMap<>(ChargeOutcome.class);
    private Instant first = Instant.EPOCH;
    private Instant last = Instant.EPOCH;
    private String head = LedgerEntry.START;

    private void add(LedgerEntry entry) {
      first = entries == 0 ? entry.at() : first;
      entries++;
      last = entry.at();
      head = entry.hash();
      switch (entry.event()) {
        case LedgerEvent.Reserved reserved -> {
          charges++;
          parted += reserved.request().parts().isEmpty() ? 0 : 1;
        }
        case LedgerEvent.Granted ignored -> grants++;
        case LedgerEvent.Settled settled -> outcomes.merge(settled.outcome(), 1L, Long::sum);
        case LedgerEvent.Watch ignored -> {}
        case LedgerEvent.Opened ignored -> {}
        case LedgerEvent.Declared ignored -> {}
        case LedgerEvent.Bound ignored -> {}
        case LedgerEvent.Adopted ignored -> adoptions++;
        case LedgerEvent.OwnersAdopted ignored -> adoptions++;
        case LedgerEvent.FailuresCleared ignored -> {}
        case LedgerEvent.ClockAccepted ignored -> {}
        case LedgerEvent.LossAccepted ignored -> {}
      }
    }
  }
}
