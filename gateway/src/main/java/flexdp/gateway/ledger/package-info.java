/**
 * The record of every release, and the only judge of whether one more may happen.
 *
 * <p>A little over thirty files: how a ledger is opened, moved to another policy, audited and
 * repaired are small classes that share its books and its chain.
 */
package flexdp.gateway.ledger;
