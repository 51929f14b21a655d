package flexdp.wasm;

import flexdp.cells.ExactHistogram;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.Measurement;
import java.math.BigDecimal;

/** How far the numbers of a question moved. */
public final class Moved {
  private Moved() {}

  /** The most that a measurement changed, as a part of what its noise is made for. */
  public static double worst(Plan plan, ExactHistogram one, ExactHistogram other) {
    double worst = 0;
    for (int m = 0; m < plan.measurements().size(); m++) {
      PlannedMeasurement of = plan.measurements().get(m);
      BigDecimal change = new BigDecimal(one.apart(other, m));
      BigDecimal bound = of.noise().orElseThrow().sensitivity();
      BigDecimal moved =
          switch (of.measurement()) {
            // Half of the rows that come and go, as ranks are counted.
            case Measurement.Selected picked -> change.multiply(picked.perRow());
            case Measurement.Additive amount -> change.multiply(amount.grid());
          };
      if (moved.signum() != 0) { // what nothing moves may have no noise
        worst = Math.max(worst, moved.doubleValue() / bound.doubleValue());
      }
    }
    return worst;
  }
}
