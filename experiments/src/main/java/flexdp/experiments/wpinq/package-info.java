/** Section 5.5 of the paper: weighted PINQ beside elastic sensitivity. */
package flexdp.experiments.wpinq;
