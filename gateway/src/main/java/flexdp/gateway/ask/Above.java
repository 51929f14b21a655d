package flexdp.gateway.ask;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.noise.SparseVector;
import java.math.BigDecimal;

/**
 * What numbers are compared with, and how many of them may be above it before the comparing stops.
 */
public record Above(BigDecimal threshold, int hits) {
  private static final int LONGEST = 60;

  public Above {
    if (hits < 1 || hits > SparseVector.MOST_HITS) {
      throw ConfigurationError.of(
          Code.BAD_REQUEST, "hits: a whole number from 1 to " + SparseVector.MOST_HITS);
    }
    if (threshold.precision() > LONGEST || Math.abs(threshold.scale()) > LONGEST) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "above: a number of at most 60 digits");
    }
  }
}
