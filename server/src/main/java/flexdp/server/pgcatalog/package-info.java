/** PostgreSQL's catalogue of a policy's tables, in a database of its own that holds no data. */
package flexdp.server.pgcatalog;
