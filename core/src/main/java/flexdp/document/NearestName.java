package flexdp.document;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that somebody probably meant. */
public final class NearestName {
  private static final int LONGEST = 200;

  private NearestName() {}

  /** The closest of the known names, unless even that one is far off. */
  public static Optional<String> to(String name, Collection<String> known) {
    if (name.length() > LONGEST) {
      return Optional.empty();
    }
    String wanted = name.toLowerCase(Locale.ROOT);
    String best = null;
    int least = Math.max(1, (name.length() + 1) / 3) + 1;
    for (String candidate : known) {
      if (Math.abs(candidate.length() - name.length()) >= least) {
        continue;
      }
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /** " Did you mean 'x'?", or nothing. */
  public static String question(String name, Collection<String> known) {
    return to(name, known).map(n -> " Did you mean '" + n + "'?").orElse("");
  }

  /**
   * Insertions, deletions, replacements and exchanges of neighbours that turn one into the other.
   */
  private static int distance(String a, String b) {
    int[] older = new int[b.length() + 1];
    int[] old = new int[b.length() + 1];
    int[] now = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      old[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      now[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        now[j] = Math.min(Math.min(now[j - 1], old[j]) + 1, old[j - 1] + same);
        boolean exchanged =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (exchanged) {
          now[j] = Math.min(now[j], older[j - 2] + 1);
        }
      }
      int[] spare = older;
      older = old;
      old = now;
      now = spare;
    }
    return old[b.length()];
  }
}
