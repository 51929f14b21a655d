/** Seeded queries over the ride-sharing schema, after the distributions of the paper's study. */
package flexdp.experiments.workload;
