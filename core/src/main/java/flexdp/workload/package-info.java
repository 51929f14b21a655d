/**
 * Many sums over one vector of data: which of them to measure, how exactly, and the best estimate
 * of all of them from what was measured. Numbers only; it knows neither rows nor noise.
 */
package flexdp.workload;
