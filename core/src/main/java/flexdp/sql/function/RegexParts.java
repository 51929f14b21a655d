package flexdp.sql.function;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A regular expression without alternatives as a row of parts: plain texts, and classes of
 * characters with how often they stand there.
 *
 * @param fromStart whether it has to match from the first character on
 * @param toEnd whether it has to match up to the last
 */
record RegexParts(List<RegexParts.Part> parts, boolean fromStart, boolean toEnd) {
  /** No limit. */
  static final int ENDLESS = -1;

  private static final int MOST_TIMES = 100;
  private static final String DIGITS = "0123456789";
  private static final String WORD =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_" + DIGITS;

  /**
   * One part.
   *
   * @param text a plain text, or the characters of a class
   * @param kind what it is
   */
  record Part(String text, Kind kind, int least, int most) {
    /** What a part is: a text, one of some characters, any but some, or any at all. */
    enum Kind {
      PLAIN,
      ONE_OF,
      NONE_OF,
      ANY
    }

    boolean isPlain() {
      return kind == Kind.PLAIN;
    }

    boolean isAny() {
      return kind == Kind.ANY;
    }

    boolean excludes() {
      return kind == Kind.NONE_OF;
    }

    char first() {
      return text.charAt(0);
    }

    /** Whether a character is of this class. */
    boolean has(char c) {
      return switch (kind) {
        case PLAIN, ONE_OF -> text.indexOf(c) >= 0;
        case NONE_OF -> text.indexOf(c) < 0;
        case ANY -> true;
      };
    }
  }

  /** Whether a class is repeated or excludes something, which alternatives cannot say. */
  boolean hasRuns() {
    return parts.stream()
        .anyMatch(
            p -> !p.isPlain() && !p.isAny() && (p.excludes() || p.least() != 1 || p.most() != 1));
  }

  /** Whether it matches so many characters from the first on, and nothing more is said. */
  boolean isBeginning() {
    return fromStart && !toEnd && parts.stream().allMatch(p -> p.least() == p.most());
  }

  /** How many characters it matches, where that is fixed. */
  int length() {
    return parts.stream().mapToInt(p -> p.isPlain() ? p.text().length() : p.least()).sum();
  }

  /** Empty where the pattern has something else in it. */
  static Optional<RegexParts> of(String regex, boolean whole) {
    String text = regex;
    boolean start = text.startsWith("^");
    text = start ? text.substring(1) : text;
    boolean end = text.endsWith("$") && !text.endsWith("\\$");
    text = end ? text.substring(0, text.length() - 1) : text;
    boolean group = text.startsWith("(") && text.indexOf(')') == text.length() - 1;
    text = group && !text.startsWith("(?") ? text.substring(1, text.length() - 1) : text;
    Optional<List<Part>> parts = new Reader(text).parts();
    return parts
        .filter(p -> !p.isEmpty())
        .map(p -> new RegexParts(p, start || whole, end || whole));
  }

  /** Reads a pattern from left to right. */
  private static final class Reader {
    private final String text;
    private int i;

    Reader(String text) {
      this.text = text;
    }

    Optional<List<Part>> parts() {
      List<Part> all = new ArrayList<>();
      while (i < text.length()) {
        Optional<Part> atom = atom().flatMap(this::repeated);
        if (atom.isEmpty()) {
          return Optional.empty();
        }
        Part part = atom.get();
        boolean joins = part.isPlain() && !all.isEmpty() && all.getLast().isPlain();
        if (joins) {
          part = new Part(all.removeLast().text() + part.text(), Part.Kind.PLAIN, 1, 1);
        }
        all.add(part);
      }
      return Optional.of(all);
    }

    private Optional<Part> atom() {
      char c = text.charAt(i++);
      return switch (c) {
        case '[' -> oneOf();
        case '\\' -> escaped();
        case '.' -> Optional.of(new Part("", Part.Kind.ANY, 1, 1));
        case '*', '+', '?', '{', '}', '^', '$', '(', ')', '|', ']' -> Optional.empty();
        default -> plain(c);
      };
    }

