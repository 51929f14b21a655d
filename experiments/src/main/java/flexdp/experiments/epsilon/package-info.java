/** Section 5.3 of the paper: the effect of the privacy budget. */
package flexdp.experiments.epsilon;
