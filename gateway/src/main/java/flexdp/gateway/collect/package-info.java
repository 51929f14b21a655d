/** Measures a database: row counts and max frequencies, the private ground of every answer. */
package flexdp.gateway.collect;
