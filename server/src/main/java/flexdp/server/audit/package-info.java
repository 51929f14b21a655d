/** What happened at the doors, for the owner. */
package flexdp.server.audit;
