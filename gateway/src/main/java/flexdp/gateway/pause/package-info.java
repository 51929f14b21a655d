/** Waiting: the one place where threads sleep. */
package flexdp.gateway.pause;
