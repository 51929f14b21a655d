/** What an entry of the ledger says, and the bytes by which entries are chained. */
package flexdp.gateway.ledger.entry;
