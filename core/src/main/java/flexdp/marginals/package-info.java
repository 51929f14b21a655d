/**
 * WorkloadGrouping: questions about the same rows that are answered together, from few measured
 * cuboids (see {@code flexdp.workload}), in place of each by itself.
 */
package flexdp.marginals;
