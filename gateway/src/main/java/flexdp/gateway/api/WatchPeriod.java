package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How often a watch looks: once in each period, by the gateway's clock and nothing else. */
public enum WatchPeriod {
  HOUR,
  DAY,
  WEEK,
  MONTH;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The beginning of the period that a time is in; weeks begin on Monday. */
  public LocalDateTime begin(LocalDateTime time) {
    return switch (this) {
      case HOUR -> time.truncatedTo(ChronoUnit.HOURS);
      case DAY -> time.truncatedTo(ChronoUnit.DAYS);
      case WEEK ->
          time.truncatedTo(ChronoUnit.DAYS)
              .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
    };
  }

  /** The beginning of the period after the one that begins then. */
  public LocalDateTime next(LocalDateTime begin) {
    return switch (this) {
      case HOUR -> begin.plusHours(1);
      case DAY -> begin.plusDays(1);
      case WEEK -> begin.plusWeeks(1);
      case MONTH -> begin.plusMonths(1);
    };
  }

  public static WatchPeriod parse(String word) {
    return Arrays.stream(values())
        .filter(e -> e.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_REQUEST,
                    "every: one of "
                        + Arrays.stream(values())
                            .map(WatchPeriod::word)
                            .collect(Collectors.joining(", "))
                        + ". Provided value: "
                        + word));
  }
}
