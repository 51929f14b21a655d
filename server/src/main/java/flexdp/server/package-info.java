/** The doors: analysts reach FlexDP with the programs that they have. */
package flexdp.server;
