/**
 * Answers that protect people: our errors beside those of a race to the top and of a fixed level.
 */
package flexdp.experiments.people;
