/** Connections: from the first byte to the last. */
package flexdp.server.connection;
