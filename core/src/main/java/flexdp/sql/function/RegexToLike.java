package flexdp.sql.function;

import flexdp.algebra.ConstantLimits;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;

/**
 * A regular expression written out as patterns of LIKE: characters, {@code .}, {@code .*}, {@code
 * .+}, groups, alternatives, {@code ?}, {@code {n}}, small classes, {@code \d}, {@code ^} and
 * {@code $}. Anything else is refused, as is what would be too many patterns.
 */
final class RegexToLike {
  private static final int MOST = 200;
  private static final int LONGEST = 1_000;
  private static final int MOST_TIMES = 20;
  private static final String WORD =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

  private final String text;
  private final boolean similar;
  private final boolean classesOnly;
  private final SqlCall at;
  private int i;

  RegexToLike(String text, boolean similar, SqlCall at) {
    this(text, similar, false, at);
  }

  private RegexToLike(String text, boolean similar, boolean classesOnly, SqlCall at) {
    this.text = text;
    this.similar = similar;
    this.classesOnly = classesOnly;
    this.at = at;
    if (text.length() > LONGEST || text.chars().anyMatch(c -> Character.isSurrogate((char) c))) {
      throw refused();
    }
  }

  /** A pattern of LIKE that has classes in brackets besides. */
  static RegexToLike classesOnly(String text, SqlCall at) {
    return new RegexToLike(text, true, true, at);
  }

  /** The patterns of which one has to match. */
  List<String> likes(boolean whole) {
    Set<String> all = new LinkedHashSet<>();
    do {
      boolean start = !similar && take('^');
      List<String> parts = sequence(false);
      boolean end = !similar && take('$');
      if (i < text.length() && !(text.charAt(i) == '|' && !classesOnly)) {
        throw refused();
      }
      for (String part : parts) {
        all.add((start || whole ? "" : "%") + part + (end || whole ? "" : "%"));
      }
      limit(all.size());
    } while (take('|'));
    all.removeIf(like -> isTooLong(like));
    return List.copyOf(all);
  }

  private boolean isTooLong(String like) {
    if (like.length() > LONGEST || like.chars().filter(c -> c == '%').count() > 50) {
      throw refused();
    }
    return false;
  }

  private List<String> sequence(boolean inGroup) {
    List<String> parts = List.of("");
    while (i < text.length()) {
      char c = text.charAt(i);
      boolean ends =
          !classesOnly
              && (c == '|' || c == ')' && inGroup || !similar && c == '$' && isEnd(i + 1, inGroup));
      if (ends) {
        break;
      }
      List<String> next = repeated(atom());
      List<String> longer = new ArrayList<>();
      for (String before : parts) {
        for (String after : next) {
          longer.add(before + after);
        }
      }
      limit(longer.size());
      parts = longer;
    }
    return parts;
  }

  private boolean isEnd(int index, boolean inGroup) {
    return !inGroup && (index == text.length() || text.charAt(index) == '|');
  }

  private List<String> atom() {
    char c = text.charAt(i++);
    if (classesOnly) {
      return c == '[' ? oneOf() : List.of(c == '%' || c == '_' ? String.valueOf(c) : literal(c));
    }
    return switch (c) {
      case '(' -> group();
      case '[' -> oneOf();
      case '\\' -> escaped();
      case '.' -> List.of(similar ? "." : "_");
      case '%', '_' -> List.of(similar ? String.valueOf(c) : literal(c));
      case '*', '+', '?', '{', '^', '$', ')' -> throw refused();
      default -> List.of(literal(c));
    };
  }

  private List<String> group() {
    if (text.startsWith("?:", i)) {
      i += 2;
    }
    List<String> all = new ArrayList<>();
    do {
      all.addAll(sequence(true));
      limit(all.size());
    } while (take('|'));
    if (!take(')')) {
      throw refused();
    }
    return all;
  }

