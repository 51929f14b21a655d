/** The command line: one command per class. */
package flexdp.cli;
