package flexdp.gateway.ledger;

import flexdp.budget.Spent;
import flexdp.gateway.ledger.entry.Event;
import flexdp.gateway.ledger.entry.Outcome;
import flexdp.gateway.ledger.entry.Request;
import flexdp.gateway.ledger.entry.WatchStep;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What became of watches: a fold over their charges, their steps and their ends. */
final class WatchTurns {
  /** What a watch that has ended had paid. */
  record Paid(Request request, Spent spent) {}

  private static final class Watch {
    private final Paid paid;
    private final Map<String, WatchState.Turn> turns = new LinkedHashMap<>();
    private Optional<Instant> armed = Optional.empty();
    private String seal = "";
    private String name = "";
    private Optional<Outcome> ended = Optional.empty();

    private Watch(Paid paid) {
      this.paid = paid;
    }
  }

  private final Map<Long, Watch> watches = new LinkedHashMap<>();

  void charge(long entry, Request request, Spent spent) {
    watches.put(entry, new Watch(new Paid(request, spent)));
  }

  /** What it had paid, when it was a watch that ended. */
  Optional<Paid> end(Event.Settled settled) {
    Watch watch = watches.get(settled.reservation());
    if (watch == null) {
      return Optional.empty();
    }
    watch.ended = Optional.of(settled.outcome());
    return Optional.of(watch.paid);
  }

  /** Whether there was such a watch, and this may be its next step. */
  boolean step(Event.Watch step, Instant at) {
    Watch watch = watches.get(step.charge());
    boolean arms = step.step() == WatchStep.ARMED;
    if (watch == null || watch.ended.isPresent() || watch.armed.isEmpty() != arms) {
      return false;
    }
    String[] words = step.note().split(" ", 2);
    if (arms) {
      watch.armed = Optional.of(at);
      watch.seal = words[0];
      watch.name = words.length > 1 ? words[1] : "";
      return true;
    }
    WatchState.Turn before = watch.turns.get(words[0]);
    boolean begins = step.step() == WatchStep.BEGUN;
    if (begins ? before != null : before == null || before.step() != WatchStep.BEGUN) {
      return false;
    }
    Optional<BigDecimal> gap =
        words.length > 1 ? Optional.of(new BigDecimal(words[1])) : Optional.empty();
    watch.turns.put(words[0], new WatchState.Turn(words[0], step.step(), gap));
    return true;
  }

  /** All that were armed, the oldest first. */
  List<WatchState> states() {
    List<WatchState> states = new ArrayList<>();
    watches.forEach((charge, watch) -> state(charge).ifPresent(states::add));
    return states;
  }

  Optional<WatchState> state(long charge) {
    return Optional.ofNullable(watches.get(charge))
        .flatMap(
            watch ->
                watch.armed.map(
                    at ->
                        new WatchState(
                            charge,
                            watch.paid.request(),
                            watch.name,
                            watch.seal,
                            at,
                            watch.ended,
                            List.copyOf(watch.turns.values()))));
  }
}
