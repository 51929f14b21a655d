package flexdp.gateway.watch;

import flexdp.gateway.ask.WatchOrder;
import flexdp.gateway.ask.WatchView;
import flexdp.gateway.ledger.WatchState;
import flexdp.gateway.ledger.entry.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Watches as analysts see them. */
final class WatchViews {
  private WatchViews() {}

  static WatchView of(WatchState state, Optional<WatchOrder> order) {
    WatchView.State now =
        order.isEmpty()
            ? WatchView.State.LOST
            : state.isOpen() ? WatchView.State.ARMED : WatchView.State.CLOSED;
    List<WatchView.Turn> turns = new ArrayList<>();
    boolean failed = state.ended().filter(Outcome::isFailure).isPresent();
    state
        .turns()
        .forEach(t -> turns.add(new WatchView.Turn(t.label(), verdict(t, failed), t.gap())));
    return new WatchView(
        state.name(),
        state.analyst(),
        state.request().query(),
        now,
        order,
        state.request().cost().epsilon(),
        state.armed(),
        turns,
        note(now, state));
  }

  private static WatchView.Verdict verdict(WatchState.Turn turn, boolean failed) {
    return switch (turn.step()) {
      case HIT -> WatchView.Verdict.HIT;
      case MISS -> WatchView.Verdict.MISS;
      case LOST -> WatchView.Verdict.FAILED;
      case BEGUN -> failed ? WatchView.Verdict.FAILED : WatchView.Verdict.UNFINISHED;
      case ARMED -> throw new IllegalStateException("no turn");
    };
  }

  private static String note(WatchView.State now, WatchState state) {
    if (now == WatchView.State.LOST) {
      return state.isOpen()
          ? "Its noise is not kept here. Nothing is drawn again: arm another where it is wanted."
          : "Its noise was lost, and is not drawn again. Arm another.";
    }
    return state
        .ended()
        .map(
            outcome ->
                switch (outcome) {
                  case RELEASED -> "It has struck as often as it was to.";
                  case CANCELLED -> "It was removed.";
                  case FAILED, TIMED_OUT ->
                      "The database failed, and what failed is not run again. The owner can let it"
                          + " be tried again: ./flexdp budget clear-failures --policy FILE";
                  case LOST -> "Its noise was lost, and is not drawn again.";
                })
        .orElse("");
  }
}
