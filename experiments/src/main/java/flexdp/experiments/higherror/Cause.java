package flexdp.experiments.higherror;

import flexdp.experiments.measure.Law;
import flexdp.experiments.measure.Medians;
import flexdp.experiments.utility.Truth;
import flexdp.experiments.workload.Trait;
import flexdp.noise.Laplace;
import java.math.BigDecimal;

/** Why the error of a query is high. */
enum Cause {
  INDIVIDUAL("filters on individual's data", 8),
  LOW_POPULATION("low-population statistics", 72),
  JOIN("many-to-many join causes high sensitivity", 20);

  private final String title;
  private final double paper;

  Cause(String title, double paper) {
    this.title = title;
    this.paper = paper;
  }

  String title() {
    return title;
  }

  /** The paper's share of a sample of 50, sorted by hand. */
  double paper() {
    return paper;
  }

  /**
   * A filter or bin that names a person is the first cause. Then: would the error be high even with
   * the least noise that any count needs, Laplace of scale 1/ε? If so the cells are too small; if
   * not, it is the sensitivity of the join.
   */
  static Cause of(Truth truth, BigDecimal epsilon) {
    if (truth.query().is(Trait.INDIVIDUAL)) {
      return INDIVIDUAL;
    }
    Law least = Law.of(Laplace.of(epsilon), BigDecimal.ONE);
    return Medians.expected(least, truth.cells()) > 100 ? LOW_POPULATION : JOIN;
  }
}
