package flexdp.gateway.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers found or released lately, in memory; safe for several threads. */
final class RecentAnswers {
  private static final int MOST = 2_000;
  private static final long MOST_CHARACTERS = 32_000_000;

  private final Map<List<String>, List<ReleasedAnswer>> recent =
      new LinkedHashMap<>(64, 0.75f, true);
  private long characters;

  synchronized List<ReleasedAnswer> find(String key, String snapshot) {
    return recent.getOrDefault(List.of(key, snapshot), List.of());
  }

  synchronized void keep(String key, String snapshot, List<ReleasedAnswer> answers) {
    forget(List.of(key, snapshot));
    if (size(answers) > MOST_CHARACTERS / 8) {
      return;
    }
    recent.put(List.of(key, snapshot), List.copyOf(answers));
    characters += size(answers);
    while (recent.size() > MOST || characters > MOST_CHARACTERS) {
      forget(recent.keySet().iterator().next());
    }
  }

  synchronized void forget(String key, String snapshot) {
    forget(List.of(key, snapshot));
  }

  private void forget(List<String> place) {
    List<ReleasedAnswer> gone = recent.remove(place);
    if (gone != null) {
      characters -= size(gone);
    }
  }

  private static long size(List<ReleasedAnswer> answers) {
    return answers.stream().mapToLong(a -> 200L + a.body().length()).sum();
  }
}
