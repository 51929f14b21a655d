package flexdp.gateway.reuse;

import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads kept answers, and keeps what was read lately; safe for several threads. */
final class RecentReadings {
  private static final int MOST = 1_000;

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

  private final Map<ByText, KeptAnswer> recent = new LinkedHashMap<>(64, 0.75f, true);

  /** Nothing when it was written by another version, which costs budget and nothing else. */
  Optional<KeptAnswer> read(ReleasedAnswer answer) {
    Optional<KeptAnswer> known = known(answer);
    if (known.isPresent()) {
      return known;
    }
    try {
      KeptAnswer read = KeptAnswer.read(answer);
      keep(read);
      return Optional.of(read);
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private synchronized Optional<KeptAnswer> known(ReleasedAnswer answer) {
    return Optional.ofNullable(recent.get(new ByText(answer)));
  }

  private synchronized void keep(KeptAnswer read) {
    if (read.answer().body().length() > LONGEST) {
      return;
    }
    recent.put(new ByText(read.answer()), read);
    if (recent.size() > MOST) {
      recent.remove(recent.keySet().iterator().next());
    }
  }
}
