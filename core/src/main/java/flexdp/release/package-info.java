/** From exact cells to the rows an analyst sees: labels, noise, and what is computed from both. */
package flexdp.release;
