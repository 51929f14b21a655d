package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The calendar as the dialects count it, composed from parts that are alike everywhere. */
final class CalendarFunctions {
  private static final List<String> DAYS =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
  private static final List<String> MONTHS =
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December");

  private CalendarFunctions() {}

  static Expr part(String unit, Expr x) {
    return Exprs.call(Function.EXTRACT, Type.BIGINT, Exprs.text(unit), x);
  }

  static Expr plus(Expr a, Expr b) {
    return Exprs.call(Function.PLUS, Type.BIGINT, a, b);
  }

  static Expr minus(Expr a, Expr b) {
    return Exprs.call(Function.MINUS, Type.BIGINT, a, b);
  }

  static Expr times(Expr a, long n) {
    return Exprs.call(Function.TIMES, Type.BIGINT, a, Exprs.integer(n));
  }

  static Expr quotient(Expr a, long n) {
    return Exprs.call(Function.DIVIDE, Type.BIGINT, a, Exprs.integer(n));
  }

  private static Expr rest(Expr a, long n) {
    return Exprs.call(Function.MOD, Type.BIGINT, a, Exprs.integer(n));
  }

  /**
   * The English name of a day or month.
   *
   * @param letters how many at most; padded with blanks to as many when {@code padded}
   */
  static Expr name(boolean ofDay, Expr x, int letters, boolean padded, boolean capitals) {
    Expr number = part(ofDay ? "DOW" : "MONTH", x);
    List<String> names = ofDay ? DAYS : MONTHS;
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String cut = name.substring(0, Math.min(letters, name.length()));
      String full = padded ? cut + " ".repeat(letters - cut.length()) : cut;
      branches.add(
          new Expr.Case.Branch(
              Exprs.test(
                  Function.EQ,
                  number,
                  new Expr.Literal(BigDecimal.valueOf(ofDay ? i : i + 1), Type.BIGINT)),
              Exprs.text(capitals ? full.toUpperCase(Locale.ROOT) : full)));
    }
    return new Expr.Case(branches, Optional.empty(), Type.VARCHAR);
  }

  /** DAYNAME and MONTHNAME: three letters in Snowflake. */
  static Expr name(boolean ofDay, Arguments a) {
    return name(
        ofDay,
        a.date(0),
        DialectSpelling.NAMES.in(a.dialect()) == SpellingMeaning.THREE_LETTERS ? 3 : 9,
        false,
        false);
  }

  /** DATENAME(unit, x): names of days and months, numbers as text. */
  static Expr datename(Arguments a) {
    String unit = a.unit(0);
    Expr x = a.date(1);
    return switch (unit) {
      case "DOW" -> name(true, x, 9, false, false);
      case "MONTH" -> name(false, x, 9, false, false);
      default -> OperatorFunctions.asText(extract(unit, a.word(0), x, a));
    };
  }

  /** EXTRACT and its kin, by the word that was written. */
  static Expr extract(Arguments a) {
    String word = a.word(0);
    if (a.isCallOf(1, "AGE")) {
      return AgeFunctions.extract(a);
    }
    return switch (word) {
      case "YEAR_MONTH" -> {
        Expr x = a.date(1);
        yield plus(times(part("YEAR", x), 100), part("MONTH", x));
      }
      case "DATE" -> CastFunctions.cast(a.any(1), Type.DATE, a.at());
      default -> extract(a.unit(0), word, a.any(1), a);
    };
  }

  private static Expr extract(String unit, String word, Expr x, Arguments a) {
    if (unit.equals("DOW")) {
      return dayOfWeek(
          word.equals("DOW") ? DialectSpelling.DOW : DialectSpelling.DAY_OF_WEEK, x, a);
    }
    boolean iso = word.startsWith("ISO") || word.endsWith("ISO");
    return unit.equals("WEEK") && !iso ? week(x, a) : DateFunctions.extract(unit, x, a.at());
  }

  /** DAYOFWEEK(x) and DOW(x), each by its row of the table. */
  static Expr dayOfWeek(DialectSpelling written, Arguments a) {
    return dayOfWeek(written, a.any(0), a);
  }

  private static Expr dayOfWeek(DialectSpelling written, Expr x, Arguments a) {
    return switch (written.in(a.dialect())) {
      case SUNDAY_1 -> plus(DateFunctions.extract("DOW", x, a.at()), Exprs.integer(1));
      case MONDAY_1 -> DateFunctions.extract("ISODOW", x, a.at());
      default -> DateFunctions.extract("DOW", x, a.at());
    };
  }

  /** WEEK(x [, mode]). */
  static Expr week(Arguments a) {
    if (a.count() == 1) {
      return week(a.any(0), a);
    }
    boolean iso = a.integer(1).equals(Exprs.integer(3));
    if (!iso && !a.integer(1).equals(Exprs.integer(0))) {
      throw Rejections.unsupported("This mode of WEEK", "Use 0 or 3.", a.call());
    }
    return iso ? DateFunctions.extract("WEEK", a.any(0), a.at()) : fromSunday(a.date(0));
  }

  private static Expr week(Expr x, Arguments a) {
    return switch (DialectSpelling.WEEK.in(a.dialect())) {
      case WEEK_0 -> fromSunday(TypeRules.requireDate(x, a.at()));
      case JANUARY_1 -> {
        Expr day = TypeRules.requireDate(x, a.at());
        Expr doy = part("DOY", day);
        Expr first = rest(plus(minus(part("DOW", day), doy), Exprs.integer(372)), 7);
        yield plus(quotient(plus(minus(doy, Exprs.integer(1)), first), 7), Exprs.integer(1));
      }
      default -> DateFunctions.extract("WEEK", x, a.at());
    };
  }

  /** Weeks begin on Sunday; the days before the first one are in week 0. */
  private static Expr fromSunday(Expr x) {
    return quotient(minus(plus(part("DOY", x), Exprs.integer(6)), part("DOW", x)), 7);
  }

  /** YEARWEEK(x): the year and number of the week by its Sunday; with mode 3 those of ISO. */
  static Expr yearWeek(Arguments a) {
    Expr x = CastFunctions.cast(a.date(0), Type.DATE, a.at());
    boolean iso =
        a.count() == 1
            ? DialectSpelling.YEAR_WEEK.in(a.dialect()) == SpellingMeaning.ISO
            : a.integer(1).equals(Exprs.integer(3));
    if (iso) {
      return plus(times(part("ISOYEAR", x), 100), part("WEEK", x));
    }
    if (a.count() == 2 && !a.integer(1).equals(Exprs.integer(0))) {
      throw Rejections.unsupported("This mode of YEARWEEK", "Use 0 or 3.", a.call());
    }
    Expr back = OperatorFunctions.negate(part("DOW", x), a.at());
    Expr sunday = OperatorFunctions.shift(x, back, a.at());
    return plus(
        times(part("YEAR", sunday), 100), quotient(plus(part("DOY", sunday), Exprs.integer(6)), 7));
  }

  /** WEEKDAY(x): Monday is 0, or Sunday. */
  static Expr weekday(Arguments a) {
    return DialectSpelling.WEEKDAY.in(a.dialect()) == SpellingMeaning.SUNDAY_0
        ? part("DOW", a.date(0))
        : rest(plus(part("DOW", a.date(0)), Exprs.integer(6)), 7);
  }

  /** EOMONTH(x [, months]). */
  static Expr endOfMonth(Arguments a) {
    Expr x = a.date(0);
    return DateFunctions.lastDay(
        a.count() == 2 ? DateFunctions.addMonths(x, a.integer(1), a.at()) : x, a.at());
  }

  /** LAST_DAY(x, MONTH). */
  static Expr lastDay(Arguments a) {
    if (a.count() == 2 && !a.unit(1).equals("MONTH")) {
      throw Rejections.unsupported("LAST_DAY of this unit", "Use DATE_TRUNC.", a.call());
    }
    return DateFunctions.lastDay(a.date(0), a.at());
  }

  /** MONTHS_BETWEEN(a, b): a month has 31 days, but between equal and between last days. */
  static Expr monthsBetween(Arguments a) {
    Position at = a.at();
    Expr to = CastFunctions.cast(a.date(0), Type.DATE, at);
    Expr from = CastFunctions.cast(a.date(1), Type.DATE, at);
    Expr months = Exprs.call(Function.DATE_DIFF, Type.BIGINT, Exprs.text("MONTH"), from, to);
    Expr even =
        Exprs.or(
            List.of(
                Exprs.test(Function.EQ, part("DAY", to), part("DAY", from)),
                Exprs.and(List.of(isLast(to, at), isLast(from, at)))));
    Expr days = Exprs.as(minus(part("DAY", to), part("DAY", from)), Type.DOUBLE);
    Expr rest =
        new Expr.Case(
            List.of(new Expr.Case.Branch(even, new Expr.Literal(0.0, Type.DOUBLE))),
            Optional.of(
                Exprs.call(
                    Function.DIVIDE, Type.DOUBLE, days, new Expr.Literal(31.0, Type.DOUBLE))),
            Type.DOUBLE);
    return Exprs.call(Function.PLUS, Type.DOUBLE, Exprs.as(months, Type.DOUBLE), rest);
  }

  private static Expr isLast(Expr day, Position at) {
    return Exprs.test(Function.EQ, part("DAY", day), part("DAY", DateFunctions.lastDay(day, at)));
  }

  /** JULIANDAY(x): days and their fractions since noon of a day long ago. */
  static Expr julian(Arguments a) {
    Expr seconds = part("EPOCH", a.moment(0));
    Expr days =
        Exprs.call(
            Function.DIVIDE,
            Type.DOUBLE,
            Exprs.as(seconds, Type.DOUBLE),
            new Expr.Literal(86_400.0, Type.DOUBLE));
    return Exprs.call(Function.PLUS, Type.DOUBLE, days, new Expr.Literal(2_440_587.5, Type.DOUBLE));
  }

  /** DATE(x, modifier, …) of SQLite. */
  static Expr modified(Arguments a, boolean day) {
    Expr x = a.moment(0);
    for (int i = 1; i < a.count(); i++) {
      if (!(a.any(i) instanceof Expr.Literal literal)
          || !(literal.value() instanceof String text)) {
        throw Rejections.types("A modifier must be a constant.", "Write it as text.", a.at());
      }
      String word = text.trim().toLowerCase(Locale.ROOT);
      x =
          switch (word) {
            case "start of day" -> DateFunctions.truncated("DAY", x, a.at());
            case "start of month" -> DateFunctions.truncated("MONTH", x, a.at());
            case "start of year" -> DateFunctions.truncated("YEAR", x, a.at());
            default -> {
              if (!word.matches("[+-]?[0-9]+ +[a-z]+")) {
                throw Rejections.unsupported(
                    "The modifier '" + TextLiterals.shown(text) + "'",
                    "Use '+1 month', 'start of month' and their kin.",
                    a.call());
              }
              yield carried(
                  x, IntervalFunctions.parse(word.replaceFirst("^\\+", ""), a.at()), a.at());
            }
          };
    }
    return CastFunctions.cast(x, day ? Type.DATE : Type.TIMESTAMP, a.at());
  }

  /** A month later, with the days that it does not have carried over to the next, as in SQLite. */
  private static Expr carried(Expr x, Expr.Literal by, Position at) {
    boolean first =
        x instanceof Expr.Call call
            && call.function() == Function.DATE_TRUNC
            && !call.arguments().getFirst().equals(Exprs.text("DAY"));
    if (by.type().kind() != Type.Kind.INTERVAL_MONTHS || first) {
      return OperatorFunctions.shift(x, by, at);
    }
    Expr moment =
        x instanceof Expr.Literal literal && literal.value() instanceof LocalDate day
            ? new Expr.Literal(day.atStartOfDay(), Type.TIMESTAMP)
            : CastFunctions.cast(x, Type.TIMESTAMP, at);
    Expr start = DateFunctions.truncated("MONTH", moment, at);
    if (moment instanceof Expr.Literal literal && literal.value() instanceof LocalDateTime time) {
      long rest =
          ChronoUnit.MICROS.between(time.toLocalDate().withDayOfMonth(1).atStartOfDay(), time);
      return OperatorFunctions.shift(
          OperatorFunctions.shift(start, by, at), new Expr.Literal(rest, Type.INTERVAL_MICROS), at);
    }
    return OperatorFunctions.shift(
        OperatorFunctions.shift(start, by, at), OperatorFunctions.minus(moment, start, at), at);
  }

  /** TIME_TO_SEC(TIMEDIFF(a, b)), and of a time of day. */
  static Expr seconds(Arguments a) {
    if (a.isCallOf(0, "TIMEDIFF")) {
      return DateFunctions.between("SECOND", a.inner(0, 1), a.inner(0, 0));
    }
    Expr x = a.any(0);
    return plus(
        plus(
            times(DateFunctions.extract("HOUR", x, a.at()), 3600),
            times(DateFunctions.extract("MINUTE", x, a.at()), 60)),
        DateFunctions.extract("SECOND", x, a.at()));
  }

  /** TIME_SLICE(x, 1, 'WEEK'). */
  static Expr slice(Arguments a) {
    if (!a.integer(1).equals(Exprs.integer(1))) {
      throw Rejections.unsupported("TIME_SLICE of several units", "Use DATE_TRUNC.", a.call());
    }
    return DateFunctions.truncated(a.unit(2), a.date(0), a.at());
  }
}
