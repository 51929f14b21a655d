/** Who is asking: users, their secrets as verifiers, and the steps of a login. */
package flexdp.server.login;