    private static Optional<Part> plain(char c) {
      return Character.isSurrogate(c)
          ? Optional.empty()
          : Optional.of(new Part(String.valueOf(c), Part.Kind.PLAIN, 1, 1));
    }

    private Optional<Part> escaped() {
      if (i >= text.length()) {
        return Optional.empty();
      }
      char c = text.charAt(i++);
      return switch (c) {
        case 'd' -> Optional.of(new Part(DIGITS, Part.Kind.ONE_OF, 1, 1));
        case 'D' -> Optional.of(new Part(DIGITS, Part.Kind.NONE_OF, 1, 1));
        case 'w' -> Optional.of(new Part(WORD, Part.Kind.ONE_OF, 1, 1));
        default -> Character.isLetterOrDigit(c) ? Optional.empty() : plain(c);
      };
    }

    private Optional<Part> oneOf() {
      int close = text.indexOf(']', i + 1);
      if (close < 0) {
        return Optional.empty();
      }
      boolean excludes = text.charAt(i) == '^';
      Optional<String> characters = characters(text.substring(excludes ? i + 1 : i, close));
      i = close + 1;
      return characters.map(
          c -> new Part(c, excludes ? Part.Kind.NONE_OF : Part.Kind.ONE_OF, 1, 1));
    }

    /** How often what was read stands there; plain texts once. */
    private Optional<Part> repeated(Part part) {
      char c = i < text.length() ? text.charAt(i) : ' ';
      if ("*+?{".indexOf(c) < 0) {
        return Optional.of(part);
      }
      if (part.isPlain()) {
        return c == '{' ? Optional.empty() : repeated(asClass(part));
      }
      i++;
      boolean lazy = c != '{' && i < text.length() && "?+".indexOf(text.charAt(i)) >= 0;
      return lazy
          ? Optional.empty()
          : switch (c) {
            case '*' -> times(part, 0, ENDLESS);
            case '+' -> times(part, 1, ENDLESS);
            case '?' -> times(part, 0, 1);
            default -> counted(part);
          };
    }

    private static Part asClass(Part part) {
      return new Part(part.text(), Part.Kind.ONE_OF, 1, 1);
    }

    private Optional<Part> counted(Part part) {
      int close = text.indexOf('}', i);
      String count = close < 0 ? "" : text.substring(i, close);
      if (!count.matches("[0-9]{1,2}(,([0-9]{1,2})?)?")) {
        return Optional.empty();
      }
      i = close + 1;
      String[] ends = count.split(",");
      int least = Integer.parseInt(ends[0]);
      int most = count.endsWith(",") ? ENDLESS : Integer.parseInt(ends[ends.length - 1]);
      return most != ENDLESS && most < least ? Optional.empty() : times(part, least, most);
    }

    private static Optional<Part> times(Part part, int least, int most) {
      boolean some = least <= MOST_TIMES && most != 0;
      return some ? Optional.of(new Part(part.text(), part.kind(), least, most)) : Optional.empty();
    }
  }

  /** The characters of a class such as {@code a-z0-9_.-}. */
  static Optional<String> characters(String written) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      boolean escape = c == '\\' && i + 1 < written.length();
      char meant = escape ? written.charAt(++i) : c;
      boolean named = escape && (meant == 'd' || meant == 'w');
      if (named) {
        all.append(meant == 'd' ? DIGITS : WORD);
      } else if (c == '[' || Character.isSurrogate(c) || escape && Character.isLetter(meant)) {
        return Optional.empty();
      } else if (!escape && i + 2 < written.length() && written.charAt(i + 1) == '-') {
        char to = written.charAt(i + 2);
        boolean alike = isIn(c, to, '0', '9') || isIn(c, to, 'a', 'z') || isIn(c, to, 'A', 'Z');
        if (!alike) {
          return Optional.empty();
        }
        for (char in = c; in <= to; in++) {
          all.append(in);
        }
        i += 2;
      } else {
        all.append(meant);
      }
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(all.toString());
  }

  private static boolean isIn(char from, char to, char low, char high) {
    return from >= low && to <= high && from <= to;
  }
}
