/** Statements as PostgreSQL reads them, as far as it takes to know who answers them. */
package flexdp.server.sql;
