package flexdp.plan;

import flexdp.noise.Laplace;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.PublicBound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the structure says that one person contributes little, nothing has to be clipped and no
 * level chosen: P-FEW, plain noise for all that she has. At most eight steps of the grid, so a
 * level could hardly be lower.
 */
final class Few {
  private static final BigInteger MOST = BigInteger.valueOf(8);

  private Few() {}

  /** The noise of all measurements, or nothing where one of them may be large. */
  static Optional<List<Planned>> planned(ReleasePoint point, Route.Owned route, Laplace mechanism) {
    Optional<BigInteger> rows = rows(route);
    boolean unlisted = point.labels() instanceof Labels.Thresholded;
    if (rows.isEmpty() || unlisted && point.measurements().stream().noneMatch(Few::countsAll)) {
      return Optional.empty();
    }
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : point.measurements()) {
      BigInteger perRow = Clipping.perRow(measurement);
      boolean isFew = route.rows().orElseThrow().multiply(perRow).compareTo(MOST) <= 0;
      if (!isFew || measurement instanceof Measurement.Picked) {
        return Optional.empty();
      }
      // Every grouping set shows all rows.
      BigInteger steps =
          rows.get().multiply(perRow).multiply(BigInteger.valueOf(point.groupingSets().size()));
      BigDecimal moved = new BigDecimal(steps).multiply(measurement.grid());
      planned.add(
          PeoplePlans.planned(
              point, measurement, Optional.of(Calibrated.Added.ofPublic(mechanism, moved))));
    }
    return Optional.of(planned);
  }

  /** Labels that come from the data are shown by how many rows they have, if not by people. */
  private static boolean countsAll(Measurement measurement) {
    return measurement.isOfAllRows();
  }

  /** How many rows change with one person, or with one step of another unit. */
  private static Optional<BigInteger> rows(Route.Owned route) {
    Optional<BigInteger> most = route.rows().map(BigInteger.ONE::max);
    for (PublicBound beside : route.besides()) {
      most = most.flatMap(own -> beside.rows().map(own::max));
    }
    return most;
  }
}
