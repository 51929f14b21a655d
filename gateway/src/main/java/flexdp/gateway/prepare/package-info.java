/** A question made ready: its plan, its price, and how wrong its answer will be. */
package flexdp.gateway.prepare;
