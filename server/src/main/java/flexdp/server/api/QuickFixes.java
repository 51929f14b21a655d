package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.sql.parse.ParameterSubstitution;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which word of a text a refusal is about, and what to put in its place where the hint says that in
 * so many words.
 */
final class QuickFixes {
  private static final Pattern WORD =
      Pattern.compile("\"(?:[^\"]|\"\")*\"|[\\p{L}_][\\p{L}\\p{N}_$]*|[0-9.]+|'(?:[^']|'')*'|\\S");
  private static final Pattern MEANT = Pattern.compile("Did you mean '([^']+)'\\?");
  private static final Pattern MEANT_WORD =
      Pattern.compile("Did you mean (\\S+)(?: instead of (\\S+))?\\?");

  private static final Pattern ROWS =
      Pattern.compile(
          "(?is)\\s*(SELECT)\\s+((?:[^()'\"](?!\\bFROM\\b))+?)\\s+"
              + "(FROM\\b(?:(?!\\b(?:GROUP|ORDER|LIMIT|UNION|HAVING|FETCH)\\b).)*?)"
              + "(?:\\b(?:ORDER|LIMIT|FETCH)\\b.*)?;?\\s*");

  private QuickFixes() {}

  /**
   * @param accepted whether a text would be accepted: what is made up here is offered only then
   */
  static void add(ObjectNode verdict, Rejection rejection, String sql, Predicate<String> accepted) {
    ArrayNode fixes = Json.NODES.arrayNode();
    rejection
        .at()
        .ifPresent(
            at -> {
              int from = ParameterSubstitution.offset(sql, at);
              Matcher word = WORD.matcher(sql).region(from, sql.length());
              int to = word.lookingAt() ? word.end() : Math.min(sql.length(), from + 1);
              verdict.put("from", from).put("to", to);
              add(fixes, rejection.message() + " " + rejection.hint(), sql, from, to);
            });
    if (rejection.code() == RejectionCode.RAW_ROWS) {
      counted(fixes, sql, accepted);
    }
    verdict.set("fixes", fixes);
  }

  /**
   * Rows are not to be had; how many there are is, by the values of a column where one is named.
   */
  private static void counted(ArrayNode fixes, String sql, Predicate<String> accepted) {
    Matcher plain = ROWS.matcher(sql);
    if (!plain.matches()) {
      return;
    }
    String what = plain.group(2).strip();
    int from = plain.start(2);
    int end = plain.end(3);
    boolean all = what.equals("*") || what.endsWith(".*") || what.contains(",");
    String list = all ? "COUNT(*)" : what + ", COUNT(*)";
    String text = list + sql.substring(plain.end(2), end).stripTrailing();
    String grouped = all ? text : text + " GROUP BY " + what;
    if (accepted.test(sql.substring(0, from) + grouped)) {
      fixes
          .addObject()
          .put("title", all ? "Count the rows" : "Count the rows by " + what)
          .put("from", from)
          .put("to", sql.length())
          .put("text", grouped);
    }
  }

  private static void add(ArrayNode fixes, String words, String sql, int from, int to) {
    Matcher name = MEANT.matcher(words);
    Matcher word = MEANT_WORD.matcher(words);
    if (name.find()) {
      // A column may be named with its table: only its last part is wrong.
      int start = from;
      Matcher part = WORD.matcher(sql).region(to, sql.length());
      if (to < sql.length() && sql.charAt(to) == '.' && !name.group(1).contains(".")) {
        part.region(to + 1, sql.length());
        if (part.lookingAt()) {
          fix(fixes, name.group(1), to + 1, part.end());
          return;
        }
      }
      fix(fixes, name.group(1), start, to);
    } else if (word.find()) {
      int start = word.group(2) == null ? from : sql.indexOf(word.group(2), 0);
      int end = word.group(2) == null ? to : start + word.group(2).length();
      if (start >= 0) {
        fix(fixes, word.group(1), start, end);
      }
    }
  }

  private static void fix(ArrayNode fixes, String text, int from, int to) {
    fixes
        .addObject()
        .put("title", "Write " + text)
        .put("from", from)
        .put("to", to)
        .put("text", text);
  }
}
