/** Questions and answers as JSON, one per line. */
package flexdp.gateway.ask;
