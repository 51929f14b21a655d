package flexdp.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * For how long what was spent counts. The guarantee then holds for each such stretch of time, and
 * not for all of it.
 */
public sealed interface Window {
  /** What was spent until then, that moment included, no longer counts at a time. */
  Instant until(Instant now);

  /** When what is spent at a time begins not to count. */
  Instant leaves(Instant spent);

  /** In words: per so much. */
  String words();

  /** The last so many days, whenever one looks. */
  static Window days(int count) {
    return new Rolling(Duration.ofDays(count));
  }

  /** A stretch that ends now. */
  record Rolling(Duration length) implements Window {
    public Rolling {
      if (length.isNegative() || length.isZero()) {
        throw new IllegalArgumentException("a window must last longer than nothing");
      }
    }

    @Override
    public Instant until(Instant now) {
      return now.minus(length);
    }

    @Override
    public Instant leaves(Instant spent) {
      return spent.plus(length);
    }

    @Override
    public String words() {
      return length.toDays() == 1 ? "day" : length.toDays() + " days";
    }

    /** As ledgers have it on record. */
    @Override
    public String toString() {
      return length.toString();
    }
  }

  /** A month of the calendar, of UTC: two days may be of two months. */
  record CalendarMonth() implements Window {
    private static YearMonth month(Instant at) {
      return YearMonth.from(at.atZone(ZoneOffset.UTC));
    }

    private static Instant start(YearMonth month) {
      return month.atDay(1).atTime(LocalTime.MIDNIGHT).toInstant(ZoneOffset.UTC);
    }

    @Override
    public Instant until(Instant now) {
      return start(month(now)).minusNanos(1);
    }

    @Override
    public Instant leaves(Instant spent) {
      return start(month(spent).plusMonths(1));
    }

    @Override
    public String words() {
      return "calendar month";
    }

    /** As ledgers have it on record. */
    @Override
    public String toString() {
      return "month";
    }
  }
}
