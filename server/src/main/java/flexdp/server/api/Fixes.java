package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.Rejection;
import flexdp.sql.text.BoundText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which word of a text a refusal is about, and what to put in its place where the hint says that in
 * so many words.
 */
final class Fixes {
  private static final Pattern WORD =
      Pattern.compile("\"(?:[^\"]|\"\")*\"|[\\p{L}_][\\p{L}\\p{N}_$]*|[0-9.]+|'(?:[^']|'')*'|\\S");
  private static final Pattern MEANT = Pattern.compile("Did you mean '([^']+)'\\?");
  private static final Pattern MEANT_WORD =
      Pattern.compile("Did you mean (\\S+)(?: instead of (\\S+))?\\?");

  private Fixes() {}

  static void add(ObjectNode verdict, Rejection rejection, String sql) {
    ArrayNode fixes = Json.NODES.arrayNode();
    rejection
        .at()
        .ifPresent(
            at -> {
              int from = BoundText.offset(sql, at);
              Matcher word = WORD.matcher(sql).region(from, sql.length());
              int to = word.lookingAt() ? word.end() : Math.min(sql.length(), from + 1);
              verdict.put("from", from).put("to", to);
              add(fixes, rejection.message() + " " + rejection.hint(), sql, from, to);
            });
    verdict.set("fixes", fixes);
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
