package flexdp.properties;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What dates can be: the values of EXTRACT, and the dates of a range in steps of a unit. */
public final class DateRanges {
  private static final LocalDateTime EPOCH = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC);

  private DateRanges() {}

  public static String unit(Expr literal) {
    return literal instanceof Expr.Literal l && l.value() instanceof String s ? s : "";
  }

  /** Whether a part of a date grows with it, unlike months and hours. */
  public static boolean isUnbounded(String unit) {
    return range(unit, Type.TIMESTAMP, Interval.UNKNOWN).equals(Interval.UNKNOWN);
  }

  /** The column whose year an expression is. */
  static Optional<Expr.Ref> yearOf(Expr expr) {
    Expr inner = expr;
    while (inner instanceof Expr.Cast cast
        && Conversions.keepsApart(cast.operand().type(), cast.type())) {
      inner = cast.operand();
    }
    return inner instanceof Expr.Call call
            && call.function() == Function.EXTRACT
            && unit(call.arguments().getFirst()).equals("YEAR")
            && call.arguments().get(1) instanceof Expr.Ref ref
            && ref.type().isDateTime()
        ? Optional.of(ref)
        : Optional.empty();
  }

  /** A year as bounds on days or microseconds. */
  static Interval year(Expr.Literal literal, Type type) {
    if (!(literal.value() instanceof BigDecimal number)
        || number.stripTrailingZeros().scale() > 0
        || number.abs().compareTo(BigDecimal.valueOf(9998)) > 0) {
      return Interval.UNKNOWN;
    }
    LocalDate first = LocalDate.of(number.intValue(), 1, 1);
    LocalDate next = first.plusYears(1);
    return type.kind() == Type.Kind.DATE
        ? Interval.of(
            BigDecimal.valueOf(first.toEpochDay()), BigDecimal.valueOf(next.toEpochDay() - 1))
        : Interval.of(micros(first), micros(next).subtract(BigDecimal.ONE));
  }

  private static BigDecimal micros(LocalDate day) {
    return BigDecimal.valueOf(day.toEpochDay()).multiply(BigDecimal.valueOf(86_400_000_000L));
  }

  /** Bounds of EXTRACT(unit FROM x) for an x within bounds (days or microseconds). */
  static Interval range(String unit, Type type, Interval x) {
    return switch (unit) {
      case "MONTH" -> Interval.of(1, 12);
      case "QUARTER" -> Interval.of(1, 4);
      case "WEEK" -> Interval.of(1, 53);
      case "DAY" -> Interval.of(1, 31);
      case "DOY" -> Interval.of(1, 366);
      case "DOW" -> Interval.of(0, 6);
      case "ISODOW" -> Interval.of(1, 7);
      case "HOUR" -> Interval.of(0, 23);
      case "MINUTE" -> Interval.of(0, 59);
      case "SECOND" -> Interval.of(0, 60);
      case "YEAR" ->
          new Interval(
              x.low().flatMap(v -> time(v, type)).map(t -> BigDecimal.valueOf(t.getYear())),
              x.high().flatMap(v -> time(v, type)).map(t -> BigDecimal.valueOf(t.getYear())));
      case "ISOYEAR" ->
          new Interval(
              x.low().flatMap(v -> time(v, type)).map(t -> BigDecimal.valueOf(t.getYear() - 1L)),
              x.high().flatMap(v -> time(v, type)).map(t -> BigDecimal.valueOf(t.getYear() + 1L)));
      case "EPOCH" -> seconds(type, x);
      default -> Interval.UNKNOWN;
    };
  }

  /** Seconds since 1970, or of a length in microseconds. */
  private static Interval seconds(Type type, Interval x) {
    BigDecimal million = BigDecimal.valueOf(1_000_000);
    return switch (type.kind()) {
      case DATE -> x.times(Interval.of(86_400, 86_400));
      case TIMESTAMP, INTERVAL_MICROS ->
          new Interval(
              x.low().map(v -> v.divide(million, 0, RoundingMode.FLOOR)),
              x.high().map(v -> v.divide(million, 0, RoundingMode.CEILING)));
      default -> Interval.UNKNOWN;
    };
  }

  /**
   * Bounds of DATE_DIFF: from one to another date no more boundaries of a unit are crossed than the
   * shortest unit fits between, and one.
   */
  static Interval between(String unit, Type type, Interval from, Interval to) {
    Interval apart = to.plus(from.negate());
    if (unit.equals("DAY") && type.kind() == Type.Kind.DATE) {
      return apart;
    }
    long seconds =
        switch (unit) {
          case "YEAR" -> 365 * 86_400L;
          case "QUARTER" -> 90 * 86_400L;
          case "MONTH" -> 28 * 86_400L;
          case "WEEK" -> 7 * 86_400L;
          case "DAY" -> 86_400L;
          case "HOUR" -> 3_600L;
          case "MINUTE" -> 60L;
          case "SECOND" -> 1L;
          default -> 0L;
        };
    if (seconds == 0 || !type.isDateTime()) {
      return Interval.UNKNOWN;
    }
    BigDecimal perUnit = BigDecimal.valueOf(seconds * 1_000_000L);
    BigDecimal scale =
        type.kind() == Type.Kind.DATE ? BigDecimal.valueOf(86_400_000_000L) : BigDecimal.ONE;
    return new Interval(
        apart.low().map(v -> crossed(v.multiply(scale), perUnit)),
        apart.high().map(v -> crossed(v.negate().multiply(scale), perUnit).negate()));
  }

  /** The fewest boundaries crossed over at least so many microseconds, negative backwards. */
  private static BigDecimal crossed(BigDecimal micros, BigDecimal perUnit) {
    return micros.signum() >= 0
        ? BigDecimal.ZERO
        : micros.divide(perUnit, 0, RoundingMode.FLOOR).subtract(BigDecimal.ONE);
  }

  /**
   * Every value of DATE_TRUNC(unit, x) for x within the bounds, as values of x's type; empty when
   * there are more than the limit or the unit has no calendar steps.
   */
  public static Optional<List<Object>> truncated(String unit, Type type, Interval x, int limit) {
    if (!x.isBounded()) {
      return Optional.empty();
    }
    Optional<LocalDateTime> first = time(x.low().get(), type).flatMap(t -> truncate(unit, t));
    Optional<LocalDateTime> last = time(x.high().get(), type);
    if (first.isEmpty() || last.isEmpty()) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>();
    for (LocalDateTime t = first.get(); !t.isAfter(last.get()); t = next(unit, t)) {
      if (values.size() == limit) {
        return Optional.empty();
      }
      values.add(type.kind() == Type.Kind.DATE ? t.toLocalDate() : t);
    }
    return Optional.of(values);
  }

  /** Where the step of a unit ends that begins here; nothing where none begins. */
  public static Optional<LocalDateTime> end(String unit, LocalDateTime begin) {
    return truncate(unit, begin).filter(begin::equals).map(t -> next(unit, t));
  }

  /** No later than a moment, where values are days or moments. */
  public static Interval until(Interval interval, LocalDateTime time, Type type) {
    return switch (type.kind()) {
      case DATE -> interval.intersect(upTo(new Expr.Literal(time.toLocalDate(), type)));
      case TIMESTAMP -> interval.intersect(upTo(new Expr.Literal(time, type)));
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          DOUBLE,
          VARCHAR,
          TIME,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          interval;
    };
  }

  private static Interval upTo(Expr.Literal literal) {
    return Interval.upTo(ExprRanges.literal(literal).high());
  }

  static Optional<LocalDateTime> time(BigDecimal value, Type type) {
    // Beyond this a calendar is of no use, and LocalDate would overflow.
    BigDecimal days =
        type.kind() == Type.Kind.DATE
            ? value
            : value.divideToIntegralValue(BigDecimal.valueOf(86_400_000_000L));
    if (days.abs().compareTo(BigDecimal.valueOf(4_000_000)) > 0) {
      return Optional.empty();
    }
    return Optional.of(
        type.kind() == Type.Kind.DATE
            ? LocalDate.ofEpochDay(value.longValue()).atStartOfDay()
            : EPOCH.plus(value.longValue(), ChronoUnit.MICROS));
  }

  private static Optional<LocalDateTime> truncate(String unit, LocalDateTime t) {
    LocalDateTime day = t.truncatedTo(ChronoUnit.DAYS);
    return switch (unit) {
      case "YEAR" -> Optional.of(day.withDayOfYear(1));
      case "QUARTER" ->
          Optional.of(day.withDayOfMonth(1).withMonth((t.getMonthValue() - 1) / 3 * 3 + 1));
      case "MONTH" -> Optional.of(day.withDayOfMonth(1));
      case "WEEK" -> Optional.of(day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)));
      case "DAY" -> Optional.of(day);
      case "HOUR" -> Optional.of(t.truncatedTo(ChronoUnit.HOURS));
      case "MINUTE" -> Optional.of(t.truncatedTo(ChronoUnit.MINUTES));
      default -> Optional.empty();
    };
  }

  private static LocalDateTime next(String unit, LocalDateTime t) {
    return switch (unit) {
      case "YEAR" -> t.plusYears(1);
      case "QUARTER" -> t.plusMonths(3);
      case "MONTH" -> t.plusMonths(1);
      case "WEEK" -> t.plusWeeks(1);
      case "DAY" -> t.plusDays(1);
      case "HOUR" -> t.plusHours(1);
      case "MINUTE" -> t.plusMinutes(1);
      default -> throw new IllegalArgumentException("no calendar step: " + unit);
    };
  }
}
