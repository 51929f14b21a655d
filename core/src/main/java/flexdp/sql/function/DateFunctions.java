package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlIntervalQualifier;

/** Functions of dates and timestamps. */
final class DateFunctions {
  private static final LocalDateTime ZERO = LocalDateTime.of(1900, 1, 1, 0, 0);

  /** What the boundaries between two moments are counted of. */
  private static final Set<String> COUNTED =
      Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  private DateFunctions() {}

  /** EXTRACT(unit FROM x); units outside the algebra's list are computed from those on it. */
  static Expr extract(String unit, Expr value, Position at) {
    Expr x = value;
    boolean length = x.type().isInterval() && unit.equals("EPOCH");
    boolean clock =
        x.type().kind() == Type.Kind.TIME
            && (unit.equals("HOUR") || unit.equals("MINUTE") || unit.equals("SECOND"));
    if (!length && !clock) {
      x = TypeRules.requireDate(value, at);
    }
    if (length
        && x instanceof Expr.Call call
        && call.function() == Function.TIMES
        && call.arguments().getFirst().equals(IntervalFunctions.one("SECOND", at))) {
      return Exprs.as(call.arguments().get(1), Type.BIGINT); // so many seconds
    }
    return switch (unit) {
      case "ISODOW" -> isoDay(part("DOW", x));
      case "DECADE" -> Exprs.call(Function.DIVIDE, Type.BIGINT, part("YEAR", x), Exprs.integer(10));
      case "CENTURY", "MILLISECOND", "MICROSECOND" ->
          throw Rejections.types(
              "EXTRACT of " + unit.toLowerCase(Locale.ROOT) + " is not known here.",
              "Use year, quarter, month, week, day, hour, minute, second, dow, doy or epoch.",
              at);
      default -> part(unit, x);
    };
  }

  private static Expr part(String unit, Expr x) {
    return Exprs.call(Function.EXTRACT, Type.BIGINT, Exprs.text(unit), x);
  }

  /** Monday 1 to Sunday 7, from Sunday 0 to Saturday 6. */
  private static Expr isoDay(Expr dow) {
    Expr shifted = Exprs.call(Function.PLUS, Type.BIGINT, dow, Exprs.integer(6));
    Expr fromMonday = Exprs.call(Function.MOD, Type.BIGINT, shifted, Exprs.integer(7));
    return Exprs.call(Function.PLUS, Type.BIGINT, fromMonday, Exprs.integer(1));
  }

  /** FLOOR and CEIL of numbers, and FLOOR(x TO unit). */
  static Expr orNumber(Function function, Arguments a) {
    if (a.count() == 1) {
      return NumberFunctions.whole(function, a);
    }
    if (function == Function.FLOOR && a.node(1) instanceof SqlIntervalQualifier) {
      return truncated(a.unit(1), a.date(0), a.at());
    }
    throw Rejections.unsupported("This use of a second argument", "Use DATE_TRUNC.", a.call());
  }

  /** TRUNC(x) of a number cuts towards zero; of a date it goes to the start of a unit. */
  static Expr truncate(Arguments a) {
    Expr x = a.any(0);
    if (x.type().isDateTime()) {
      return truncated(a.count() == 1 ? "DAY" : a.unit(1), x, a.at());
    }
    if (a.count() == 2
        && !(a.any(1) instanceof Expr.Literal digits
            && digits.value() instanceof java.math.BigDecimal n
            && n.signum() == 0)) {
      return cut(a);
    }
    return NumberFunctions.truncated(a);
  }

  /** TRUNC(x, -n) of a whole number. */
  private static Expr cut(Arguments a) {
    if (a.number(0).type().isInteger()
        && a.any(1) instanceof Expr.Literal digits
        && digits.value() instanceof BigDecimal n
        && n.signum() < 0
        && n.intValue() > -9) {
      long step = BigDecimal.TEN.pow(-n.intValue()).longValue();
      Expr x = Exprs.as(a.number(0), Type.BIGINT);
      return CalendarFunctions.times(CalendarFunctions.quotient(x, step), step);
    }
    throw Rejections.unsupported("TRUNC to some digits", "Use ROUND(x, n).", a.call());
  }

  /** DATE_TRUNC('unit', x), or with the arguments the other way round. */
  static Expr trunc(Arguments a) {
    int unit = a.isUnit(0) ? 0 : 1;
    Expr x = a.date(1 - unit);
    boolean sunday =
        a.unit(unit).equals("WEEK")
            && !a.word(unit).startsWith("ISO")
            && DialectSpelling.WEEK_START.in(a.dialect()) == SpellingMeaning.FROM_SUNDAY;
    return sunday
        ? OperatorFunctions.shift(
            truncated("WEEK", nextDay(x, a), a.at()),
            OperatorFunctions.negate(IntervalFunctions.one("DAY", a.at()), a.at()),
            a.at())
        : truncated(a.unit(unit), x, a.at());
  }

