package flexdp.sql.function;

import flexdp.algebra.ConstantLimits;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/** Functions of numbers. */
final class NumberFunctions {
  private NumberFunctions() {}

  static Expr same(Function function, Expr x) {
    return Exprs.call(function, x.type(), x);
  }

  /** FLOOR and CEIL as the dialect divides and adds them. */
  static Expr whole(Function function, Arguments a) {
    return whole(function, wide(a.number(0), DialectSpelling.FLOOR_QUOTIENT, a));
  }

  static Expr sign(Arguments a) {
    Expr x = a.number(0);
    boolean whole =
        !x.type().isInteger()
            && DialectSpelling.SIGN.in(a.dialect()) == SpellingMeaning.WHOLE_NUMBER;
    return whole
        ? Exprs.call(Function.SIGN, Type.INTEGER, x)
        : sign(wide(x, DialectSpelling.FLOOR_QUOTIENT, a));
  }

  /** A decimal that is below one has no room for its own sign. */
  private static Expr sign(Expr x) {
    boolean small = x.type().kind() == Type.Kind.DECIMAL && TypeRules.wholeDigits(x.type()) == 0;
    Type type = small ? TypeRules.decimal(x.type().scale() + 1, x.type().scale()) : x.type();
    return Exprs.call(Function.SIGN, type, x);
  }

  /** DIV(a, b): whole, and in some dialects a decimal to which others are added. */
  static Expr divided(Arguments a) {
    return OperatorFunctions.divide(
        wide(a.integer(0), DialectSpelling.FLOOR_QUOTIENT, a), a.integer(1), a.at());
  }

  static Expr truncated(Arguments a) {
    return towardsZero(wide(a.number(0), DialectSpelling.FLOOR_QUOTIENT, a));
  }

  /** Wide where a dialect's result is no whole number, to which others are added. */
  private static Expr wide(Expr x, DialectSpelling spelling, Arguments a) {
    return x.type().isInteger() && spelling.in(a.dialect()) == SpellingMeaning.REAL
        ? Exprs.as(x, Type.BIGINT)
        : x;
  }

  /** FLOOR and CEIL: whole, in the type of the argument. */
  static Expr whole(Function function, Expr x) {
    Type type =
        x.type().kind() == Type.Kind.DECIMAL
            ? TypeRules.decimal(TypeRules.wholeDigits(x.type()) + 1, 0)
            : x.type();
    return Exprs.call(function, type, x);
  }

  static Expr real(Function function, Expr... arguments) {
    return Exprs.call(function, Type.DOUBLE, arguments);
  }

  /** LOG(x) is decimal or natural; of LOG(a, b) one or the other is the base. */
  static Expr log(Arguments a) {
    if (a.count() == 1) {
      boolean natural = DialectSpelling.LOG.in(a.dialect()) == SpellingMeaning.NATURAL;
      return real(natural ? Function.LN : Function.LOG10, a.number(0));
    }
    boolean last = DialectSpelling.LOG_BASE.in(a.dialect()) == SpellingMeaning.BASE_LAST;
    return log(a.number(last ? 1 : 0), a.number(last ? 0 : 1));
  }

  static Expr log(Expr base, Expr x) {
    return real(Function.DIVIDE, real(Function.LN, x), real(Function.LN, base));
  }

