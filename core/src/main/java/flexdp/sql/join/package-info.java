/** The tree of FROM: conditions at the joins they belong to, columns nobody reads left out. */
package flexdp.sql.join;