  static Expr truncated(String unit, Expr x, Position at) {
    return switch (unit) {
      case "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND" ->
          x instanceof Expr.Literal literal && !literal.isNull()
              ? truncated(unit, literal)
              : Exprs.call(Function.DATE_TRUNC, x.type(), Exprs.text(unit), x);
      default ->
          throw Rejections.types(
              "A date cannot be truncated to " + unit.toLowerCase(Locale.ROOT) + ".",
              "Use year, quarter, month, week, day, hour, minute or second.",
              at);
    };
  }

  private static Expr truncated(String unit, Expr.Literal literal) {
    boolean isDate = literal.value() instanceof LocalDate;
    LocalDateTime moment =
        isDate ? ((LocalDate) literal.value()).atStartOfDay() : (LocalDateTime) literal.value();
    LocalDate day = moment.toLocalDate();
    LocalDateTime start =
        switch (unit) {
          case "YEAR" -> day.withDayOfYear(1).atStartOfDay();
          case "QUARTER" ->
              day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3).atStartOfDay();
          case "MONTH" -> day.withDayOfMonth(1).atStartOfDay();
          case "WEEK" -> day.minusDays(day.getDayOfWeek().getValue() - 1).atStartOfDay();
          case "DAY" -> day.atStartOfDay();
          case "HOUR" -> moment.truncatedTo(ChronoUnit.HOURS);
          case "MINUTE" -> moment.truncatedTo(ChronoUnit.MINUTES);
          default -> moment.truncatedTo(ChronoUnit.SECONDS);
        };
    return new Expr.Literal(isDate ? start.toLocalDate() : start, literal.type());
  }

  static Expr epoch(Arguments a) {
    Expr x = a.count() == 0 ? FunctionFinder.moment(a.now()) : a.any(0);
    return extract("EPOCH", x, a.at());
  }

  static Expr fromEpoch(Arguments a) {
    Expr x = a.any(0);
    if (x.type().kind() == Type.Kind.VARCHAR || x.type().isDateTime()) {
      return CastFunctions.cast(x, Type.TIMESTAMP, a.at());
    }
    Expr start = new Expr.Literal(LocalDateTime.of(1970, 1, 1, 0, 0), Type.TIMESTAMP);
    return OperatorFunctions.shift(
        start,
        OperatorFunctions.times(IntervalFunctions.one("SECOND", a.at()), a.integer(0), a.at()),
        a.at());
  }

  /**
   * DATE_ADD(d, INTERVAL '1' DAY), DATE_ADD(d, 3), DATE_ADD('day', 3, d), DATEADD(day, 3, d) and
   * their opposites.
   */
  static Expr add(Arguments a, boolean backwards) {
    if (a.count() == 3) {
      Expr count = a.integer(1);
      if (isZero(a.any(2)) && !backwards && sinceZero(a.unit(0), count).isPresent()) {
        return truncated(a.unit(0), sinceZero(a.unit(0), count).get(), a.at());
      }
      Expr by = OperatorFunctions.times(IntervalFunctions.one(a.unit(0), a.at()), count, a.at());
      return OperatorFunctions.shift(
          a.date(2), backwards ? OperatorFunctions.negate(by, a.at()) : by, a.at());
    }
    Expr date = a.date(0);
    Expr by = a.any(1);
    if (by.type().isNumeric()) {
      by = OperatorFunctions.times(IntervalFunctions.one("DAY", a.at()), a.integer(1), a.at());
    } else if (by instanceof Expr.Literal literal && literal.type().kind() == Type.Kind.VARCHAR) {
      by = IntervalFunctions.parse((String) literal.value(), a.at());
    }
    return OperatorFunctions.shift(
        date, backwards ? OperatorFunctions.negate(by, a.at()) : by, a.at());
  }

  /** T-SQL's 0 for the first of January 1900. */
  private static boolean isZero(Expr x) {
    return x.equals(Exprs.integer(0));
  }

  private static Expr dateOrZero(Arguments a, int i) {
    return isZero(a.any(i)) ? new Expr.Literal(ZERO, Type.TIMESTAMP) : a.date(i);
  }

  /** Of what DATEADD(unit, DATEDIFF(unit, 0, x), 0) finds the start. */
  private static Optional<Expr> sinceZero(String unit, Expr count) {
    return count instanceof Expr.Call call
            && call.function() == Function.DATE_DIFF
            && !unit.equals("WEEK")
            && call.arguments().get(0).equals(Exprs.text(unit))
            && call.arguments().get(1) instanceof Expr.Literal start
            && ZERO.equals(start.value())
        ? Optional.of(call.arguments().get(2))
        : Optional.empty();
  }

  static Expr addMonths(Expr date, Expr months, Position at) {
    return OperatorFunctions.shift(
        date, OperatorFunctions.times(IntervalFunctions.one("MONTH", at), months, at), at);
  }

  /** DATEDIFF(unit, from, to), DATE_DIFF('unit', from, to), and DATEDIFF(to, from) in days. */
  static Expr difference(Arguments a) {
    if (a.count() == 2) {
      return between("DAY", a.date(1), a.date(0));
    }
    if (!a.isUnit(0) && a.isUnit(2)) {
      return counted(a, a.date(1), a.date(0), 2);
    }
    return counted(a, dateOrZero(a, 1), a.date(2), 0);
  }

  /** Units that are over or boundaries that are crossed, by name and dialect. */
  private static Expr counted(Arguments a, Expr from, Expr to, int unit) {
    DialectSpelling written =
        switch (FunctionFinder.nameOf(a.call())) {
          case "TIMESTAMPDIFF" -> DialectSpelling.TIMESTAMPDIFF;
          case "TIMESTAMP_DIFF" -> DialectSpelling.TIMESTAMP_DIFF;
          default -> DialectSpelling.DATE_DIFF;
        };
    return written.in(a.dialect()) == SpellingMeaning.COMPLETE
        ? AgeFunctions.between(a.unit(unit), from, to)
        : crossed(a, from, to, unit);
  }

  private static Expr crossed(Arguments a, Expr from, Expr to, int unit) {
    if (!COUNTED.contains(a.unit(unit))) {
      throw Rejections.types(
          "Differences are not counted in units of " + a.unit(unit).toLowerCase(Locale.ROOT) + ".",
          "Use year, quarter, month, week, day, hour, minute or second.",
          a.at());
    }
    boolean week = a.unit(unit).equals("WEEK") && !a.word(unit).startsWith("ISO");
    return switch (week ? DialectSpelling.WEEKS.in(a.dialect()) : SpellingMeaning.FROM_MONDAY) {
      case FROM_SUNDAY -> between("WEEK", nextDay(from, a), nextDay(to, a));
      case SEVEN_DAYS -> CalendarFunctions.quotient(between("DAY", from, to), 7);
      default -> between(a.unit(unit), from, to);
    };
  }

  private static Expr nextDay(Expr x, Arguments a) {
    return OperatorFunctions.shift(x, IntervalFunctions.one("DAY", a.at()), a.at());
  }

  static Expr between(String unit, Expr from, Expr to) {
    Type type = TypeRules.common(from.type(), to.type());
    return Exprs.call(
        Function.DATE_DIFF,
        Type.BIGINT,
        Exprs.text(unit),
        TypeRules.convert(from, type),
        TypeRules.convert(to, type));
  }

  static Expr lastDay(Expr date, Position at) {
    Expr month = truncated("MONTH", CastFunctions.cast(date, Type.DATE, at), at);
    Expr next = OperatorFunctions.shift(month, IntervalFunctions.one("MONTH", at), at);
    return OperatorFunctions.shift(
        next, OperatorFunctions.negate(IntervalFunctions.one("DAY", at), at), at);
  }

  /** DATE(x), DATE(x, modifier, …) of SQLite, and DATE(year, month, day) as MAKE_DATE. */
  static Expr date(Arguments a) {
    boolean parts = a.count() == 3 && a.any(0).type().isNumeric();
    boolean plain = a.count() == 1 && !(a.any(0) instanceof Expr.Literal);
    return parts
        ? made(a)
        : plain
            ? CastFunctions.cast(a.any(0), Type.DATE, a.at())
            : CalendarFunctions.modified(a, true);
  }

  /** What is cast to a type that holds every year and month. */
  private static Expr whole(Expr part) {
    return part instanceof Expr.Cast cast
            && (cast.type().equals(Type.INTEGER) || cast.type().equals(Type.BIGINT))
        ? cast.operand()
        : part;
  }

  /** MAKE_DATE(year, month, day) of constants, or of the year and month of one moment. */
  static Expr made(Arguments a) {
    if (whole(a.integer(0)) instanceof Expr.Call year
        && whole(a.integer(1)) instanceof Expr.Call month
        && isPart("YEAR", year)
        && isPart("MONTH", month)
        && year.arguments().get(1).equals(month.arguments().get(1))
        && a.integer(2).equals(Exprs.integer(1))) {
      return CastFunctions.cast(
          truncated("MONTH", year.arguments().get(1), a.at()), Type.DATE, a.at());
    }
    int[] parts = new int[3];
    for (int i = 0; i < parts.length; i++) {
      if (!(a.integer(i) instanceof Expr.Literal literal)
          || !(literal.value() instanceof BigDecimal number)) {
        throw Rejections.types(
            "A date can be made of constants only.", "Use DATE_TRUNC of a date.", a.at());
      }
      parts[i] = number.min(BigDecimal.valueOf(10_000)).max(BigDecimal.ZERO).intValue();
    }
    try {
      if (parts[0] >= 1 && parts[0] <= 9999) {
        return new Expr.Literal(LocalDate.of(parts[0], parts[1], parts[2]), Type.DATE);
      }
    } catch (DateTimeException e) {
      // Said below.
    }
    throw Rejections.types("There is no such date.", "Write a date from 1 to 9999.", a.at());
  }

  private static boolean isPart(String unit, Expr.Call call) {
    return call.function() == Function.EXTRACT
        && call.arguments().getFirst().equals(Exprs.text(unit));
  }

  /** INTERVAL n DAY, the number computed. */
  static Expr interval(Arguments a) {
    return OperatorFunctions.times(IntervalFunctions.one(a.unit(1), a.at()), a.integer(0), a.at());
  }
}
