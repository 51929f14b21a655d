/**
 * The functions that may be asked for, their arguments and types; all else is refused.
 *
 * <p>More than thirty files: one room per kind of function, all of them behind one catalogue, which
 * nobody else should see.
 */
package flexdp.sql.function;
