/**
 * From what is read to the rows an analyst sees: {@link flexdp.release.ReleasePlan} says how each
 * noisy aggregate is made, {@link flexdp.release.Interpreter} what is computed above them.
 */
package flexdp.release;
