package flexdp.smooth;

import java.math.BigDecimal;

/**
 * The smooth bound S, private like the metrics it comes from.
 *
 * @param value never below the exact maximum, and above it in the last binary digits only; infinite
 *     when it exceeds every double, as for a hundred self joins
 * @param distance Σκ of a vector where the maximum is reached
 * @param decimal the same, and finite always
 */
public record SmoothBound(double value, long distance, BigDecimal decimal) {
  public SmoothBound(double value, long distance) {
    this(value, distance, new BigDecimal(value));
  }
}
