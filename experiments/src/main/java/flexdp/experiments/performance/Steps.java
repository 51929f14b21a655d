package flexdp.experiments.performance;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.experiments.measure.Law;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.workload.CountingQuery;
import flexdp.experiments.workload.Trait;
import flexdp.noise.Noise;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.List;

/** The times of the three steps, over as many queries as were measured. */
record Steps(Times original, Times analysis, Times perturbation) {
  Steps() {
    this(new Times(), new Times(), new Times());
  }

  void measure(CountingQuery query, Connection connection, Analyzer analyzer) throws Exception {
    if (query.is(Trait.INDIVIDUAL)) {
      // By-driver histograms need labels from an analyst.
      return;
    }
    double[] cells = original.measure(() -> TrueAnswers.cells(connection, query.sql()));
    Plan plan = analysis.measure(() -> analyzer.plan(query.sql(), AnalysisOptions.DEFAULT));
    List<PlannedMeasurement> planned = plan.measurements();
    perturbation.measure(() -> perturbed(planned.getFirst(), cells));
  }

  private static int perturbed(PlannedMeasurement planned, double[] cells) {
    if (planned.noise().isEmpty()) {
      return 0;
    }
    Law law = Law.of(planned.noise().get());
    Noise secure = Noise.secure();
    int shown = 0;
    for (double cell : cells) {
      BigDecimal noisy =
          secure.add(
              law.mechanism(), law.sensitivity(), BigDecimal.valueOf((long) cell), BigDecimal.ONE);
      shown += noisy.signum();
    }
    return shown;
  }
}
