/** Trino: how it spells SQL, and what its catalogs tell. */
package flexdp.gateway.trino;
