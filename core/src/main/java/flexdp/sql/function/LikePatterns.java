package flexdp.sql.function;

import flexdp.algebra.ConstantLimits;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;

/**
 * Regular expressions with constant patterns, and the classes of T-SQL's LIKE, as alternatives of
 * LIKE: every database reads those alike, and no text makes one of them slow or fail.
 */
final class LikePatterns {
  private LikePatterns() {}

  /**
   * LIKE with its pattern in the one form that every database reads alike: the escape character
   * stands only before a wildcard or itself, and only where it is needed.
   *
   * @param pattern a constant
   * @param escape a constant of one character, or of none
   */
  static Expr like(Function function, Expr x, Expr pattern, Expr escape, SqlCall at) {
    Expr.Literal written = (Expr.Literal) pattern;
    Expr.Literal given = (Expr.Literal) escape;
    if (written.isNull() || given.isNull()) {
      return Exprs.nullOf(Type.BOOLEAN);
    }
    String text = formed((String) written.value(), (String) given.value(), at);
    if (!ConstantLimits.holdFor(text)) {
      throw Rejections.of(
          RejectionCode.TOO_COMPLEX,
          "The pattern of LIKE is too long or has too many %.",
          "Use at most %s %% and %s characters."
              .formatted(ConstantLimits.MOST_WILDCARDS, ConstantLimits.LONGEST_PATTERN),
          at);
    }
    return text.contains(ConstantLimits.ESCAPE)
        ? Exprs.test(function, x, Exprs.text(text), Exprs.text(ConstantLimits.ESCAPE))
        : Exprs.test(function, x, Exprs.text(text));
  }

  /** LIKE as the dialect takes letters: ASCII ones alike in both cases, all of them, or none. */
  static Expr like(InputDialect dialect, Expr x, Expr pattern, Expr escape, SqlCall at) {
    SpellingMeaning letters = DialectSpelling.LIKE.in(dialect);
    if (letters == SpellingMeaning.ANY_CASE) {
      return like(Function.ILIKE, x, pattern, escape, at);
    }
    Expr found = like(Function.LIKE, x, pattern, escape, at);
    if (letters == SpellingMeaning.SAME_CASE || !(found instanceof Expr.Call call)) {
      return found;
    }
    String text = (String) ((Expr.Literal) call.arguments().get(1)).value();
    if (text.chars().noneMatch(LikePatterns::isLetter)) {
      return found;
    }
    List<Expr> arguments = new ArrayList<>(call.arguments());
    arguments.set(0, TextFunctions.text(Function.LOWER_ASCII, x));
    arguments.set(1, Exprs.text(lower(text)));
    return call.with(arguments);
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static String lower(String text) {
    StringBuilder lower = new StringBuilder(text.length());
    text.chars().forEach(c -> lower.append((char) (isLetter(c) ? c | 0x20 : c)));
    return lower.toString();
  }

  /** The escape character where none is written. */
  static Expr usual(InputDialect dialect) {
    return Exprs.text(
        DialectSpelling.PATTERN.in(dialect) == SpellingMeaning.ESCAPING_BACKSLASH ? "\\" : "");
  }

  private static String formed(String pattern, String escape, SqlCall at) {
    if (escape.codePointCount(0, escape.length()) > 1) {
      throw Rejections.types(
          "The escape character of LIKE is more than one character.",
          "Write ESCAPE and one character in quotes.",
          Rejections.at(at));
    }
    StringBuilder text = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      boolean literal = !escape.isEmpty() && pattern.startsWith(escape, i);
      i += literal ? escape.length() : 0;
      if (i == pattern.length()) {
        throw Rejections.types(
            "The pattern of LIKE ends with its escape character.",
            "Write the escape character twice to match it.",
            Rejections.at(at));
      }
      int c = pattern.codePointAt(i);
      boolean wild = c == '%' || c == '_';
      text.append(
          c == ConstantLimits.ESCAPE.charAt(0) || literal && wild ? ConstantLimits.ESCAPE : "");
      text.appendCodePoint(c);
      i += Character.charCount(c);
    }
    return text.toString();
  }

