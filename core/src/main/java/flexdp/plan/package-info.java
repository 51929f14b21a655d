/** From a question to the noise of each of its measurements: which mechanism, at which scale. */
package flexdp.plan;
