package flexdp.bench;

import flexdp.AnalysisOptions;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;

/** A question with everything that analysing it needs. */
record Subject(String name, String sql, Policy policy, Metrics metrics, AnalysisOptions options) {}
