/** DuckDB, and files of data through it: how it spells SQL, and what its catalog tells. */
package flexdp.gateway.duckdb;