  static Expr round(Arguments a) {
    Expr x = wide(a.number(0), DialectSpelling.ROUNDED_QUOTIENT, a);
    if (a.count() == 1) {
      Expr near = isEven(x, a) ? even(x) : whole(Function.ROUND, x);
      boolean real = DialectSpelling.ROUND_WHOLE.in(a.dialect()) == SpellingMeaning.POINT_AND_ZERO;
      return real ? Exprs.as(near, Type.DOUBLE) : near;
    }
    Expr digits = a.integer(1);
    if (!(digits instanceof Expr.Literal literal) || literal.isNull()) {
      throw Rejections.types(
          "ROUND needs a constant number of digits.", "Write it as a number.", a.at());
    }
    BigDecimal most = BigDecimal.valueOf(ConstantLimits.MOST_DIGITS);
    boolean ones = DialectSpelling.TENS.in(a.dialect()) == SpellingMeaning.ONES;
    BigDecimal least = ones ? BigDecimal.ZERO : most.negate();
    int places = ((BigDecimal) literal.value()).min(most).max(least).intValue();
    if (places != 0 && isEven(x, a)) {
      Expr scale = new Expr.Literal(Math.pow(10, Math.abs(places)), Type.DOUBLE);
      if (places < 0) {
        return real(Function.TIMES, even(real(Function.DIVIDE, x, scale)), scale);
      }
      Expr near = even(times(x, scale));
      return real(Function.COALESCE, real(Function.DIVIDE, near, scale), x);
    }
    if (places > 0 && x.type().isExact()) {
      boolean whole = x.type().isInteger();
      SpellingMeaning shown =
          (whole ? DialectSpelling.ROUND_WHOLE : DialectSpelling.ROUND_DECIMAL).in(a.dialect());
      if (shown == SpellingMeaning.FILLED_UP && places > x.type().scale()) {
        return Exprs.as(x, TypeRules.decimal(TypeRules.wholeDigits(x.type()) + places, places));
      }
      boolean real = DialectSpelling.ROUND_WHOLE.in(a.dialect()) == SpellingMeaning.POINT_AND_ZERO;
      if (whole || real && x.type().scale() == 0) {
        return shown == SpellingMeaning.NO_POINT ? x : Exprs.as(x, Type.DOUBLE);
      }
    }
    boolean narrow = x.type().isInteger() && x.type().kind() != Type.Kind.BIGINT && places < 0;
    x = narrow ? Exprs.as(x, Type.BIGINT) : x; // 2147483647 is rounded up
    Type type = x.type();
    if (type.kind() == Type.Kind.DECIMAL) {
      int scale = Math.max(0, Math.min(type.scale(), places));
      type = TypeRules.decimal(TypeRules.wholeDigits(type) + 1 + scale, scale);
    }
    return Exprs.call(Function.ROUND, type, x, Exprs.integer(places));
  }

  /** Whether halves become even: of floats, not of what the dialect divides as decimals. */
  private static boolean isEven(Expr x, Arguments a) {
    if (x.type().kind() != Type.Kind.DOUBLE
        || DialectSpelling.HALVES.in(a.dialect()) != SpellingMeaning.EVEN) {
      return false;
    }
    return switch (a.floats().of(a.node(0))) {
      case FLOAT -> true;
      case WHOLE, DECIMAL -> false;
      case UNKNOWN -> !AggregateNames.isOver(a.node(0)) && readsFloats(x);
    };
  }

  /** After how many digits a double was rounded; absent where it was not. */
  static Optional<Integer> places(Expr x) {
    if (!(x instanceof Expr.Call call) || x.type().kind() != Type.Kind.DOUBLE) {
      return Optional.empty();
    }
    List<Expr> of = call.arguments();
    if (call.function() == Function.ROUND
        && of.size() == 2
        && of.get(1) instanceof Expr.Literal digits) {
      return Optional.of(((BigDecimal) digits.value()).intValue());
    }
    if (call.function() == Function.COALESCE
        && of.getFirst() instanceof Expr.Call quotient
        && quotient.function() == Function.DIVIDE
        && quotient.arguments().get(1) instanceof Expr.Literal scale
        && scale.value() instanceof Double power
        && quotient.equals(real(Function.DIVIDE, even(times(of.get(1), scale)), scale))) {
      return Optional.of((int) Math.round(Math.log10(power)));
    }
    return Optional.empty();
  }

  private static Expr times(Expr x, Expr scale) {
    return real(Function.TIMES, x, scale);
  }

  private static boolean readsFloats(Expr x) {
    return x.children().isEmpty()
        ? x.type().kind() == Type.Kind.DOUBLE
        : x.children().stream().anyMatch(NumberFunctions::readsFloats);
  }

  /** Floats are converted to the nearest whole number, halves to even; large ones are whole. */
  private static Expr even(Expr x) {
    Expr near = Exprs.as(Exprs.as(x, Type.BIGINT), Type.DOUBLE);
    return real(Function.COALESCE, near, x);
  }

  /** Cut towards zero: sign(x) · floor(|x|). */
  static Expr towardsZero(Expr x) {
    if (x.type().isInteger()) {
      return x;
    }
    if (x instanceof Expr.Literal literal && literal.value() instanceof BigDecimal number) {
      BigDecimal whole = number.setScale(0, RoundingMode.DOWN);
      return new Expr.Literal(whole, TypeRules.decimal(TypeRules.wholeDigits(x.type()) + 1, 0));
    }
    Expr cut = whole(Function.FLOOR, same(Function.ABS, x));
    return Exprs.call(Function.TIMES, cut.type(), sign(x), cut);
  }
}
