/** The HTTP API and the console's files: routes, who may use them, and what they say. */
package flexdp.server.api;
