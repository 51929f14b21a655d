package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.List;
import java.util.Optional;

/** Whole years and months between two moments, as people count their age. */
final class AgeFunctions {
  private AgeFunctions() {}

  /** EXTRACT(YEAR FROM age(to, from)), and of AGE(from) until today. */
  static Expr extract(Arguments a) {
    if (!a.unit(0).equals("YEAR") && !a.unit(0).equals("MONTH")) {
      throw bare(a);
    }
    boolean one = a.innerCount(1) == 1;
    Expr to = one ? FunctionFinder.today(a.now()) : TypeRules.requireDate(a.inner(1, 0), a.at());
    Expr from = TypeRules.requireDate(a.inner(1, one ? 0 : 1), a.at());
    Expr months = full("MONTH", from, to);
    return a.unit(0).equals("YEAR")
        ? full("YEAR", from, to)
        : Exprs.call(Function.MOD, Type.BIGINT, months, Exprs.integer(12));
  }

  static flexdp.failure.Rejection bare(Arguments a) {
    return Rejections.unsupported(
        "AGE but for its years and months", "Use EXTRACT(YEAR FROM age(…)) or DATEDIFF.", a.call());
  }

  /**
   * TIMESTAMPDIFF(unit, from, to) of MySQL: units that are over, not boundaries that are crossed.
   */
  static Expr between(String unit, Expr from, Expr to) {
    boolean days = from.type().kind() == Type.Kind.DATE && to.type().kind() == Type.Kind.DATE;
    return switch (unit) {
      case "YEAR" -> full("YEAR", from, to);
      case "QUARTER" -> CalendarFunctions.quotient(full("MONTH", from, to), 3);
      case "MONTH" -> full("MONTH", from, to);
      case "WEEK" -> CalendarFunctions.quotient(between("DAY", from, to), 7);
      case "DAY" ->
          days
              ? DateFunctions.between("DAY", from, to)
              : CalendarFunctions.quotient(DateFunctions.between("SECOND", from, to), 86_400);
      case "HOUR" -> CalendarFunctions.quotient(DateFunctions.between("SECOND", from, to), 3_600);
      case "MINUTE" -> CalendarFunctions.quotient(DateFunctions.between("SECOND", from, to), 60);
      default -> DateFunctions.between(unit, from, to);
    };
  }

  /** Backwards as many as forwards, negative. */
  private static Expr full(String unit, Expr from, Expr to) {
    Type type = TypeRules.common(from.type(), to.type());
    Expr first = TypeRules.convert(from, type);
    Expr last = TypeRules.convert(to, type);
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(Exprs.test(Function.GE, last, first), over(unit, first, last))),
        Optional.of(Exprs.call(Function.NEGATE, Type.BIGINT, over(unit, last, first))),
        Type.BIGINT);
  }

  private static Expr over(String unit, Expr from, Expr to) {
    Expr crossed = DateFunctions.between(unit, from, to);
    Expr notYet =
        new Expr.Case(
            List.of(
                new Expr.Case.Branch(
                    Exprs.test(Function.LT, within(unit, to), within(unit, from)),
                    new Expr.Literal(java.math.BigDecimal.ONE, Type.BIGINT))),
            Optional.of(new Expr.Literal(java.math.BigDecimal.ZERO, Type.BIGINT)),
            Type.BIGINT);
    return CalendarFunctions.minus(crossed, notYet);
  }

  /** How far into its year or month a moment is: a number that grows with it, to the second. */
  private static Expr within(String unit, Expr x) {
    Expr day = CalendarFunctions.part("DAY", x);
    Expr days =
        unit.equals("YEAR")
            ? CalendarFunctions.plus(
                CalendarFunctions.times(CalendarFunctions.part("MONTH", x), 100), day)
            : day;
    if (x.type().kind() == Type.Kind.DATE) {
      return days;
    }
    Expr clock = CalendarFunctions.times(CalendarFunctions.part("HOUR", x), 3_600);
    clock =
        CalendarFunctions.plus(
            clock, CalendarFunctions.times(CalendarFunctions.part("MINUTE", x), 60));
    clock = CalendarFunctions.plus(clock, CalendarFunctions.part("SECOND", x));
    return CalendarFunctions.plus(CalendarFunctions.times(days, 100_000), clock);
  }
}
