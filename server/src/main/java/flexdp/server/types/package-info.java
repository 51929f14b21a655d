/** Values as PostgreSQL's types have them, as text and in binary. */
package flexdp.server.types;
