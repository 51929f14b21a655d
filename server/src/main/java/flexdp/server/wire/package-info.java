/** Messages of the PostgreSQL protocol, version 3: bytes in, records out, and back. */
package flexdp.server.wire;
