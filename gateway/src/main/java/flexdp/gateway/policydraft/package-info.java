/** Policies made from what a database enforces, and checked against what it holds. */
package flexdp.gateway.policydraft;
