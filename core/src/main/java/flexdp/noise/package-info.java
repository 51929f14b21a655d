/**
 * Mechanisms, their calibration, and exact samplers: the only owner of randomness.
 *
 * <p>A {@link flexdp.noise.Mechanism} holds public parameters only. A sensitivity, which may be
 * private, is always passed beside it and never kept.
 */
package flexdp.noise;