  /** A match of a regular expression, anywhere in the text but in Snowflake, where it is whole. */
  static Expr matches(Expr x, String regex, boolean ignoreCase, InputDialect dialect, SqlCall at) {
    boolean whole = DialectSpelling.REGEX.in(dialect) == SpellingMeaning.ENTIRE;
    boolean any = regex.startsWith("(?like)") || regex.startsWith("(?ilike)");
    if (any) {
      boolean either = regex.startsWith("(?ilike)");
      String[] all = regex.split("\0", -1);
      if (all.length < 2) {
        throw refused("This regular expression", at);
      }
      List<Expr> found = new ArrayList<>();
      for (int i = 1; i < all.length; i++) {
        Expr pattern = Exprs.text(all[i]);
        found.add(
            either
                ? like(Function.ILIKE, x, pattern, usual(dialect), at)
                : like(dialect, x, pattern, usual(dialect), at));
      }
      return Exprs.or(found);
    }
    boolean flag = regex.startsWith("(?i)");
    Optional<Expr> runs =
        flag || ignoreCase ? Optional.empty() : CharacterClasses.matches(x, regex, whole);
    if (runs.isPresent()) {
      return runs.get();
    }
    RegexToLike parsed = new RegexToLike(flag ? regex.substring(4) : regex, false, at);
    return either(x, parsed.likes(whole), ignoreCase || flag, at);
  }

  /** SIMILAR TO: % and _ stand for text, the rest is as in regular expressions, of the whole. */
  static Expr similar(Expr x, String pattern, SqlCall at) {
    return either(x, new RegexToLike(pattern, true, at).likes(true), false, at);
  }

  /** T-SQL's LIKE, where [abc] and [0-9] are one character of several, in either case. */
  static Expr classes(Expr x, String pattern, SqlCall at) {
    boolean other = pattern.startsWith("%[^") && pattern.indexOf(']') == pattern.length() - 2;
    if (other && pattern.endsWith("]%")) {
      String written = pattern.substring(3, pattern.length() - 2);
      String characters =
          RegexParts.characters(written.replace("\\", "\\\\"))
              .orElseThrow(() -> refused("This class of LIKE", at));
      return CharacterClasses.hasOther(
          x, characters.toLowerCase(Locale.ROOT) + characters.toUpperCase(Locale.ROOT));
    }
    return either(x, RegexToLike.classesOnly(pattern, at).likes(true), true, at);
  }

  static boolean hasClasses(InputDialect dialect, Expr pattern) {
    return dialect == InputDialect.TSQL
        && pattern instanceof Expr.Literal literal
        && literal.value() instanceof String text
        && text.indexOf('[') >= 0;
  }

  private static Expr either(Expr x, List<String> likes, boolean ignoreCase, SqlCall at) {
    List<Expr> found = new ArrayList<>();
    Function function = ignoreCase ? Function.ILIKE : Function.LIKE;
    for (String like : likes) {
      found.add(like(function, x, Exprs.text(like), Exprs.text(ConstantLimits.ESCAPE), at));
    }
    return Exprs.or(found);
  }

  /** REGEXP_LIKE(x, pattern [, flags]) and its kin. */
  static Expr like(Arguments a) {
    boolean ignoreCase = false;
    if (a.count() == 3) {
      String flags = constant(a, 2);
      if (!flags.matches("[ic]*")) {
        throw refused("The flags '" + TextLiterals.shown(flags) + "'", a.call());
      }
      ignoreCase = flags.endsWith("i");
    }
    return matches(a.text(0), constant(a, 1), ignoreCase, a.dialect(), a.call());
  }

  /** REGEXP_REPLACE(x, text, with, 'g') of plain text is REPLACE. */
  static Expr replace(Arguments a) {
    String pattern = constant(a, 1);
    boolean all =
        a.dialect() != InputDialect.POSTGRESQL && a.dialect() != InputDialect.GENERAL
            ? a.count() == 3
            : a.count() == 4 && constant(a, 3).equals("g");
    if (!all || pattern.isEmpty() || !pattern.matches("[\\p{L}\\p{N} _@,;:/=<>\"'-]*")) {
      throw refused("Replacing by a regular expression", a.call());
    }
    return TextFunctions.text(Function.REPLACE, a.text(0), Exprs.text(pattern), a.text(2));
  }

  /** REGEXP_SUBSTR(x, '^[A-Z]{2}'): so many characters from the first on. */
  static Expr part(Arguments a) {
    String name = FunctionFinder.nameOf(a.call());
    boolean text = name.equals("REGEXP_SUBSTR") || name.equals("REGEXP_EXTRACT");
    return (text && a.count() == 2
            ? CharacterClasses.beginning(a.text(0), constant(a, 1))
            : Optional.<Expr>empty())
        .orElseThrow(() -> refused("Taking a part by a regular expression", a.call()));
  }

  private static String constant(Arguments a, int i) {
    if (a.text(i) instanceof Expr.Literal literal && literal.value() instanceof String text) {
      return text;
    }
    throw Rejections.types("The pattern must be a constant.", "Write it as text.", a.at());
  }

  static Rejection refused(String what, SqlCall at) {
    return Rejections.unsupported(
        what, "Use LIKE, ILIKE, SUBSTRING, SPLIT_PART or REPLACE, or a simpler pattern.", at);
  }
}
