package flexdp.compute;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** Functions of dates, no argument NULL. */
public final class DateEvaluation {
  private DateEvaluation() {}

  static BigDecimal extract(String unit, Object value) {
    LocalDateTime at = moment(value);
    long part =
        switch (unit.toUpperCase(Locale.ROOT)) {
          case "YEAR" -> at.getYear();
          case "ISOYEAR" -> at.get(IsoFields.WEEK_BASED_YEAR);
          case "QUARTER" -> at.get(IsoFields.QUARTER_OF_YEAR);
          case "MONTH" -> at.getMonthValue();
          case "WEEK" -> at.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
          case "DAY" -> at.getDayOfMonth();
          case "DOW" -> at.getDayOfWeek().getValue() % 7;
          case "DOY" -> at.getDayOfYear();
          case "HOUR" -> at.getHour();
          case "MINUTE" -> at.getMinute();
          case "SECOND" -> at.getSecond();
          case "EPOCH" -> at.toEpochSecond(ZoneOffset.UTC);
          default -> throw new IllegalArgumentException("no such unit: " + unit);
        };
    return BigDecimal.valueOf(part);
  }

  static LocalDateTime truncate(String unit, Object value) {
    LocalDateTime at = moment(value);
    LocalDate day = at.toLocalDate();
    return switch (unit.toUpperCase(Locale.ROOT)) {
      case "YEAR" -> day.withDayOfYear(1).atStartOfDay();
      case "QUARTER" ->
          day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3).atStartOfDay();
      case "MONTH" -> day.withDayOfMonth(1).atStartOfDay();
      case "WEEK" -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).atStartOfDay();
      case "DAY" -> day.atStartOfDay();
      case "HOUR" -> at.truncatedTo(ChronoUnit.HOURS);
      case "MINUTE" -> at.truncatedTo(ChronoUnit.MINUTES);
      case "SECOND" -> at.truncatedTo(ChronoUnit.SECONDS);
      default -> throw new IllegalArgumentException("no such unit: " + unit);
    };
  }

  /** A date or timestamp and a number of months or microseconds; NULL beyond the calendar. */
  public static Object add(Object value, long interval, Type intervalType) {
    try {
      LocalDateTime at = moment(value);
      return intervalType.kind() == Type.Kind.INTERVAL_MONTHS
          ? at.plusMonths(interval)
          : at.plus(interval, ChronoUnit.MICROS);
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  /** How many boundaries of the unit lie between. */
  static BigDecimal difference(String unit, Object from, Object to) {
    LocalDateTime one = moment(from);
    LocalDateTime two = moment(to);
    long count =
        switch (unit.toUpperCase(Locale.ROOT)) {
          case "YEAR" -> (long) two.getYear() - one.getYear();
          case "ISOYEAR" ->
              (long) two.get(IsoFields.WEEK_BASED_YEAR) - one.get(IsoFields.WEEK_BASED_YEAR);
          case "QUARTER" -> quarters(two) - quarters(one);
          case "MONTH" -> months(two) - months(one);
          case "WEEK" -> ChronoUnit.DAYS.between(truncate(unit, one), truncate(unit, two)) / 7;
          case "DAY", "DOW", "DOY" -> ChronoUnit.DAYS.between(one.toLocalDate(), two.toLocalDate());
          case "HOUR" -> ChronoUnit.HOURS.between(truncate(unit, one), truncate(unit, two));
          case "MINUTE" -> ChronoUnit.MINUTES.between(truncate(unit, one), truncate(unit, two));
          case "SECOND", "EPOCH" ->
              ChronoUnit.SECONDS.between(truncate("SECOND", one), truncate("SECOND", two));
          default -> throw new IllegalArgumentException("no such unit: " + unit);
        };
    return BigDecimal.valueOf(count);
  }

  private static long months(LocalDateTime at) {
    return at.getYear() * 12L + at.getMonthValue();
  }

  private static long quarters(LocalDateTime at) {
    return at.getYear() * 4L + at.get(IsoFields.QUARTER_OF_YEAR);
  }

  private static LocalDateTime moment(Object value) {
    return switch (value) {
      case LocalDateTime at -> at;
      case LocalDate day -> day.atStartOfDay();
      case LocalTime time -> LocalDate.EPOCH.atTime(time);
      default -> throw new IllegalArgumentException("not a date: " + value.getClass());
    };
  }
}
