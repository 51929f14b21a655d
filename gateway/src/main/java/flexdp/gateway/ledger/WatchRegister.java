package flexdp.gateway.ledger;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.ledger.entry.WatchStep;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The watches of a ledger. Every step is an entry of its chain, on disk before anybody hears of it:
 * who puts back an older file has no more hits than before, or is found out.
 */
public final class WatchRegister {
  private final ChainedLedger ledger;
  private final Admission admission;
  private final Clock clock;

  WatchRegister(ChainedLedger ledger, Admission admission, Clock clock) {
    this.ledger = ledger;
    this.admission = admission;
    this.clock = clock;
  }

  /** All watches that were ever armed, the oldest first. */
  public List<WatchState> all() {
    return ledger.reading(sums -> sums.watches().states());
  }

  /**
   * Charges for a watch, in full.
   *
   * @param seal the hash of what is kept elsewhere, which has been written
   * @throws BudgetExhausted when an account cannot pay; nothing else may go wrong after the charge
   *     but that somebody took the name meanwhile
   */
  public long arm(ChargeRequest request, String name, String seal) {
    if (!request.isWatch()) {
      throw new IllegalArgumentException("not a watch: " + request.mechanism());
    }
    long charge = ledger.reserve(request).entry();
    boolean[] taken = {false};
    ledger.append(
        (sums, now) -> {
          taken[0] =
              sums.watches().states().stream()
                  .anyMatch(
                      w ->
                          w.isOpen()
                              && w.analyst().equals(request.analyst())
                              && w.name().equals(name));
          // What never looks ends here, or it would count for ever under a budget with a window.
          return taken[0]
              ? new LedgerEvent.Settled(charge, ChargeOutcome.CANCELLED, Set.of())
              : new LedgerEvent.Watch(charge, WatchStep.ARMED, seal + " " + name);
        });
    if (taken[0]) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "another watch took this name meanwhile", "It stays charged.");
    }
    return charge;
  }

  /**
   * Says what a request for one more look would be told of failures before; charges nothing.
   *
   * @throws TooManyFailures when the analyst is stopped
   * @throws flexdp.failure.DatabaseError when the question failed before, in whatever words
   */
  public void permit(ChargeRequest request) {
    ledger.reading(
        sums -> {
          admission.refuse(sums.failures(), clock.instant(), request);
          return null;
        });
  }

  /**
   * A turn begins: each can once, and none before one that was.
   *
   * @param most how often it may strike
   */
  public void begin(long charge, String label, int most) {
    ledger.append(
        (sums, now) -> {
          WatchState state = open(sums, charge);
          boolean over = state.hits() >= most;
          boolean past = state.last().filter(t -> t.label().compareTo(label) >= 0).isPresent();
          if (over || past) {
            throw ConfigurationError.of(
                Code.BAD_USAGE,
                over ? "the watch has hit as often as it may" : "this period has been looked at");
          }
          return new LedgerEvent.Watch(charge, WatchStep.BEGUN, label);
        });
  }

  /**
   * How a turn ended. Two processes may have begun two turns; once it has hit as often as it may,
   * what the other one found is never told, be it a hit or a miss.
   *
   * @param gap of a hit; none of a miss
   * @param most how often it may strike
   * @return whether it has hit as often as it may
   */
  public boolean end(long charge, String label, Optional<BigDecimal> gap, int most) {
    boolean[] over = {false};
    ledger.append(
        (sums, now) -> {
          int hits = open(sums, charge).hits();
          over[0] = hits + (gap.isPresent() ? 1 : 0) >= most;
          if (hits >= most) {
            return new LedgerEvent.Watch(charge, WatchStep.LOST, label);
          }
          return gap.isPresent()
              ? new LedgerEvent.Watch(
                  charge, WatchStep.HIT, label + " " + gap.get().toPlainString())
              : new LedgerEvent.Watch(charge, WatchStep.MISS, label);
        });
    return over[0];
  }

  /** A turn ended without anything being found. */
  public void lose(long charge, String label) {
    ledger.append(
        (sums, now) -> {
          open(sums, charge);
          return new LedgerEvent.Watch(charge, WatchStep.LOST, label);
        });
  }

  /**
   * Closes a watch; one that is closed stays so.
   *
   * @param failed what is not to be run again
   * @return whether this is on record; not when another process closed it before
   */
  public boolean close(long charge, ChargeOutcome outcome, Set<String> failed) {
    try {
      ledger.append(
          (sums, now) -> {
            open(sums, charge);
            return new LedgerEvent.Settled(
                charge, outcome, outcome.isFailure() ? failed : Set.of());
          });
      return true;
    } catch (ConfigurationError e) {
      if (ledger.reading(sums -> sums.isOpen(charge))) {
        throw e;
      }
      return false;
    }
  }

  /** The names under which tables of the policy are charged now. */
  public Set<String> recorded(Set<String> tables) {
    return ledger.reading(
        sums ->
            tables.stream()
                .map(name -> ChargeRequest.isPeople(name) ? name : sums.recorded(name))
                .collect(Collectors.toSet()));
  }

  private static WatchState open(LedgerState sums, long charge) {
    return sums.watches()
        .state(charge)
        .filter(WatchState::isOpen)
        .orElseThrow(WatchRegister::closed);
  }

  /** What is said, whatever a look found, when its watch was closed before it ended. */
  public static ConfigurationError closed() {
    return ConfigurationError.of(Code.BAD_USAGE, "the watch was closed meanwhile");
  }

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
      ChargeRequest request,
      String name,
      String seal,
      Instant armed,
      Optional<ChargeOutcome> ended,
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
}
