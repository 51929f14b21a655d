package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.Outcome;
import flexdp.gateway.ledger.entry.Request;
import flexdp.gateway.ledger.entry.WatchStep;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A watch as the ledger knows it. What its threshold was shifted by is not here.
 *
 * @param charge the entry that paid for it
 * @param seal the hash of what is kept of it elsewhere, its noise among it
 * @param ended how, unless it is armed
 * @param turns in order, each with the last that is known of it
 */
public record WatchState(
    long charge,
    Request request,
    String name,
    String seal,
    Instant armed,
    Optional<Outcome> ended,
    List<Turn> turns) {
  /**
   * A time at which it looked.
   *
   * @param label the beginning of the period, as ISO text, which sorts as time does
   */
  public record Turn(String label, WatchStep step, Optional<BigDecimal> gap) {}

  public WatchState {
    turns = List.copyOf(turns);
  }

  public boolean isOpen() {
    return ended.isEmpty();
  }

  public String analyst() {
    return request.analyst();
  }

  /** How often it struck. */
  public int hits() {
    return (int) turns.stream().filter(t -> t.step() == WatchStep.HIT).count();
  }

  public Optional<Turn> last() {
    return turns.isEmpty() ? Optional.empty() : Optional.of(turns.getLast());
  }
}
