/** What is asked and what comes back, as programs hold it; nothing private is in it. */
package flexdp.gateway.api;
