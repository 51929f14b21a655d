package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A question that failed in the database and that the owner has not looked at yet. */
public record FailedQuestion(Instant at, String analyst, ChargeOutcome outcome, String query) {
  /** All of a ledger, the oldest first. */
  public static List<FailedQuestion> of(Ledger ledger) {
    Map<Long, ChargeRequest> open = new HashMap<>();
    List<FailedQuestion> failed = new ArrayList<>();
    ledger.read(
        entry -> {
          if (entry.event() instanceof LedgerEvent.Reserved reserved) {
            open.put(entry.seq(), reserved.request());
          } else if (entry.event() instanceof LedgerEvent.Settled settled) {
            ChargeRequest request = open.remove(settled.reservation());
            if (!settled.failed().isEmpty()) {
              failed.add(
                  new FailedQuestion(
                      entry.at(), request.analyst(), settled.outcome(), request.query()));
            }
          } else if (entry.event() instanceof LedgerEvent.FailuresCleared cleared) {
            failed.removeIf(f -> cleared.analyst().map(f.analyst()::equals).orElse(true));
          }
        });
    return List.copyOf(failed);
  }
}
