/** Where entries are kept: a file of SQLite, or PostgreSQL when several gateways share one. */
package flexdp.gateway.ledger.store;
