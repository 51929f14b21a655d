/** The smooth sensitivity of the median, against the exponential mechanism. */
package flexdp.experiments.median;
