/** What an owner reads while a gateway runs. It is private, and leaves as finished text. */
package flexdp.gateway.desk;
