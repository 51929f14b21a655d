package flexdp.gateway.ledger;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import java.time.Instant;
import java.util.Optional;

/**
 * The ledger that metrics were measured beside, and how far it had got.
 *
 * @param last its last entry then; metrics of earlier versions do not say
 */
public record KnownLedger(String id, Optional<Last> last) {
  /**
   * An entry, and how many charges there were up to it.
   *
   * @param at its time, after which the owner may have accepted that it is lost
   */
  public record Last(long entry, String hash, long charges, Instant at) {
    /**
     * @throws IllegalArgumentException when it is not what {@link #text} writes
     */
    public static Last of(String text) {
      String[] words = text.split(" ", -1);
      if (words.length != 4) {
        throw new IllegalArgumentException("not an entry: " + text);
      }
      try {
        return new Last(
            Long.parseLong(words[0]), words[1], Long.parseLong(words[2]), Instant.parse(words[3]));
      } catch (java.time.DateTimeException e) {
        throw new IllegalArgumentException("not an entry: " + text, e);
      }
    }

    public String text() {
      return entry + " " + hash + " " + charges + " " + at;
    }
  }

  static KnownLedger of(LedgerState state) {
    return new KnownLedger(
        state.ledger().orElseThrow(),
        Optional.of(new Last(state.seq(), state.hash(), state.charges(), state.last())));
  }

  /** The entry that a ledger has to contain, unless a loss was accepted after it. */
  Optional<Anchor.Mark> mark(LedgerState state) {
    boolean same = state.ledger().equals(Optional.of(id));
    return last.filter(l -> same && !state.lostSince(l.at())).flatMap(ignored -> mark());
  }

  Optional<Anchor.Mark> mark() {
    return last.map(l -> new Anchor.Mark(id, l.entry(), l.hash(), Optional.of(l.charges())));
  }

  /** Refuses the same ledger as it was before, or as a copy of it went on. */
  void require(LedgerStore.Session session, LedgerState state) {
    Optional<Anchor.Mark> mark = mark(state).filter(m -> !m.isIn(session));
    if (mark.isPresent()) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_ROLLED_BACK,
          "The ledger "
              + state.place()
              + SeenLedgers.gone(mark.get(), state, "the one that the metrics were measured beside")
              + ".",
          RepairCommands.OLDER);
    }
  }
}
