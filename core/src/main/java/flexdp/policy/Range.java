package flexdp.policy;

import java.math.BigDecimal;

/**
 * Closed bounds on a number. Dates and timestamps are bounded too: as days, or microseconds, since
 * 1970-01-01.
 */
public record Range(BigDecimal low, BigDecimal high) {
  public Range {
    if (low.compareTo(high) > 0) {
      throw new IllegalArgumentException("an empty range: [" + low + ", " + high + "]");
    }
  }

  public static Range of(long low, long high) {
    return new Range(BigDecimal.valueOf(low), BigDecimal.valueOf(high));
  }
}
