/** The façade: bind, analyse, reserve, execute, add noise, settle, return. */
package flexdp.gateway;
