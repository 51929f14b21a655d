package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.Entry;
import flexdp.gateway.ledger.entry.Event;
import flexdp.gateway.ledger.entry.Outcome;
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
    Map<Outcome, Long> outcomes,
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
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private Instant first = Instant.EPOCH;
    private Instant last = Instant.EPOCH;
    private String head = Entry.START;

    private void add(Entry entry) {
      first = entries == 0 ? entry.at() : first;
      entries++;
      last = entry.at();
      head = entry.hash();
      switch (entry.event()) {
        case Event.Reserved reserved -> {
          charges++;
          parted += reserved.request().parts().isEmpty() ? 0 : 1;
        }
        case Event.Granted ignored -> grants++;
        case Event.Settled settled -> outcomes.merge(settled.outcome(), 1L, Long::sum);
        case Event.Watch ignored -> {}
        case Event.Opened ignored -> {}
        case Event.Declared ignored -> {}
        case Event.Bound ignored -> {}
        case Event.Adopted ignored -> adoptions++;
        case Event.OwnersAdopted ignored -> adoptions++;
        case Event.FailuresCleared ignored -> {}
        case Event.ClockAccepted ignored -> {}
        case Event.LossAccepted ignored -> {}
      }
    }
  }
}
