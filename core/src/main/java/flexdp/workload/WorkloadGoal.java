package flexdp.workload;

/**
 * A question that a workload has to answer.
 *
 * @param shares of the components in the variance of one of its numbers, on average; see {@link
 *     CuboidLattice#cell}
 * @param weight how much it counts
 * @param most the variance that it may have: what it would have without the others
 */
public record WorkloadGoal(double[] shares, double weight, double most) {}
