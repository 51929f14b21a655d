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
   * As the paper sorts: a filter or bin that names a person first; then a many-to-many join of
   * protected tables; and otherwise too few rows for the noise that the query needs.
   */
  static Cause of(Truth truth) {
    if (truth.query().is(Trait.INDIVIDUAL)) {
      return INDIVIDUAL;
    }
    return truth.query().is(Trait.MANY_TO_MANY) ? JOIN : LOW_POPULATION;
  }

  /**
   * Whether the error would be high even with the least noise that any private count needs, Laplace
   * of scale 1/ε: then no mechanism helps.
   */
  static boolean isInherent(Truth truth, BigDecimal epsilon) {
    Law least = Law.of(Laplace.of(epsilon), BigDecimal.ONE);
    return Medians.expected(least, truth.cells()) > 100;
  }
}
