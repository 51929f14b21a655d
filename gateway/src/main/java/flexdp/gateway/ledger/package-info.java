/**
 * The record of every release, and the only judge of whether one more may happen.
 *
 * <p>A little over forty files: how a ledger is opened, copied, moved, audited and repaired are
 * small classes that share its books and its chain.
 */
package flexdp.gateway.ledger;
