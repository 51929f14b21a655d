package flexdp.release;

import flexdp.query.Measurement;
import java.math.BigDecimal;

/**
 * How far something moved between two neighbours, and how far it may. Private.
 *
 * @param what in words
 * @param most as the noise is made for it in both states
 */
public record NeighborDistance(String what, BigDecimal moved, BigDecimal most) {
  public boolean isTooFar() {
    return moved.compareTo(most) > 0;
  }

  static String words(Measurement measurement) {
    return measurement
        .origin()
        .column()
        .orElse(measurement.origin().aggregate() + " (" + measurement.origin().part() + ")");
  }
}
