package flexdp.sql.parse;

import java.util.List;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class SpellingSuggestion {
  private SpellingSuggestion() {}

  /** The one of some words that a misspelt word is one or two slips away from. */
  static Optional<String> nearest(SqlToken word, List<String> known) {
    if (word.kind() != SqlToken.Kind.WORD
        || word.text().length() < 3
        || word.text().length() > 20) {
      return Optional.empty();
    }
    String best = null;
    int least = word.text().length() <= 5 ? 2 : 3;
    for (String candidate : known) {
      int distance = distance(word.upper(), candidate);
      if (distance > 0 && distance < least) {
        best = candidate;
        least = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Insertions, deletions, changes and exchanges of neighbours. */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + change, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
