/**
 * From what is read to the rows an analyst sees: {@link flexdp.release.ReleasePlan} says how each
 * noisy aggregate is made, {@link flexdp.release.Interpreter} what is computed above them. More
 * than thirty files, as the second half is to be a package of its own.
 */
package flexdp.release;
