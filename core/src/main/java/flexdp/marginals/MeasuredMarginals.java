package flexdp.marginals;

import flexdp.query.NoisyAggregate;
import java.util.Map;

/**
 * What was measured of a frame, before anything was estimated from it: whatever follows from it
 * costs nothing any more.
 *
 * @param read has the frame's keys, and the measurement at its place
 * @param cells noisy ones by cuboid, in steps
 */
public record MeasuredMarginals(
    NoisyAggregate read, MeasurementStrategy strategy, Map<Integer, double[]> cells) {}
