/**
 * The command line: one command per class. There are more than forty files because there are as
 * many commands and groups of options; they share nothing but the way of printing.
 */
package flexdp.cli;
