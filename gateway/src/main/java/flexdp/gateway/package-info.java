/** The entry for programs: {@link flexdp.gateway.FlexDp}. */
package flexdp.gateway;
