package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Regular expressions that repeat a class of characters, such as {@code ^[a-z0-9.]+@} or {@code
 * ^\d{4}-}: read from left to right, where a run of a class ends at the next plain text, which
 * begins with a character outside of the class, or at the end. A text is all of a class when
 * nothing is left once each character of the class is taken out of it; so LEFT, SUBSTRING, POSITION
 * and REPLACE say the same as the pattern, in time that grows with the text and no faster.
 */
final class CharacterClasses {
  private static final int MOST_RUNS = 3;

  private final RegexParts pattern;
  private final List<Expr> conditions = new ArrayList<>();
  private Expr rest;
  private boolean ended;

  private CharacterClasses(RegexParts pattern, Expr x) {
    this.pattern = pattern;
    this.rest = x;
  }

  /** Whether the text matches; empty where the pattern is of another kind. */
  static Optional<Expr> matches(Expr x, String regex, boolean whole) {
    return RegexParts.of(regex, whole)
        .filter(RegexParts::hasRuns)
        .flatMap(pattern -> new CharacterClasses(pattern, x).read());
  }

  /** The beginning of a text, where it matches a pattern of so many characters; else NULL. */
  static Optional<Expr> beginning(Expr x, String regex) {
    Optional<RegexParts> pattern = RegexParts.of(regex, false).filter(RegexParts::isBeginning);
    Optional<Expr> matched = pattern.flatMap(p -> new CharacterClasses(p, x).read());
    return matched.map(
        found ->
            new Expr.Case(
                List.of(
                    new Expr.Case.Branch(
                        found,
                        TextFunctions.text(
                            Function.LEFT, x, Exprs.integer(pattern.orElseThrow().length())))),
                Optional.empty(),
                Type.VARCHAR));
  }

  /** Whether a text has a character that is not one of these. */
  static Expr hasOther(Expr x, String characters) {
    return Exprs.test(Function.NE, without(x, characters), Exprs.text(""));
  }

  private Optional<Expr> read() {
    List<RegexParts.Part> parts = pattern.parts();
    if (!pattern.fromStart()) {
      boolean one = parts.size() == 1 && !pattern.toEnd() && parts.getFirst().least() == 1;
      return one ? Optional.of(has(parts.getFirst(), rest)) : Optional.empty();
    }
    long runs = parts.stream().filter(p -> p.least() != p.most()).count();
    if (runs > MOST_RUNS) {
      return Optional.empty();
    }
    for (int i = 0; i < parts.size(); i++) {
      RegexParts.Part part = parts.get(i);
      boolean last = i + 1 == parts.size();
      if (part.least() == part.most()) {
        fixed(part);
      } else if (last) {
        run(part);
      } else if (parts.get(i + 1).isPlain() && !part.has(parts.get(i + 1).first())) {
        upTo(part, parts.get(++i).text());
      } else {
        return Optional.empty();
      }
    }
    if (pattern.toEnd() && !ended) {
      conditions.add(Exprs.test(Function.EQ, rest, Exprs.text("")));
    }
    return Optional.of(Exprs.and(conditions));
  }

  /** Whether a character of a class stands somewhere in a text. */
  private static Expr has(RegexParts.Part part, Expr x) {
    return part.excludes()
        ? hasOther(x, part.text())
        : Exprs.test(Function.NE, without(x, part.text()), x);
  }

  private void fixed(RegexParts.Part part) {
    if (part.isPlain()) {
      conditions.add(Exprs.test(Function.STARTS_WITH, rest, Exprs.text(part.text())));
      rest = from(rest, Exprs.integer(part.text().length() + 1L));
      return;
    }
    atLeast(length(rest), part.least());
    all(part, TextFunctions.text(Function.LEFT, rest, Exprs.integer(part.least())));
    rest = from(rest, Exprs.integer(part.least() + 1L));
  }

  /** A run at the end of the pattern: of all that is left, or of as much as is asked for. */
  private void run(RegexParts.Part part) {
    atLeast(length(rest), part.least());
    if (pattern.toEnd()) {
      atMost(length(rest), part.most());
      all(part, rest);
      ended = true;
    } else if (part.least() > 0) {
      all(part, TextFunctions.text(Function.LEFT, rest, Exprs.integer(part.least())));
    }
  }

  private void upTo(RegexParts.Part part, String plain) {
    Expr place = TextFunctions.position(Exprs.text(plain), rest);
    Expr before = Exprs.call(Function.MINUS, Type.INTEGER, place, Exprs.integer(1));
    atLeast(place, part.least() + 1);
    atMost(before, part.most());
    all(part, TextFunctions.text(Function.LEFT, rest, before));
    rest =
        from(rest, Exprs.call(Function.PLUS, Type.INTEGER, place, Exprs.integer(plain.length())));
  }

  private void atLeast(Expr number, int least) {
    if (least > 0) {
      conditions.add(Exprs.test(Function.GE, number, Exprs.integer(least)));
    }
  }

  private void atMost(Expr number, int most) {
    if (most != RegexParts.ENDLESS) {
      conditions.add(Exprs.test(Function.LE, number, Exprs.integer(most)));
    }
  }

  private void all(RegexParts.Part part, Expr of) {
    if (!part.isAny()) {
      Expr left = without(of, part.text());
      conditions.add(Exprs.test(Function.EQ, left, part.excludes() ? of : Exprs.text("")));
    }
  }

  private static Expr length(Expr x) {
    return Exprs.call(Function.CHAR_LENGTH, Type.INTEGER, x);
  }

  private static Expr from(Expr x, Expr place) {
    return TextFunctions.text(Function.SUBSTRING, x, place);
  }

  /** A text without any of these characters. */
  static Expr without(Expr x, String characters) {
    Expr left = x;
    for (int i = 0; i < characters.length(); i++) {
      left =
          TextFunctions.text(
              Function.REPLACE, left, Exprs.text(characters.substring(i, i + 1)), Exprs.text(""));
    }
    return left;
  }
}
