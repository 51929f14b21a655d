/**
 * From a question to the noise of each of its measurements: which mechanism, at which scale.
 *
 * <p>More than thirty files, since every way to noise is one of its own, which only the planner
 * calls.
 */
package flexdp.plan;
