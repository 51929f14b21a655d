/** The record of every release, and the only judge of whether one more may happen. */
package flexdp.gateway.ledger;
