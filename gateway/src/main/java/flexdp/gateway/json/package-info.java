/** Questions and answers, and the static analysis for the owner, as JSON line by line. */
package flexdp.gateway.json;
