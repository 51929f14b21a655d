package flexdp.experiments.utility;

import flexdp.experiments.workload.CountingQuery;

/**
 * A query of the workload with its true answer.
 *
 * @param population how many different trips it uses
 * @param cells the counts that are not zero
 * @param seconds how long the database took for the answer
 */
public record Truth(CountingQuery query, double population, double[] cells, double seconds) {}
