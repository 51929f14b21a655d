/** What the doors need from whatever answers questions, and the gateway as that. */
package flexdp.server.engine;
