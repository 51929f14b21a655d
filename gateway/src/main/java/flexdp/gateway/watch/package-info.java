/** Numbers that are compared with thresholds: once for many, or again and again. */
package flexdp.gateway.watch;
