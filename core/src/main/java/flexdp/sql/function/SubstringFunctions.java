package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * SUBSTRING as the dialects read it. The algebra's own takes places before the first character to
 * take up length; what is counted from the end is put before it by the length of the text.
 */
final class SubstringFunctions {
  private SubstringFunctions() {}

  static Expr of(Arguments a) {
    Expr x = a.text(0);
    Expr from = a.integer(1);
    Optional<Expr> length = a.count() == 2 ? Optional.empty() : Optional.of(a.integer(2));
    return switch (DialectSpelling.SUBSTRING.in(a.dialect())) {
      case FROM_END -> behind(x, fromEnd(x, from), length);
      case FROM_END_OR_EMPTY ->
          inside(x, from, length.map(SubstringFunctions::atLeastNone), false, true);
      case FROM_END_OR_ONE ->
          inside(x, from, length.map(SubstringFunctions::atLeastNone), true, true);
      case FROM_END_OR_FIRST -> inside(x, from, length, true, false);
      default -> cut(x, from, length);
    };
  }

  private static Expr cut(Expr x, Expr from, Optional<Expr> length) {
    List<Expr> all = new ArrayList<>(List.of(x, from));
    length.ifPresent(all::add);
    return new Expr.Call(Function.SUBSTRING, all, Type.VARCHAR);
  }

  /** A place that is counted from the end, by the length of the text; others as they are. */
  private static Expr fromEnd(Expr x, Expr from) {
    if (from instanceof Expr.Literal literal && literal.value() instanceof BigDecimal place) {
      return place.signum() < 0 ? placed(x, from) : from;
    }
    return choice(negative(from), placed(x, from), Exprs.as(from, Type.BIGINT));
  }

  private static Expr placed(Expr x, Expr from) {
    Expr length = Exprs.as(TextFunctions.length(SpellingMeaning.CHARACTERS, x), Type.BIGINT);
    Expr next = Exprs.call(Function.PLUS, Type.BIGINT, length, Exprs.integer(1));
    return Exprs.call(Function.PLUS, Type.BIGINT, next, from);
  }

  /** Fewer than none are so many before the place. */
  private static Expr behind(Expr x, Expr from, Optional<Expr> length) {
    if (length.isEmpty()
        || length.get() instanceof Expr.Literal literal
            && (!(literal.value() instanceof BigDecimal count) || count.signum() >= 0)) {
      return cut(x, from, length);
    }
    Expr back = Exprs.call(Function.PLUS, Type.BIGINT, from, length.get());
    Expr count = Exprs.call(Function.NEGATE, Type.BIGINT, Exprs.as(length.get(), Type.BIGINT));
    Expr before = cut(x, back, Optional.of(count));
    return length.get() instanceof Expr.Literal
        ? before
        : choice(negative(length.get()), before, cut(x, from, length));
  }

  /**
   * From a place inside of the text, or none.
   *
   * @param zero whether 0 is the first place, and else none
   * @param empty whether there is nothing beyond the beginning, and else all from the first place
   */
  private static Expr inside(
      Expr x, Expr from, Optional<Expr> length, boolean zero, boolean empty) {
    Expr first = cut(x, Exprs.integer(1), length);
    Expr none = TextFunctions.text(Function.LEFT, x, Exprs.integer(0));
    Expr isFar = Exprs.test(Function.LT, placed(x, from), Exprs.as(Exprs.integer(1), Type.BIGINT));
    Expr counted = choice(isFar, empty ? none : first, cut(x, placed(x, from), length));
    if (from instanceof Expr.Literal literal && literal.value() instanceof BigDecimal place) {
      return place.signum() < 0
          ? counted
          : place.signum() > 0 ? cut(x, from, length) : zero ? first : none;
    }
    Expr isZero = Exprs.test(Function.EQ, from, Exprs.as(Exprs.integer(0), from.type()));
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(negative(from), counted),
            new Expr.Case.Branch(isZero, zero ? first : none)),
        Optional.of(cut(x, from, length)),
        Type.VARCHAR);
  }

  /** A number that is not negative, or 0. */
  static Expr atLeastNone(Expr count) {
    if (count instanceof Expr.Literal literal && literal.value() instanceof BigDecimal number) {
      return number.signum() < 0 ? Exprs.integer(0) : count;
    }
    return choice(negative(count), Exprs.as(Exprs.integer(0), count.type()), count);
  }

  private static Expr negative(Expr x) {
    return Exprs.test(Function.LT, x, Exprs.as(Exprs.integer(0), x.type()));
  }

  private static Expr choice(Expr condition, Expr then, Expr otherwise) {
    return new Expr.Case(
        List.of(new Expr.Case.Branch(condition, then)), Optional.of(otherwise), then.type());
  }
}
