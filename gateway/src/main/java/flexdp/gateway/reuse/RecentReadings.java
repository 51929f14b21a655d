package flexdp.gateway.reuse;

import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.time.DateTimeException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Reads kept answers, and keeps what was read lately; safe for several threads. */
final class RecentReadings {
  private static final int MOST = 2_000;

  /** Larger ones are read again each time. */
  private static final int LONGEST = 50_000;

  /** An answer, found by texts whose hash is computed once and kept. */
  private record ByText(ReleasedAnswer answer) {
    @Override
    public boolean equals(Object other) {
      return other instanceof ByText(ReleasedAnswer that)
          && (that == answer || that.equals(answer));
    }

    @Override
    public int hashCode() {
      return 31 * answer.key().hashCode() + answer.body().hashCode();
    }
  }

  private final Map<ByText, KeptAnswer> recent = new ConcurrentHashMap<>();

  /** Nothing when it was written by another version, which costs budget and nothing else. */
  Optional<KeptAnswer> read(ReleasedAnswer answer) {
    KeptAnswer known = recent.get(new ByText(answer));
    if (known != null) {
      return Optional.of(known);
    }
    try {
      KeptAnswer read = KeptAnswer.read(answer);
      keep(read);
      return Optional.of(read);
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Hundreds are looked up for one question: they are forgotten together, not by their age. */
  private void keep(KeptAnswer read) {
    if (read.answer().body().length() > LONGEST) {
      return;
    }
    if (recent.size() >= MOST) {
      recent.clear();
    }
    recent.put(new ByText(read.answer()), read);
  }
}
