/** Answers that follow from what was released before, and so cost nothing. */
package flexdp.reuse;
