package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Function.NullRule;
import flexdp.failure.Position;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Functions that choose among their arguments. */
final class ConditionalFunctions {
  private static final Expr ZERO = Exprs.text(".0");
  private static final int DIGITS_OF_DOUBLES = 15;

  private ConditionalFunctions() {}

  static Expr of(Function function, List<Expr> values, Arguments a) {
    List<Expr> fitted = TypeRules.unify(values, a.at());
    return fitted.size() == 1
        ? fitted.get(0)
        : new Expr.Call(function, fitted, TypeRules.typeOf(fitted));
  }

  /** LEAST and GREATEST: NULL as soon as one value is, or passing over those. */
  static Expr extreme(Function function, Arguments a) {
    Expr chosen = of(function, a.all(), a);
    return chosen instanceof Expr.Call call
            && call.function() == function
            && DialectSpelling.EXTREMES.in(a.dialect()) == SpellingMeaning.NULL_WINS
        ? ofThose(call)
        : chosen;
  }

  /**
   * The value where none of them is NULL. What is one itself is put together with it, and read
   * once.
   */
  private static Expr ofThose(Expr.Call call) {
    List<Expr> present = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    for (Expr value : call.arguments()) {
      if (value instanceof Expr.Case choice
          && choice.otherwise().isEmpty()
          && choice.branches().size() == 1
          && choice.branches().getFirst().value() instanceof Expr.Call inner
          && inner.function().nulls() == NullRule.PASSED_OVER) {
        present.add(choice.branches().getFirst().condition());
        values.add(inner);
      } else {
        if (!(value instanceof Expr.Literal literal) || literal.isNull()) {
          present.add(Exprs.test(Function.IS_NOT_NULL, value));
        }
        values.add(value);
      }
    }
    Expr chosen = call.with(values);
    return present.isEmpty()
        ? chosen
        : new Expr.Case(
            List.of(new Expr.Case.Branch(Exprs.and(present), chosen)),
            Optional.empty(),
            call.type());
  }

  /** A truth as the text that a dialect makes of it. */
  static Expr truth(Expr condition, SpellingMeaning sense) {
    boolean numbers = sense == SpellingMeaning.NUMBERS;
    return sense == SpellingMeaning.WORDS
        ? OperatorFunctions.asText(condition)
        : new Expr.Case(
            List.of(
                new Expr.Case.Branch(condition, Exprs.text(numbers ? "1" : "t")),
                new Expr.Case.Branch(Exprs.not(condition), Exprs.text(numbers ? "0" : "f"))),
            Optional.empty(),
            Type.VARCHAR);
  }

  /** Anything as text. */
  static Expr text(Expr x, DialectSpelling truths, InputDialect dialect) {
    return switch (x.type().kind()) {
      case BOOLEAN -> truth(x, truths.in(dialect));
      case DOUBLE -> {
        Expr text = real(OperatorFunctions.asText(x), DialectSpelling.FLOAT_TEXT.in(dialect));
        int places = NumberFunctions.places(x).orElse(0);
        yield places > 0 && DialectSpelling.ROUND_DECIMAL.in(dialect) == SpellingMeaning.FILLED_UP
            ? TextFunctions.text(
                Function.COALESCE, OperatorFunctions.asText(filledUp(x, places)), text)
            : text;
      }
      default -> OperatorFunctions.asText(x);
    };
  }

  /** A double of so many digits after the point; NULL where there are too many before it. */
  private static Expr filledUp(Expr x, int places) {
    return Exprs.as(x, Type.decimal(Math.min(38, DIGITS_OF_DOUBLES + places), places));
  }

  /** What a database makes of a float, with or without the point of one that is whole. */
  private static Expr real(Expr text, SpellingMeaning sense) {
    Expr changed;
    Expr when;
    if (sense == SpellingMeaning.BARE) {
      Expr all = Exprs.call(Function.CHAR_LENGTH, Type.INTEGER, text);
      Expr fewer = Exprs.call(Function.MINUS, Type.INTEGER, all, Exprs.integer(2));
      when =
          Exprs.test(Function.EQ, TextFunctions.text(Function.RIGHT, text, Exprs.integer(2)), ZERO);
      changed = TextFunctions.text(Function.LEFT, text, fewer);
    } else {
      List<Expr> none = new ArrayList<>();
      for (String other : List.of(".", "e", "E")) {
        none.add(Exprs.not(TextFunctions.contains(text, Exprs.text(other))));
      }
      when = Exprs.and(none);
      changed = TextFunctions.text(Function.CONCAT, text, ZERO);
    }
    return new Expr.Case(
        List.of(new Expr.Case.Branch(when, changed)), Optional.of(text), Type.VARCHAR);
  }

  /** ISNULL(x, y) is COALESCE; ISNULL(x) is a test. */
  static Expr isNull(Arguments a) {
    return a.count() == 1
        ? Exprs.test(Function.IS_NULL, a.any(0))
        : of(Function.COALESCE, a.all(), a);
  }

  static Expr ifNotNull(Arguments a) {
    return choose(Exprs.test(Function.IS_NOT_NULL, a.any(0)), a.any(1), Optional.of(a.any(2)), a);
  }

  static Expr ifThen(Arguments a) {
    return choose(
        a.condition(0), a.any(1), a.count() == 3 ? Optional.of(a.any(2)) : Optional.empty(), a);
  }

  private static Expr choose(Expr condition, Expr then, Optional<Expr> otherwise, Arguments a) {
    List<Expr> values = new ArrayList<>();
    values.add(then);
    otherwise.ifPresent(values::add);
    List<Expr> fitted = TypeRules.unify(values, a.at());
    return new Expr.Case(
        List.of(new Expr.Case.Branch(condition, fitted.get(0))),
        otherwise.map(ignored -> fitted.get(1)),
        TypeRules.typeOf(fitted));
  }

  static Expr nullIf(Arguments a) {
    return nullIf(a.any(0), a.any(1), a.at());
  }

  /** The value in the type in which it was compared. */
  private static Expr nullIf(Expr value, Expr other, Position at) {
    Expr.Call equal = (Expr.Call) TypeRules.compare(Function.EQ, value, other, at);
    return new Expr.Call(Function.NULLIF, equal.arguments(), equal.arguments().get(0).type());
  }

  /** DECODE(x, a, v, b, w, else): NULL equals NULL. */
  static Expr decode(Arguments a) {
    Expr x = a.any(0);
    List<Expr> values = new ArrayList<>();
    List<Expr> tests = new ArrayList<>();
    int i = 1;
    for (; i + 1 < a.count(); i += 2) {
      tests.add(TypeRules.compare(Function.IS_NOT_DISTINCT, x, a.any(i), a.at()));
      values.add(a.any(i + 1));
    }
    boolean hasElse = i < a.count();
    if (hasElse) {
      values.add(a.any(i));
    }
    List<Expr> fitted = TypeRules.unify(values, a.at());
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int j = 0; j < tests.size(); j++) {
      branches.add(new Expr.Case.Branch(tests.get(j), fitted.get(j)));
    }
    Optional<Expr> last = hasElse ? Optional.of(fitted.get(fitted.size() - 1)) : Optional.empty();
    return new Expr.Case(branches, last, TypeRules.typeOf(fitted));
  }

  static Expr zeroIfNull(Expr x, Position at) {
    List<Expr> fitted = TypeRules.unify(List.of(x, Exprs.integer(0)), at);
    return new Expr.Call(Function.COALESCE, fitted, TypeRules.typeOf(fitted));
  }

  static Expr nullIfZero(Expr x, Position at) {
    return nullIf(x, Exprs.integer(0), at);
  }
}
