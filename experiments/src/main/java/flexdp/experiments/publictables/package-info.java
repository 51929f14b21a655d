/** Section 5.4 of the paper: what the optimisation for public tables is worth. */
package flexdp.experiments.publictables;
