/** Multiplicative weights (MWEM) against measuring and least squares. */
package flexdp.experiments.mwem;
