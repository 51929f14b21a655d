/** Programs of one's own over blocks of rows or single rows: how they are asked about and read. */
package flexdp.gateway.program;
