package flexdp.sql.function;

import java.util.Locale;

/** How written names meet known ones. */
public final class NameMatching {
  private NameMatching() {}

  /** Unquoted names match in any case; quoted ones do so too when nothing matches exactly. */
  public static boolean match(String written, String known) {
    return written.equalsIgnoreCase(known);
  }

  /**
   * The known name nearest to a misspelt one, the first of several, as a sentence; other advice
   * when none is near.
   */
  public static String didYouMean(String written, Iterable<String> known, String otherwise) {
    String wanted = written.toLowerCase(Locale.ROOT);
    String best = null;
    int least = Math.max(2, wanted.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT), least);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best == null ? otherwise : "Did you mean '" + best + "'?";
  }

  /** Edits between two words, or {@code limit} when there are at least that many. */
  private static int distance(String one, String two, int limit) {
    if (Math.abs(one.length() - two.length()) >= limit || one.length() > 200) {
      return limit;
    }
    int[] higher = new int[two.length() + 1];
    int[] above = new int[two.length() + 1];
    int[] row = new int[two.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= two.length(); j++) {
        int change = one.charAt(i - 1) == two.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(above[j - 1] + change, 1 + Math.min(above[j], row[j - 1]));
        if (isExchanged(one, i, two, j)) {
          row[j] = Math.min(row[j], 1 + higher[j - 2]);
        }
      }
      int[] spare = higher;
      higher = above;
      above = row;
      row = spare;
    }
    return above[two.length()];
  }

  /** Whether the last two letters are the other's in the other order. */
  private static boolean isExchanged(String one, int i, String two, int j) {
    return i > 1
        && j > 1
        && one.charAt(i - 1) == two.charAt(j - 2)
        && one.charAt(i - 2) == two.charAt(j - 1);
  }
}
