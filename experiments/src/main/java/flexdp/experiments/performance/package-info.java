/** Section 5.1 of the paper: what analysis and noise add to the time of a query. */
package flexdp.experiments.performance;
