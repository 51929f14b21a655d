/** The functions that may be asked for, their arguments and types; all else is refused. */
package flexdp.sql.function;