  private List<String> oneOf() {
    if (i >= text.length() || text.charAt(i) == '^' || text.charAt(i) == ']') {
      throw refused();
    }
    StringBuilder chars = new StringBuilder();
    while (i < text.length() && text.charAt(i) != ']') {
      char from = text.charAt(i++);
      if (from == '[' || from == '\\' && i >= text.length()) {
        throw refused();
      }
      if (from == '\\' && !classesOnly) {
        chars.append(named(text.charAt(i++)));
      } else if (i + 1 < text.length() && text.charAt(i) == '-' && text.charAt(i + 1) != ']') {
        char to = text.charAt(i + 1);
        i += 2;
        boolean alike =
            isIn(from, to, '0', '9') || isIn(from, to, 'a', 'z') || isIn(from, to, 'A', 'Z');
        if (!alike || from > to) {
          throw refused();
        }
        for (char c = from; c <= to; c++) {
          chars.append(c);
        }
      } else {
        chars.append(from);
      }
    }
    if (!take(']')) {
      throw refused();
    }
    return each(chars.toString());
  }

  private static boolean isIn(char from, char to, char low, char high) {
    return from >= low && from <= high && to >= low && to <= high;
  }

  private List<String> escaped() {
    if (i >= text.length()) {
      throw refused();
    }
    return each(named(text.charAt(i++)));
  }

  /** The characters that an escape stands for. */
  private String named(char c) {
    if (c == 'd') {
      return "0123456789";
    }
    if (c == 'w') {
      return WORD;
    }
    if (Character.isLetterOrDigit(c)) {
      throw refused();
    }
    return String.valueOf(c);
  }

  private static List<String> each(String chars) {
    Set<String> all = new LinkedHashSet<>();
    chars.chars().forEach(c -> all.add(literal((char) c)));
    return List.copyOf(all);
  }

  private List<String> repeated(List<String> atom) {
    if (i >= text.length() || classesOnly) {
      return atom;
    }
    boolean any = atom.equals(List.of("_")) || similar && atom.equals(List.of("%"));
    switch (text.charAt(i)) {
      case '?' -> {
        i++;
        List<String> both = new ArrayList<>(atom);
        both.add("");
        return both;
      }
      case '*', '+' -> {
        boolean once = text.charAt(i++) == '+';
        if (!any) {
          throw refused();
        }
        if (i < text.length() && "?+".indexOf(text.charAt(i)) >= 0) {
          throw refused();
        }
        return List.of(once ? "_%" : "%");
      }
      case '{' -> {
        return times(atom);
      }
      default -> {
        return atom;
      }
    }
  }

  private List<String> times(List<String> atom) {
    int close = text.indexOf('}', i);
    String count = close < 0 ? "" : text.substring(i + 1, close);
    if (!count.matches("[0-9]{1,2}(,[0-9]{1,2})?")) {
      throw refused();
    }
    i = close + 1;
    String[] ends = count.split(",");
    int least = Integer.parseInt(ends[0]);
    int most = Integer.parseInt(ends[ends.length - 1]);
    if (most < least || most > MOST_TIMES) {
      throw refused();
    }
    List<String> all = new ArrayList<>();
    List<String> now = List.of("");
    for (int n = 0; n <= most; n++) {
      if (n >= least) {
        all.addAll(now);
      }
      List<String> longer = new ArrayList<>();
      for (String before : n < most ? now : List.<String>of()) {
        atom.forEach(after -> longer.add(before + after));
        limit(longer.size());
      }
      now = longer;
      limit(all.size());
    }
    return all;
  }

  private static String literal(char c) {
    return c == '%' || c == '_' || c == '!' ? ConstantLimits.ESCAPE + c : String.valueOf(c);
  }

  private boolean take(char c) {
    boolean here = !classesOnly && i < text.length() && text.charAt(i) == c;
    if (here || classesOnly && c == ']' && i < text.length() && text.charAt(i) == c) {
      i++;
      return true;
    }
    return false;
  }

  private void limit(int size) {
    if (size > MOST) {
      throw refused();
    }
  }

  private flexdp.failure.Rejection refused() {
    return LikePatterns.refused("This regular expression", at);
  }
}
