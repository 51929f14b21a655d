/**
 * Mechanisms, their calibration, and exact samplers: the only owner of randomness.
 *
 * <p>A {@link flexdp.noise.Mechanism} holds public parameters only. A sensitivity, which may be
 * private, is always passed beside it and never kept.
 *
 * <p>More than thirty files, since mechanisms, their calibration and their samplers share exact
 * arithmetic that nobody else should reach.
 */
package flexdp.noise;
