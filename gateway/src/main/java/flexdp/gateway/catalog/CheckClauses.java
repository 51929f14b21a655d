package flexdp.gateway.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The CHECK (...) clauses of a CREATE TABLE statement, for databases that keep only its text. */
public final class CheckClauses {
  private static final Pattern PIECE =
      Pattern.compile(
          "'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^\\]]*\\]|--[^\\n]*|/\\*.*?\\*/"
              + "|(?<check>\\bCHECK\\s*\\()|(?<open>\\()|(?<close>\\))",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private CheckClauses() {}

  public static List<String> in(String sql) {
    List<String> clauses = new ArrayList<>();
    Matcher matcher = PIECE.matcher(sql);
    int depth = 0;
    int start = -1;
    int outside = 0;
    while (matcher.find()) {
      if (matcher.group("check") != null || matcher.group("open") != null) {
        if (matcher.group("check") != null && start < 0) {
          start = matcher.end() - 1;
          outside = depth;
        }
        depth++;
      } else if (matcher.group("close") != null) {
        depth--;
        if (start >= 0 && depth == outside) {
          clauses.add(sql.substring(start, matcher.end()));
          start = -1;
        }
      }
    }
    return List.copyOf(clauses);
  }
}
