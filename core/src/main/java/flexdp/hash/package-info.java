/**
 * One fixed hash of values, the same on every database, for choosing some of many rows fairly and
 * always alike. It is no secret and protects nothing.
 */
package flexdp.hash;
