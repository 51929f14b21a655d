/** Tests of the doors. */
package flexdp.server;
