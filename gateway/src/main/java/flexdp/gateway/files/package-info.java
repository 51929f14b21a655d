/** Text into trees of maps, lists and scalars, exactly and within limits. */
package flexdp.gateway.files;
