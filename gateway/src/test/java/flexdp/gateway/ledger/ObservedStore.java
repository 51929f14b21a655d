package flexdp.gateway.ledger;

import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.store.LedgerStore;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A store that tells when its transactions reach an entry or begin to write, so that something else
 * can happen at exactly that moment.
 *
 * @param whileReading called with each entry that a reading transaction hands over
 * @param beforeWriting called before the lock is asked for
 */
record ObservedStore(LedgerStore store, Consumer<LedgerEntry> whileReading, Runnable beforeWriting)
    implements LedgerStore {
  @Override
  public <T> T exclusively(Function<Session, T> work) {
    beforeWriting.run();
    return store.exclusively(work);
  }

  @Override
  public <T> T reading(Function<Session, T> work) {
    return store.reading(session -> work.apply(new Observed(session, whileReading)));
  }

  @Override
  public void check() {
    store.check();
  }

  @Override
  public String place() {
    return store.place();
  }

  @Override
  public void close() {
    store.close();
  }

  private record Observed(Session session, Consumer<LedgerEntry> whileReading) implements Session {
    @Override
    public void after(long seq, Consumer<LedgerEntry> reader) {
      session.after(seq, whileReading.andThen(reader));
    }

    @Override
    public void append(LedgerEntry entry) {
      session.append(entry);
    }

    @Override
    public void keep(ReleasedAnswer answer, long reservation) {
      session.keep(answer, reservation);
    }

    @Override
    public void released(BiConsumer<ReleasedAnswer, Long> reader) {
      session.released(reader);
    }

    @Override
    public boolean isMoved() {
      return session.isMoved();
    }

    @Override
    public void moved(boolean elsewhere) {
      session.moved(elsewhere);
    }

    @Override
    public List<ReleasedAnswer> answers(String query, List<String> by) {
      return session.answers(query, by);
    }
  }
}
