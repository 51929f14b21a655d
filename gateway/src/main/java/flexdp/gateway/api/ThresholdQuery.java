package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.noise.SparseVector;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What numbers are compared with, and how many of them may be above it before the comparing stops.
 */
public record ThresholdQuery(BigDecimal threshold, int hits) {
  private static final int LONGEST = 60;

  public ThresholdQuery {
    if (hits < 1 || hits > SparseVector.MOST_HITS) {
      throw ConfigurationError.of(
          Code.BAD_REQUEST, "hits: a whole number from 1 to " + SparseVector.MOST_HITS);
    }
    if (threshold.precision() > LONGEST || Math.abs(threshold.scale()) > LONGEST) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "above: a number of at most 60 digits");
    }
  }

  /**
   * Which of many numbers were found above a threshold, as an analyst may see it.
   *
   * @param lines one per statement, in order
   * @param note what the reader should know; empty when there is nothing
   */
  public record ThresholdView(List<Line> lines, BigDecimal epsilon, String note) {
    /**
     * What was found of one statement.
     *
     * @param above nothing when it was not looked at, since as many as may be were above before
     * @param gap of one that was above: about how far, more often too far than not
     */
    public record Line(Optional<Boolean> above, Optional<BigDecimal> gap) {}

    public ThresholdView {
      lines = List.copyOf(lines);
    }
  }
}
