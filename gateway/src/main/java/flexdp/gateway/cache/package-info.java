/** Questions that answers released before already answer, whole or in part: they cost nothing. */
package flexdp.gateway.cache;
