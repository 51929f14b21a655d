package flexdp.gateway.ledger.store;

import flexdp.gateway.ledger.entry.Entry;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Where entries are kept. Used by one thread at a time; other processes may use the same place.
 *
 * <p>Every failure is a {@link flexdp.failure.LedgerError}; damage found in an entry is thrown as
 * such.
 */
public interface Store extends AutoCloseable {
  /** What a transaction may do. */
  interface Session {
    /** Hands over the entries after the given one, in order. */
    void after(long seq, Consumer<Entry> reader);

    void append(Entry entry);

    /** Keeps an answer that the reservation paid for. */
    void keep(ReleasedAnswer answer, long reservation);

    /** Answers for a key at a snapshot, newest first. */
    default List<ReleasedAnswer> find(String key, String snapshot) {
      return answers(AnswerRows.BY_KEY, List.of(key, snapshot));
    }

    /**
     * The newest answers about the same rows at a snapshot, newest first; of one analyst or all.
     */
    default List<ReleasedAnswer> family(String family, String snapshot, Optional<String> analyst) {
      return answers(
          AnswerRows.byFamily(analyst),
          Stream.concat(Stream.of(family, snapshot), analyst.stream()).toList());
    }

    /** Hands over all answers that are kept, each with the reservation that paid for it. */
    void released(BiConsumer<ReleasedAnswer, Long> reader);

    /** Whether the entries go on elsewhere: then none is taken here any more. */
    boolean isMoved();

    /** Says whether the entries go on elsewhere. */
    void moved(boolean elsewhere);

    /**
     * @param query one of {@link AnswerRows}
     * @param by its values
     */
    List<ReleasedAnswer> answers(String query, List<String> by);
  }

  /** Nobody else writes while it runs; when it returns, what it appended is on disk. */
  <T> T exclusively(Function<Session, T> work);

  /** One consistent view; appends nothing. */
  <T> T reading(Function<Session, T> work);

  /** Whether it could take an entry now, without writing one; otherwise it throws why. */
  void check();

  /** How long its users wait for a server that is away. */
  default void patience(Duration most) {}

  /** How messages call the place. */
  String place();

  @Override
  void close();
}
